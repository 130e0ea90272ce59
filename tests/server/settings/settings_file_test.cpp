#include "server/settings/settings_file.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "server/settings/settings.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(SettingsFile, TomlIsReadAsTheSettingsThatItNames) {
  TemporaryFolder folder;
  const std::string path = folder.Write("config.toml", R"(maxTokens = 32
temperature = 0.5
grammars = ["a.lark"]
levels.python = "since_3_12"
[completion]
automaticBudgetMs = 250
enabled = false
[languages]
"*" = false
)");
  const auto read = ReadSettingsFile(path, true);
  ASSERT_TRUE(read) << read.error();
  const ReadSettings settings = SettingsFromJson(*read, {});
  EXPECT_TRUE(settings.problems.empty());
  EXPECT_EQ(settings.settings.max_tokens, 32);
  EXPECT_FLOAT_EQ(settings.settings.temperature, 0.5F);
  EXPECT_EQ(settings.settings.grammars, std::vector<std::string>{"a.lark"});
  EXPECT_EQ(settings.settings.levels.at("python"), "since_3_12");
  EXPECT_EQ(settings.settings.automatic_budget.count(), 250);
  EXPECT_FALSE(settings.settings.list_enabled);
  EXPECT_FALSE(settings.settings.IsOn("go"));
}

TEST(SettingsFile, AFaultIsToldWithItsPlace) {
  TemporaryFolder folder;
  const auto error = [](const std::string& path) { return ReadSettingsFile(path, true).error(); };
  const std::string broken = folder.Write("config.toml", "seed = 1\nscope = line\n");
  EXPECT_NE(error(broken).find(broken + ":2:"), std::string::npos) << error(broken);
  EXPECT_NE(error("/nowhere/x.toml").find("No such file"), std::string::npos);
  EXPECT_NE(error(folder.path().string()).find("is a folder"), std::string::npos);
  const std::string large = folder.Write("large.toml", std::string(kMaxSettingsFileBytes + 1, '#'));
  EXPECT_NE(error(large).find("name a smaller file"), std::string::npos);
  const std::string deep = folder.Write("deep.toml", "a = " + std::string(100'000, '['));
  EXPECT_NE(error(deep).find(deep + ":1:"), std::string::npos);
  // Each part of such a name is a table in the table before it.
  std::string parts = "a";
  for (int i = 0; i < 200'000; ++i) parts += ".a";
  for (const std::string& text : {"[" + parts + "]\nb = 1\n", parts + " = 1\n"}) {
    const std::string nested = folder.Write("nested.toml", text);
    EXPECT_NE(error(nested).find("more than 10000 dots"), std::string::npos) << error(nested);
  }
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(error(pipe).find("is a pipe"), std::string::npos);
}

TEST(SettingsFile, AFileMayHaveThousandsOfDotsInItsTextsAndComments) {
  TemporaryFolder folder;
  const std::string dots(2000, '.');
  const std::string text = "# " + dots + "\nmodel = \"a\\\"" + dots + "\"\nadapter = '" + dots +
                           "'\nlogFile = \"\"\"\n" + dots + "\"\"\"\"\nseed = 3\n";
  const auto read = ReadSettingsFile(folder.Write("config.toml", text), true);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ((*read)["seed"], 3);
  EXPECT_EQ((*read)["logFile"], dots + "\"");
}

TEST(SettingsFile, WithoutAFileNothingIsSaid) {
  EXPECT_EQ(ReadSettingsFile("/nowhere/config.toml", false), json(nullptr));
}

TEST(SettingsFile, DatesAreTexts) {
  TemporaryFolder folder;
  const auto read = ReadSettingsFile(folder.Write("config.toml", "seed = 2026-11-24\n"), true);
  EXPECT_EQ(*read, (json{{"seed", "2026-11-24"}}));
}

}  // namespace
}  // namespace tenon::server
