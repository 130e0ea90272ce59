#include "server/languages/language_settings.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

class LanguageSettingsTest : public testing::Test {
 protected:
  LanguageSettingsTest() {
    folder_.Write("languages.json", R"({"new": {"grammar": "new.lark"},
      "plain": {"grammar": "plain.lark"}, "broken": {"grammar": "broken.lark"},
      "syntax": {"syntax": "c"}})");
    folder_.Write("new.lark",
                  "start: \"a\" | \"b\"#since_2 | \"c\"#since_3\n%levels since_2 since_3\n");
    folder_.Write("plain.lark", "start: \"a\"\n");
    folder_.Write("broken.lark", "start:");
    languages_ = *LanguageRegistry::Load(folder_.path());
  }

  // The only fault of this entry of `levels`, which is taken out; empty where it is right.
  std::string FaultOf(const std::string& language, const std::string& level) const {
    Settings settings;
    settings.levels = {{language, level}, {"new", "since_2"}};
    settings.levels[language] = level;
    const auto faults = TakeOutWrongLevels(*languages_, settings);
    EXPECT_EQ(settings.levels.contains(language), faults.empty());
    if (faults.empty()) return "";
    EXPECT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].setting, "levels");
    return faults[0].message;
  }

  TemporaryFolder folder_;
  std::shared_ptr<const LanguageRegistry> languages_;
};

TEST_F(LanguageSettingsTest, ALevelThatThereIsStays) { EXPECT_EQ(FaultOf("new", "since_3"), ""); }

TEST_F(LanguageSettingsTest, AWrongLevelIsTakenOutAndToldTheRightOnes) {
  EXPECT_EQ(
      FaultOf("new", "since3"),
      "'levels' gives 'new' the level 'since3', which is none of since_2, since_3; the nearest "
      "is 'since_3'");
  EXPECT_EQ(FaultOf("new", "zz"),
            "'levels' gives 'new' the level 'zz', which is none of since_2, since_3");
}

TEST_F(LanguageSettingsTest, ALanguageWithoutLevelsIsTold) {
  EXPECT_EQ(FaultOf("plane", "x"),
            "'levels' names the language 'plane', which is not known; the nearest is 'plain'");
  EXPECT_EQ(FaultOf("plain", "x"),
            "'levels' names 'plain', a language whose grammar has no levels");
  EXPECT_EQ(FaultOf("syntax", "x"),
            "'levels' names 'syntax', a language without a grammar and levels");
}

TEST_F(LanguageSettingsTest, AGrammarThatDoesNotCompileIsNoFaultOfTheSetting) {
  EXPECT_EQ(FaultOf("broken", "x"), "");
}

TEST_F(LanguageSettingsTest, APathThatAddsNoLanguageIsTakenOutAndTold) {
  const std::string good = folder_.Write("good.lark", "start: \"a\"\n");
  folder_.Write("wrong/languages.json", "[]");
  const std::string wrong = (folder_.path() / "wrong").string();
  Settings settings;
  settings.grammars = {"/none", good, folder_.path().string(), "/none.lark", wrong};
  const auto faults = TakeOutWrongGrammars(*languages_, settings);
  EXPECT_EQ(settings.grammars, (std::vector<std::string>{good, folder_.path().string()}));
  ASSERT_EQ(faults.size(), 3U);
  EXPECT_EQ(faults[0].setting, "grammars");
  EXPECT_EQ(faults[0].message,
            "'grammars' names /none, which is neither a grammar file NAME.lark nor a folder with a "
            "languages.json");
  EXPECT_EQ(faults[1].message.rfind("'grammars': /none.lark: ", 0), 0U) << faults[1].message;
  EXPECT_EQ(faults[2].message.rfind("'grammars': " + wrong + "/languages.json: ", 0), 0U)
      << faults[2].message;
}

}  // namespace
}  // namespace tenon::server
