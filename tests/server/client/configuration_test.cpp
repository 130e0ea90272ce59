// What dialogues do not show: answers that come late or broken.
#include "server/client/configuration.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

class ConfigurationTest : public testing::Test {
 protected:
  void Answer(size_t i, json result) {
    requests_.OnResponse({sent_.at(i)["id"].get<std::string>(), std::nullopt, std::move(result)});
  }

  std::vector<json> sent_;
  int changes_ = 0;
  ClientRequests requests_{[this](const json& message) { sent_.push_back(message); }};
  Configuration configuration_{SettingLayers(), requests_, [this] { ++changes_; }};
};

TEST_F(ConfigurationTest, OnlyTheAnswerToTheLastQuestionCounts) {
  configuration_.OnInitialize({{"capabilities", {{"workspace", {{"configuration", true}}}}}});
  configuration_.OnInitialized();
  configuration_.OnDidChangeConfiguration({{"settings", nullptr}});
  ASSERT_EQ(sent_.size(), 2U);
  Answer(1, {{{"seed", 2}}});
  Answer(0, {{{"seed", 1}}});
  EXPECT_EQ(configuration_.settings().seed, 2U);
  configuration_.OnDidChangeConfiguration({{"settings", json::object()}});
  configuration_.OnDidChangeConfiguration({{"settings", {{"seed", 3}}}});
  Answer(2, {{{"seed", 1}}});
  EXPECT_EQ(configuration_.settings().seed, 3U);
  EXPECT_EQ(changes_, 2);
}

TEST_F(ConfigurationTest, AnAnswerThatIsNoneLeavesWhatHolds) {
  configuration_.OnInitialize({{"initializationOptions", {{"seed", 5}}},
                               {"capabilities", {{"workspace", {{"configuration", true}}}}},
                               {"workspaceFolders", {{{"uri", "file:///a"}}, 1, {{"uri", 2}}}}});
  for (const json& result : {json(), json::array(), json(7), json::object()}) {
    configuration_.OnDidChangeConfiguration(nullptr);
    Answer(sent_.size() - 1, result);
    EXPECT_EQ(configuration_.settings().seed, 5U) << result;
  }
  EXPECT_TRUE(configuration_.TakeProblems().empty());
  // Fewer answers than questions: the root has what the workspace has.
  configuration_.OnInitialized();
  Answer(sent_.size() - 1, {{{"seed", 6}}});
  EXPECT_EQ(configuration_.SettingsOf("file:///a/b.py").seed, 6U);
}

TEST_F(ConfigurationTest, WhatIsWrongIsTakenOnce) {
  configuration_.OnDidChangeConfiguration({{"settings", {{"tenon", {{"sed", 1}, {"seed", -1}}}}}});
  EXPECT_EQ(configuration_.TakeProblems().size(), 2U);
  configuration_.OnDidChangeConfiguration({{"settings", {{"tenon", {{"sed", 1}, {"scop", 1}}}}}});
  EXPECT_EQ(configuration_.TakeProblems().size(), 1U);
  EXPECT_TRUE(configuration_.TakeProblems().empty());
}

TEST_F(ConfigurationTest, ASettingOfOneRootHoldsSomewhere) {
  const auto is_anywhere = [this](uint64_t seed) {
    return configuration_.IsAnywhere([seed](const Settings& each) { return each.seed == seed; });
  };
  configuration_.OnInitialize({{"capabilities", {{"workspace", {{"configuration", true}}}}},
                               {"workspaceFolders", {{{"uri", "file:///a"}}}}});
  configuration_.OnInitialized();
  Answer(0, {{{"seed", 2}}, {{"seed", 3}}});
  EXPECT_TRUE(is_anywhere(2));
  EXPECT_TRUE(is_anywhere(3));
  EXPECT_FALSE(is_anywhere(4));
}

TEST_F(ConfigurationTest, AFolderThatGoesTakesItsSettingsAlong) {
  configuration_.OnInitialize({{"capabilities", {{"workspace", {{"configuration", true}}}}},
                               {"workspaceFolders", {{{"uri", "file:///a"}}}}});
  configuration_.OnInitialized();
  Answer(0, {{{"seed", 2}}, {{"seed", 3}}});
  changes_ = 0;
  configuration_.OnDidChangeWorkspaceFolders(
      {{"event", {{"removed", {{{"uri", "file:///a"}}}}, {"added", json::array()}}}});
  EXPECT_EQ(configuration_.SettingsOf("file:///a/b.py").seed, 2U);
  EXPECT_EQ(changes_, 1) << "questions under the folder's settings are superseded";
}

TEST_F(ConfigurationTest, TheAbilitiesThatAClientNamesAreNoSettings) {
  configuration_.OnInitialize({{"initializationOptions", {{"experimental", {{"status", true}}}}}});
  EXPECT_TRUE(configuration_.TakeProblems().empty());
}

}  // namespace
}  // namespace tenon::server
