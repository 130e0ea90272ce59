#include "server/settings/settings.h"
#include "tests/source_path.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(Settings, GoodMembersAreTakenAndTheRestStaysDefault) {
  Settings defaults;
  defaults.seed = 9;
  const auto read = SettingsFromJson({{"model", "/m.gguf"},
                                      {"grammars", {"/a", "b.lark"}},
                                      {"maxTokens", 12},
                                      {"completion.automaticBudgetMs", 250},
                                      {"completion.invokedBudgetMs", 600000},
                                      {"candidates", 8},
                                      {"sureness", 0.25},
                                      {"temperature", 0.5},
                                      {"constraint", "left"},
                                      {"scope", "line"},
                                      {"levels", {{"python", "since_3_12"}}},
                                      {"multiline", false},
                                      {"workAhead", false},
                                      {"otherFiles", false},
                                      {"anyLanguage", true}},
                                     defaults);
  EXPECT_TRUE(read.problems.empty());
  EXPECT_EQ(read.settings.model, "/m.gguf");
  EXPECT_EQ(read.settings.grammars, (std::vector<std::string>{"/a", "b.lark"}));
  EXPECT_EQ(read.settings.max_tokens, 12);
  EXPECT_EQ(read.settings.automatic_budget, std::chrono::milliseconds(250));
  EXPECT_EQ(read.settings.invoked_budget, std::chrono::minutes(10));
  EXPECT_EQ(read.settings.candidates, 8);
  EXPECT_EQ(read.settings.sureness, 0.25);
  EXPECT_FLOAT_EQ(read.settings.temperature, 0.5F);
  EXPECT_EQ(read.settings.constraint, ConstraintMode::kLeft);
  EXPECT_EQ(read.settings.scope, Scope::kLine);
  EXPECT_EQ(read.settings.levels.at("python"), "since_3_12");
  EXPECT_EQ(read.settings.multiline, false);
  EXPECT_FALSE(read.settings.work_ahead);
  EXPECT_FALSE(read.settings.other_files);
  EXPECT_TRUE(read.settings.any_language);
  EXPECT_EQ(read.settings.seed, 9U);
  EXPECT_TRUE(SettingsFromJson(nullptr, defaults).problems.empty());
}

TEST(Settings, NamesMayBeNestedAtTheirDotsAndUnderTenon) {
  for (const json& values : {json{{"completion.enabled", false}, {"seed", 1}},
                             json{{"completion", {{"enabled", false}}}, {"seed", 1}},
                             json{{"tenon", {{"completion", {{"enabled", false}}}, {"seed", 1}}}},
                             json{{"tenon", {{"completion.enabled", false}}}, {"seed", 1}},
                             json{{"tenon.completion.enabled", false}, {"tenon.seed", 1}}}) {
    const auto read = SettingsFromJson(values, {});
    EXPECT_TRUE(read.problems.empty()) << values << read.problems[0];
    EXPECT_FALSE(read.settings.list_enabled) << values;
    EXPECT_EQ(read.settings.seed, 1U) << values;
    EXPECT_EQ(read.names, (std::vector<std::string>{"completion.enabled", "seed"}));
  }
}

TEST(Settings, TheSectionStandsAtTheTopAlone) {
  json deep = {{"seed", 1}};
  for (int i = 0; i < 1000; ++i) deep = {{"tenon", std::move(deep)}};
  EXPECT_EQ(SettingsFromJson(deep, {}).problems.size(), 1U);
}

TEST(Settings, AWrongNameIsToldTheNearestRightOne) {
  const auto problem = [](const char* name) {
    return SettingsFromJson({{name, 1}}, {}).problems.at(0);
  };
  EXPECT_EQ(problem("maxtoken"), "'maxtoken' is not a setting; the nearest is 'maxTokens'");
  EXPECT_EQ(problem("automaticBudgetMs"),
            "'automaticBudgetMs' is not a setting; the nearest is 'completion.automaticBudgetMs'");
  EXPECT_EQ(problem("zzzzzzzzzzzz"), "'zzzzzzzzzzzz' is not a setting");
  EXPECT_EQ(problem("levels.python"),
            "'levels.python' is not a setting; 'levels' must be an object of language ids with the "
            "level of each, such as {\"python\": \"since_3_12\"}");
  EXPECT_EQ(problem("completion"),
            "'completion' must be an object with enabled, automaticBudgetMs, invokedBudgetMs");
  const std::string large(size_t{10} << 20, 'x');
  EXPECT_EQ(problem(large.c_str()), "a name of 10485760 bytes is not a setting");
}

TEST(Settings, WhatIsTheClientsOwnIsLeftToIt) {
  const auto read = SettingsFromJson(
      {{"tenon",
        {{"server", {{"path", "/bin/tenon"}}}, {"trace", {{"server", "off"}}}, {"seed", 1}}},
       {"tenon.server.arguments", json::array()}},
      {});
  EXPECT_TRUE(read.problems.empty());
  EXPECT_EQ(read.settings.seed, 1U);
}

TEST(Settings, NullCountsAsNotGiven) {
  const auto read = SettingsFromJson({{"seed", nullptr}, {"tenon", {{"scope", nullptr}}}}, {});
  EXPECT_TRUE(read.problems.empty());
  EXPECT_TRUE(read.names.empty());
}

TEST(Settings, WhatIsWrittenIsReadBackForEachOfThem) {
  for (const SettingDescription& setting : AllSettings()) {
    const json value = ValueOf(setting.name, {});
    if (value.is_null()) continue;
    const auto read = SettingsFromJson({{std::string(setting.name), value}}, {});
    EXPECT_TRUE(read.problems.empty()) << setting.name;
    EXPECT_EQ(read.settings, Settings()) << setting.name;
    EXPECT_FALSE(setting.about.empty());
  }
}

TEST(Settings, EachHasARowInTheTableOfTheDocuments) {
  std::ifstream in(SourcePath("docs/settings.md"));
  std::stringstream page;
  page << in.rdbuf();
  size_t at = 0;
  for (const SettingDescription& setting : AllSettings()) {
    const size_t row = page.str().find("| `" + std::string(setting.name) + "` |", at);
    EXPECT_NE(row, std::string::npos) << setting.name << " is missing, or in another order";
    if (row != std::string::npos) at = row;
  }
}

TEST(Settings, NameAServerInTheUsersFileAlone) {
  const json remote = {{"remote", {{"kind", "llama.cpp"}, {"url", "http://a"}, {"key", "s3cret"}}}};
  const ReadSettings own = SettingsFromJson(remote, {}, SettingGiver::kProgram);
  EXPECT_TRUE(own.problems.empty());
  EXPECT_EQ(own.settings.remote.url, "http://a");
  EXPECT_TRUE(own.settings.remote.wanted());
  EXPECT_EQ(ValueOf("remote.key", own.settings), "(not shown)");
  for (const SettingGiver giver : {SettingGiver::kUser, SettingGiver::kWorkspace}) {
    const ReadSettings read = SettingsFromJson(remote, {}, giver);
    EXPECT_FALSE(read.settings.remote.wanted());
    ASSERT_EQ(read.problems.size(), 3U);
    for (const std::string& problem : read.problems) {
      EXPECT_NE(problem.find("says where code is sent"), std::string::npos) << problem;
      EXPECT_EQ(problem.find("s3cret"), std::string::npos) << problem;
    }
  }
}

TEST(Settings, ALanguageIsOnUnlessItOrAllOthersAreOff) {
  Settings settings;
  EXPECT_TRUE(settings.IsOn("go"));
  settings.languages = {{"*", false}, {"python", true}};
  EXPECT_FALSE(settings.IsOn("go"));
  EXPECT_TRUE(settings.IsOn("python"));
  settings.enabled = false;
  EXPECT_FALSE(settings.IsOn("python"));
}

TEST(Settings, EveryWrongMemberIsNamedAndLeftAtItsDefault) {
  const json wrong = {{"model", ""},
                      {"maxTokens", 4097},
                      {"candidates", 9},
                      {"sureness", 1.5},
                      {"temperature", -1},
                      {"seed", -1},
                      {"constraint", "on"},
                      {"multiline", "false"},
                      {"workAhead", 0},
                      {"otherFiles", "all"},
                      {"anyLanguage", 1},
                      {"scope", "file"},
                      {"unknown", 1},
                      {"grammars", {1}},
                      {"levels", {{"go", 1}}},
                      {"completion.automaticBudgetMs", 0},
                      {"enabled", 1},
                      {"completion.enabled", "yes"},
                      {"inlineCompletion.enabled", 0},
                      {"languages", {{"json", "on"}}},
                      {"log", "loud"},
                      {"logFile", 1},
                      {"cacheMb", 0},
                      {"adapter", 1},
                      {"threads", 257},
                      {"engine", "gpu"},
                      {"device", "cuda:0"},
                      {"completion.invokedBudgetMs", 600001}};
  const auto read = SettingsFromJson(wrong, {});
  EXPECT_EQ(read.problems.size(), wrong.size());
  for (const auto& [name, value] : wrong.items()) {
    bool named = false;
    for (const auto& problem : read.problems)
      named = named || problem.find("'" + name + "'") != std::string::npos;
    EXPECT_TRUE(named) << name;
  }
  EXPECT_FALSE(read.settings.model.has_value());
  EXPECT_EQ(read.settings.max_tokens, kUsualMaxTokens);
  EXPECT_EQ(read.settings.automatic_budget, std::chrono::milliseconds(300));
  EXPECT_EQ(read.settings.invoked_budget, std::chrono::seconds(2));
  EXPECT_EQ(SettingsFromJson(json::array(), {}).problems.size(), 1U);
}

}  // namespace
}  // namespace tenon::server
