#include "server/models/model_folder.h"

#include <gtest/gtest.h>

#include "server/files/read_file.h"
#include "server/models/installed_models.h"
#include "server/models/model_choice.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

// A folder of two safetensors files of 3 and 4 bytes.
fs::path WriteModel(const TemporaryFolder& folder, const std::string& name) {
  folder.Write(name + "/config.json", "{}");
  folder.Write(name + "/a.safetensors", "abc");
  folder.Write(name + "/b.safetensors", "abcd");
  return folder.path() / name;
}

TEST(ModelFolder, HasAConfigAndTheBytesOfItsWeights) {
  const TemporaryFolder folder;
  const fs::path model = WriteModel(folder, "m");
  EXPECT_TRUE(IsModelFolder(model));
  EXPECT_FALSE(IsModelFolder(folder.path()));
  EXPECT_FALSE(IsModelFolder(model / "config.json"));
  EXPECT_EQ(ModelBytes(model), 7U);
  EXPECT_EQ(ModelBytes(model / "a.safetensors"), 3U);
  EXPECT_EQ(ModelBytes(folder.path() / "absent"), 0U);
  EXPECT_EQ(FilesOf(model).size(), 3U);
  EXPECT_EQ(EstimateMemoryBytesOf(model), EstimateMemoryBytes(0));  // 7 bytes are no block
}

TEST(ModelFolder, NeedsLessOfWiderWeights) {
  const TemporaryFolder folder;
  const fs::path model = WriteModel(folder, "m");
  folder.Write("m/a.safetensors", std::string(640, 'a'));
  EXPECT_EQ(EstimateMemoryBytesOf(model), EstimateMemoryBytes(20 * 17));
  for (const char* config : {R"({"torch_dtype": "float32"})", R"({"dtype": "float32"})"}) {
    folder.Write("m/config.json", config);
    EXPECT_EQ(EstimateMemoryBytesOf(model), EstimateMemoryBytes(10 * 17)) << config;
  }
  folder.Write("m/config.json", R"({"dtype": 3})");
  EXPECT_EQ(EstimateMemoryBytesOf(model), EstimateMemoryBytes(20 * 17));
}

TEST(ModelFolder, IsAddedWholeOrNotAtAll) {
  const TemporaryFolder folder;
  const fs::path source = WriteModel(folder, "source"), models = folder.path() / "models";
  // Hugging Face's cache has links in its folders.
  fs::rename(source / "a.safetensors", folder.path() / "blob");
  fs::create_symlink(folder.path() / "blob", source / "a.safetensors");
  const auto absent = AddModelFolder(source, {"config.json", "c.safetensors"}, "m", models);
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().find("c.safetensors"), std::string::npos) << absent.error();
  EXPECT_TRUE(fs::is_empty(models));
  const auto added = AddModelFolder(source, {"a.safetensors", "config.json"}, "m", models);
  ASSERT_TRUE(added) << added.error();
  EXPECT_EQ(*added, models / "m");
  EXPECT_FALSE(fs::is_symlink(*added / "a.safetensors"));
  EXPECT_EQ(*ReadFile((*added / "a.safetensors").string()), "abc");
  EXPECT_FALSE(fs::exists(*added / "b.safetensors"));
  const auto again = AddModelFolder(source, {"config.json"}, "m", models);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().find("tenon model remove m"), std::string::npos) << again.error();
}

TEST(ModelFolder, IsAModelByNameBesideFiles) {
  const TemporaryFolder folder;
  WriteModel(folder, "models/Qwen2.5-Coder");
  folder.Write("models/m.gguf", "weights");
  const fs::path models = folder.path() / "models";
  const InstalledModels installed = InstalledModels::In(models, {});
  ASSERT_EQ(installed.models().size(), 2U);
  ASSERT_NE(installed.Find("Qwen2.5-Coder"), nullptr);
  EXPECT_EQ(installed.Find("Qwen2.5-Coder")->file_bytes, 7U);
  // One name, one model.
  EXPECT_FALSE(AddModel(models / "m.gguf", "Qwen2.5-Coder", models));
  EXPECT_FALSE(AddModelFolder(models / "Qwen2.5-Coder", {"config.json"}, "m", models));
  EXPECT_TRUE(RemoveModel(*installed.Find("Qwen2.5-Coder")));
  EXPECT_FALSE(fs::exists(models / "Qwen2.5-Coder"));
}

TEST(ModelFolder, IsChosenByItsPath) {
  const TemporaryFolder folder;
  const fs::path model = WriteModel(folder, "m");
  const auto choice = ModelsAtHand().Named(model.string());
  ASSERT_TRUE(choice) << choice.error();
  EXPECT_EQ(choice->path, model);
  EXPECT_EQ(choice->memory_bytes, EstimateMemoryBytesOf(model));
}

}  // namespace
}  // namespace tenon::server
