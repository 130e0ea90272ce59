#include "model/file/hugging_face_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/file/safetensors_index.h"
#include "tests/model/tiny_folder.h"

namespace tenon::model {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

SafetensorsWriter Holding(const std::vector<std::string>& names) {
  SafetensorsWriter file;
  for (const std::string& name : names) file.Floats(name, {2}, {1, 2});
  return file;
}

// A folder of two shards with the tensors a, b and c.
void WriteTwoShards(const TemporaryFolder& folder) {
  folder.WriteJson("config.json", json{{"model_type", "llama"}});
  folder.Write("model-00001-of-00002.safetensors", Holding({"a", "c"}));
  folder.Write("model-00002-of-00002.safetensors", Holding({"b"}));
  folder.WriteJson("model.safetensors.index.json",
                   json{{"metadata", {{"total_size", 24}}},
                        {"weight_map",
                         {{"a", "model-00001-of-00002.safetensors"},
                          {"b", "model-00002-of-00002.safetensors"},
                          {"c", "model-00001-of-00002.safetensors"}}}});
}

std::string Refusal(const TemporaryFolder& folder) {
  const auto opened = HuggingFaceFolder::Open(folder.path());
  return opened ? "" : opened.error().message;
}

TEST(HuggingFaceFolder, FindsTensorsInOneFileAndInShards) {
  const TemporaryFolder folder;
  WriteTwoShards(folder);
  const auto sharded = HuggingFaceFolder::Open(folder.path());
  ASSERT_TRUE(sharded.has_value()) << sharded.error().message;
  EXPECT_EQ(sharded->tensors().size(), 3u);
  EXPECT_EQ(sharded->Find("b")->file->path(), folder.PathOf("model-00002-of-00002.safetensors"));
  EXPECT_THAT(ToFloats(*sharded->Find("c")->tensor), ElementsAre(1, 2));
  EXPECT_EQ(sharded->Find("d"), nullptr);
  EXPECT_EQ(sharded->size_bytes(), 24u);
  EXPECT_THAT(HuggingFaceFiles(*sharded),
              ElementsAre("config.json", "model-00001-of-00002.safetensors",
                          "model-00002-of-00002.safetensors", "model.safetensors.index.json"));
  folder.Write("model.safetensors", Holding({"d"}));
  folder.WriteJson("generation_config.json", json{{"eos_token_id", {4, 5}}});
  const auto whole = HuggingFaceFolder::Open(folder.path());
  ASSERT_TRUE(whole.has_value()) << whole.error().message;
  EXPECT_EQ(whole->tensors().size(), 1u);
  EXPECT_THAT(*whole->generation_config().Integers("eos_token_id"), ElementsAre(4, 5));
  EXPECT_THAT(HuggingFaceFiles(*whole),
              ElementsAre("config.json", "generation_config.json", "model.safetensors"));
}

TEST(HuggingFaceFolder, TensorsOutliveTheFolder) {
  const TemporaryFolder folder;
  WriteTwoShards(folder);
  std::shared_ptr<const HuggingFaceFolder::Shards> shards;
  const SafetensorsTensor* tensor = nullptr;
  {
    const auto opened = HuggingFaceFolder::Open(folder.path());
    shards = opened->shards();
    tensor = opened->Find("b")->tensor;
  }
  EXPECT_THAT(ToFloats(*tensor), ElementsAre(1, 2));
}

TEST(HuggingFaceFolder, NamesTheFileThatIsMissingOrDamaged) {
  const TemporaryFolder folder;
  EXPECT_THAT(Refusal(folder), AllOf(HasSubstr(folder.path() + ": "), HasSubstr("config.json")));
  folder.WriteJson("config.json", json{{"model_type", "llama"}});
  EXPECT_THAT(Refusal(folder), AllOf(HasSubstr("model.safetensors"), HasSubstr("fetch")));
  WriteTwoShards(folder);
  EXPECT_EQ(Refusal(folder), "");
  const std::string second = "model-00002-of-00002.safetensors";
  folder.Remove(second);
  EXPECT_THAT(Refusal(folder), AllOf(HasSubstr(folder.PathOf(second) + ": is missing"),
                                     HasSubstr("fetch the file into the folder")));
  folder.Write(second, Holding({"other"}));
  EXPECT_THAT(Refusal(folder), AllOf(HasSubstr(second), HasSubstr("tensor b is missing")));
  folder.Write(second, "cut");
  EXPECT_THAT(Refusal(folder), AllOf(HasSubstr(second), HasSubstr("at byte 0")));
  folder.Write("config.json", "{\"a\": ");
  EXPECT_THAT(Refusal(folder), AllOf(HasSubstr("config.json: at byte"), HasSubstr("not JSON")));
}

TEST(SafetensorsIndex, RefusesNamesThatLeadOutOfTheFolder) {
  for (const char* name : {"../x.safetensors", "/etc/x.safetensors", "a/b.safetensors",
                           ".safetensors", ".x.safetensors", "x.bin", ""}) {
    const auto index =
        ParseSafetensorsIndex(json{{"weight_map", {{"t", name}}}}.dump(), "x.index.json");
    ASSERT_FALSE(index.has_value()) << name;
    EXPECT_THAT(index.error().message, AllOf(HasSubstr("x.index.json: "), HasSubstr("tensor t")));
  }
}

TEST(SafetensorsIndex, RefusesWhatIsNoIndex) {
  for (const char* text : {"", "[]", "{}", R"({"weight_map": {}})", R"({"weight_map": 3})",
                           R"({"weight_map": {"t": 3}})", R"({"weight_map": {"t": {}}})"}) {
    const auto index = ParseSafetensorsIndex(text, "x.index.json");
    ASSERT_FALSE(index.has_value()) << text;
    EXPECT_THAT(index.error().message, HasSubstr("x.index.json: "));
  }
  json many;
  for (int i = 0; i < 1025; ++i)
    many["weight_map"][std::to_string(i)] = std::to_string(i) + ".safetensors";
  EXPECT_THAT(ParseSafetensorsIndex(many.dump(), "x").error().message, HasSubstr("1024 files"));
}

}  // namespace
}  // namespace tenon::model
