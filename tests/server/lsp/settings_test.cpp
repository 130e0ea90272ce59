#include "server/lsp/settings.h"

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
                                      {"temperature", 0.5},
                                      {"constraint", "left"},
                                      {"scope", "line"},
                                      {"levels", {{"python", "since_3_12"}}},
                                      {"multiline", false}},
                                     defaults);
  EXPECT_TRUE(read.problems.empty());
  EXPECT_EQ(read.settings.model, "/m.gguf");
  EXPECT_EQ(read.settings.grammars, (std::vector<std::string>{"/a", "b.lark"}));
  EXPECT_EQ(read.settings.max_tokens, 12);
  EXPECT_EQ(read.settings.automatic_budget, std::chrono::milliseconds(250));
  EXPECT_EQ(read.settings.invoked_budget, std::chrono::minutes(10));
  EXPECT_FLOAT_EQ(read.settings.temperature, 0.5F);
  EXPECT_EQ(read.settings.constraint, ConstraintMode::kLeft);
  EXPECT_EQ(read.settings.scope, Scope::kLine);
  EXPECT_EQ(read.settings.levels.at("python"), "since_3_12");
  EXPECT_EQ(read.settings.multiline, false);
  EXPECT_EQ(read.settings.seed, 9U);
  EXPECT_TRUE(SettingsFromJson(nullptr, defaults).problems.empty());
}

TEST(Settings, EveryWrongMemberIsNamedAndLeftAtItsDefault) {
  const json wrong = {{"model", ""},
                      {"maxTokens", 4097},
                      {"temperature", -1},
                      {"seed", -1},
                      {"constraint", "on"},
                      {"multiline", "false"},
                      {"scope", "file"},
                      {"unknown", 1},
                      {"grammars", {1}},
                      {"levels", {{"go", 1}}},
                      {"completion.automaticBudgetMs", 0},
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
  EXPECT_EQ(read.settings.max_tokens, 64);
  EXPECT_EQ(read.settings.automatic_budget, std::chrono::milliseconds(300));
  EXPECT_EQ(read.settings.invoked_budget, std::chrono::seconds(2));
  EXPECT_EQ(SettingsFromJson(json::array(), {}).problems.size(), 1U);
}

}  // namespace
}  // namespace tenon::server
