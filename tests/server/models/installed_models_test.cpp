#include "server/models/installed_models.h"

#include <gtest/gtest.h>

#include "server/files/read_file.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> FilesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(InstalledModels, AreTheFilesWithANameOfAModelTheLargestFirst) {
  TemporaryFolder folder;
  const fs::path registry_file = folder.Write("registry.json", R"({"models": [
      {"name": "small", "bytes": 3, "memory_bytes": 40, "adapter": "lora"},
      {"name": "large", "bytes": 9, "memory_bytes": 900000000}]})");
  const ModelRegistry registry = *ModelRegistry::Load(registry_file);
  EXPECT_TRUE(InstalledModels::In(folder.path() / "models", registry).models().empty());
  folder.Write("models/small.gguf", "abc");
  folder.Write("models/large.gguf", "abcdefghi");
  folder.Write("models/added.gguf", "abcd");
  folder.Write("models/.large.gguf.x7", "unfinished");
  folder.Write("models/.hidden.gguf", "unfinished");
  folder.Write("models/small.gguf.made-from", "stamp");
  fs::create_directory(folder.path() / "models" / "folder.gguf");
  const InstalledModels installed = InstalledModels::In(folder.path() / "models", registry);
  ASSERT_EQ(installed.models().size(), 3U);
  EXPECT_EQ(installed.models()[0].name, "large");
  EXPECT_EQ(installed.models()[1].name, "added");
  EXPECT_EQ(installed.models()[1].memory_bytes, EstimateMemoryBytes(4));
  EXPECT_EQ(installed.models()[2].name, "small");
  EXPECT_EQ(installed.Find("small")->file_bytes, 3U);
  EXPECT_EQ(installed.Find("small")->memory_bytes, 40U);
  EXPECT_EQ(installed.Find("small")->adapter, folder.path() / "lora");
  EXPECT_EQ(installed.Find("added")->adapter, std::nullopt);
  EXPECT_EQ(installed.Find("folder"), nullptr);
}

TEST(InstalledModels, HaveTheHashesBesideTheirFiles) {
  TemporaryFolder folder;
  const std::string hash = std::string(62, '0') + "ab", shouted = std::string(62, '0') + "AB";
  folder.Write("a.gguf", "a");
  folder.Write("a.gguf.sha256", shouted + "  a.gguf\n");
  folder.Write("b.gguf", "b");
  folder.Write("b.gguf.sha256", "12ab");
  const InstalledModels installed = InstalledModels::In(folder.path(), {});
  EXPECT_EQ(installed.Find("a")->sha256, hash);
  EXPECT_EQ(installed.Find("b")->sha256, "") << "half a hash";
}

TEST(InstalledModels, AnUnknownFileNeedsItsWeightsAndMore) {
  EXPECT_EQ(EstimateMemoryBytes(0), 150'000'000U);
  EXPECT_EQ(EstimateMemoryBytes(100'000'000), 115'000'000U + 150'000'000U);
  EXPECT_EQ(EstimateMemoryBytes(1'000'000'000), 1'150'000'000U + 150'000'000U);
}

TEST(InstalledModels, NamesCannotLeaveTheFolderOrLookLikePaths) {
  for (const char* name : {"a", "qwen2.5-coder-1.5b", "My_Model.v2"})
    EXPECT_EQ(WhyNoModelName(name), std::nullopt) << name;
  for (const char* name : {"", ".", "..", "../a", "a/b", "-a", ".a", "a.gguf", "a b", "ä"})
    EXPECT_NE(WhyNoModelName(name), std::nullopt) << name;
  EXPECT_NE(WhyNoModelName(std::string(101, 'a')), std::nullopt);
}

TEST(InstalledModels, AFileIsAddedOnceAndRemoved) {
  TemporaryFolder folder;
  const std::string file = folder.Write("download.gguf", "weights");
  const fs::path models = folder.path() / "models";
  const auto added = AddModel(file, "mine", models);
  ASSERT_TRUE(added) << added.error();
  EXPECT_EQ(*added, models / "mine.gguf");
  EXPECT_EQ(*ReadFile(added->string()), "weights");
  const auto again = AddModel(file, "mine", models);
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().find("tenon model remove mine"), std::string::npos) << again.error();
  const auto absent = AddModel(folder.path() / "absent.gguf", "other", models);
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().find("absent.gguf"), std::string::npos) << absent.error();

  folder.Write("models/mine.gguf.made-from", "stamp");
  EXPECT_TRUE(RemoveModel(*InstalledModels::In(models, {}).Find("mine")));
  EXPECT_TRUE(FilesIn(models).empty());
  EXPECT_EQ(*ReadFile(file), "weights");
}

TEST(InstalledModels, ACopyAppearsWholeOrNotAtAll) {
  TemporaryFolder folder;
  const std::string file = folder.Write("download.gguf", "weights");
  const fs::path models = folder.path() / "models", target = models / "mine.gguf";
  fs::create_directory(models);
  const auto no_room = CopyModel(file, target, 6);
  ASSERT_FALSE(no_room);
  EXPECT_NE(no_room.error().find("are needed"), std::string::npos) << no_room.error();
  EXPECT_TRUE(FilesIn(models).empty());
  EXPECT_TRUE(CopyModel(file, target, 7));
  EXPECT_EQ(FilesIn(models), std::vector<std::string>{"mine.gguf"});
  EXPECT_EQ(*ReadFile(target.string()), "weights");
  EXPECT_FALSE(CopyModel(file, folder.path() / "absent" / "mine.gguf", 7));
}

}  // namespace
}  // namespace tenon::server
