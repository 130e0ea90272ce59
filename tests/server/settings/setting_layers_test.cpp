#include "server/settings/setting_layers.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(SettingLayers, TheStrongerLayerHoldsAndTheWeakerOneComesBack) {
  Settings defaults;
  defaults.max_tokens = 5;
  SettingLayers layers(defaults);
  EXPECT_EQ(layers.Merge().settings.max_tokens, 5);
  layers.Set(SettingSource::kFlags, {{"temperature", 1}}, "--set");
  layers.Set(SettingSource::kUserFile, {{"maxTokens", 6}, {"temperature", 2}, {"seed", 1}}, "file");
  layers.Set(SettingSource::kInitialization, {{"maxTokens", 7}}, "init");
  layers.Set(SettingSource::kWorkspace, {{"maxTokens", 8}, {"temperature", 3}}, "workspace");
  MergedSettings merged = layers.Merge();
  EXPECT_EQ(merged.settings.max_tokens, 8);
  EXPECT_FLOAT_EQ(merged.settings.temperature, 1);
  EXPECT_EQ(merged.settings.seed, 1U);
  EXPECT_EQ(merged.origins.at("maxTokens"), "workspace");
  EXPECT_EQ(merged.origins.at("temperature"), "--set");
  EXPECT_EQ(merged.origins.at("seed"), "file");
  EXPECT_EQ(merged.origins.count("scope"), 0U);
  EXPECT_EQ(layers.Merge({{"maxTokens", 9}, {"temperature", 4}}).settings.max_tokens, 9);
  layers.Set(SettingSource::kWorkspace, nullptr, "workspace");
  EXPECT_EQ(layers.Merge().settings.max_tokens, 7);
}

TEST(SettingLayers, EveryProblemSaysWhereItIs) {
  SettingLayers layers;
  layers.AddProblem("config.toml: cannot be read");
  layers.Set(SettingSource::kUserFile, {{"maxtokens", 6}}, "config.toml");
  layers.Set(SettingSource::kWorkspace, {{"seed", -1}}, "the workspace's settings");
  const auto problems = layers.Merge().problems;
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0], "config.toml: cannot be read");
  EXPECT_EQ(problems[1], "'maxtokens' is not a setting; the nearest is 'maxTokens' (config.toml)");
  EXPECT_EQ(problems[2], "'seed' must be a whole number from 0 (the workspace's settings)");
}

// A folder that somebody else wrote may carry settings; it names no file that is opened or run.
TEST(SettingLayers, AWorkspaceNamesNoModelAndNoGrammar) {
  SettingLayers layers;
  layers.Set(SettingSource::kUserFile, {{"model", "small"}}, "config.toml");
  const json evil = {
      {"model", "/tmp/evil.gguf"}, {"grammars", {"/tmp"}}, {"adapter", "/tmp"}, {"threads", 200}};
  layers.Set(SettingSource::kWorkspace, evil, "the workspace's settings");
  MergedSettings merged = layers.Merge(evil);
  EXPECT_EQ(merged.settings.model, "small");
  EXPECT_TRUE(merged.settings.grammars.empty());
  EXPECT_FALSE(merged.settings.adapter);
  EXPECT_EQ(merged.settings.threads, 0);
  EXPECT_EQ(merged.problems.size(), 8U);
  // A log file is opened before a client speaks.
  layers.Set(SettingSource::kInitialization, {{"logFile", "/tmp/log"}}, "init");
  EXPECT_FALSE(layers.Merge().settings.log_file);
  EXPECT_EQ(layers.Merge().problems.size(), 5U);
  layers.Set(SettingSource::kInitialization, nullptr, "init");
  // The client sends what the user's own settings are, too: that is no problem.
  layers.Set(SettingSource::kWorkspace, {{"model", "small"}}, "the workspace's settings");
  EXPECT_TRUE(layers.Merge().problems.empty());
}

TEST(SettingLayers, TheCheckTakesOutWhatIsWrongAndTheProblemNamesTheLayer) {
  SettingLayers layers;
  layers.Set(SettingSource::kUserFile, {{"levels", {{"python", "new"}}}}, "a.toml");
  layers.SetCheck([](Settings& settings) {
    settings.levels.clear();
    return std::vector<SettingFault>{{"levels", "there is no such level"}};
  });
  const MergedSettings merged = layers.Merge();
  EXPECT_TRUE(merged.settings.levels.empty());
  EXPECT_EQ(merged.problems, std::vector<std::string>{"there is no such level (a.toml)"});
}

}  // namespace
}  // namespace tenon::server
