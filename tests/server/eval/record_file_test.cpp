#include "server/eval/record_file.h"

#include <gtest/gtest.h>

#include "server/files/read_file.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

class RecordFileTest : public testing::Test {
 protected:
  std::string Path() const { return (folder_.path() / "run.jsonl").string(); }
  static auto Open(const std::optional<std::filesystem::path>& path, const json& settings) {
    return RecordFile::Open(path, settings, [](const json& record) {
      return record.contains("path") && record["path"].is_string();
    });
  }
  std::string ErrorOf(const json& settings) const {
    const auto file = Open(Path(), settings);
    return file ? "" : file.error();
  }

  TemporaryFolder folder_;
  const json settings_ = {{"eval", "gaps"}, {"seed", 1}};
};

TEST_F(RecordFileTest, KeepsRecordsFromRunToRun) {
  {
    auto file = Open(Path(), settings_);
    ASSERT_TRUE(file) << file.error();
    EXPECT_TRUE(file->earlier().empty());
    EXPECT_TRUE(file->Append({{"path", "a"}}));
    EXPECT_EQ(*ReadFile(Path()),
              "{\"settings\":{\"eval\":\"gaps\",\"seed\":1},\"tenon_eval\":1}\n{\"path\":\"a\"}\n")
        << "each record is on disk before the next";
  }
  {
    auto file = Open(Path(), settings_);
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->earlier(), (std::vector<json>{{{"path", "a"}}}));
    EXPECT_TRUE(file->Append({{"path", "b"}}));
  }
  EXPECT_EQ(Open(Path(), settings_)->earlier(),
            (std::vector<json>{{{"path", "a"}}, {{"path", "b"}}}));
}

TEST_F(RecordFileTest, TakesOutALineThatAKilledRunLeft) {
  folder_.Write("run.jsonl", json({{"tenon_eval", 1}, {"settings", settings_}}).dump() +
                                 "\n{\"path\":\"a\"}\n{\"path\":\"b");
  {
    auto file = Open(Path(), settings_);
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(file->earlier(), (std::vector<json>{{{"path", "a"}}}));
    EXPECT_TRUE(file->Append({{"path", "c"}}));
  }
  EXPECT_EQ(Open(Path(), settings_)->earlier(),
            (std::vector<json>{{{"path", "a"}}, {{"path", "c"}}}));
}

TEST_F(RecordFileTest, RefusesOtherSettingsAndNamesThem) {
  ASSERT_TRUE(Open(Path(), settings_));
  const std::string error = ErrorOf({{"eval", "gaps"}, {"seed", 2}, {"lines", 4}});
  EXPECT_NE(error.find("run.jsonl: holds results of other settings"), std::string::npos) << error;
  EXPECT_NE(error.find("seed is 1 there and 2 now"), std::string::npos) << error;
  EXPECT_NE(error.find("lines is missing there and 4 now"), std::string::npos) << error;
  EXPECT_EQ(error.find("eval is"), std::string::npos) << error;
  EXPECT_EQ(ErrorOf(settings_), "");
}

TEST_F(RecordFileTest, LeavesOtherFilesAsTheyAre) {
  for (const std::string text : {"no line end", "some notes\nof mine\n", "{\"a\": 1}\n{\"b\": 2}",
                                 "{\"tenon_eval\": 2, \"settings\": {}}\n"}) {
    folder_.Write("run.jsonl", text);
    EXPECT_NE(ErrorOf(settings_).find("not a file of results"), std::string::npos) << text;
    EXPECT_EQ(*ReadFile(Path()), text);
  }
  folder_.Write("run.jsonl", "");
  EXPECT_EQ(ErrorOf(settings_), "") << "an empty file is taken";
}

TEST_F(RecordFileTest, NamesTheLineThatIsNoResult) {
  folder_.Write("run.jsonl", json({{"tenon_eval", 1}, {"settings", settings_}}).dump() +
                                 "\n{\"path\":\"a\"}\n{\"path\":7}\n");
  const std::string error = ErrorOf(settings_);
  EXPECT_NE(error.find("run.jsonl:3: not a result"), std::string::npos) << error;
  EXPECT_NE(error.find("--resume"), std::string::npos) << error;
}

TEST_F(RecordFileTest, SaysThatItCannotBeWritten) {
  const auto file = Open("/nowhere/run.jsonl", settings_);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().find("/nowhere/run.jsonl: cannot be written"), std::string::npos);
}

TEST_F(RecordFileTest, WithoutAPathKeepsNothing) {
  auto file = Open(std::nullopt, settings_);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->Append({{"path", "a"}}));
  EXPECT_TRUE(file->earlier().empty());
}

}  // namespace
}  // namespace tenon::server
