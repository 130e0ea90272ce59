// Completions by scripted models: what ends a middle, and that every middle fits.
#include "tenon/complete.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/constraint/library/scripted_model.h"
#include "tests/constraint/library/test_languages.h"
#include "tests/oracle/seed.h"
#include "tests/token_ids.h"

namespace tenon {
namespace {

const std::vector<std::string> kTokens = {"",  "a", "b",  "1",  "(",  ")",    ",",   ";", " ",
                                          "{", "}", "a)", "g(", "\n", ");\n", ", b", "ab"};
constexpr uint32_t kEnd = 0;
constexpr uint32_t kPrompt = 1;  // one token

uint32_t IdOf(const std::string& token) {
  const auto found = std::find(kTokens.begin(), kTokens.end(), token);
  EXPECT_NE(found, kTokens.end()) << token;
  return static_cast<uint32_t>(found - kTokens.begin());
}

// After each text the wishes of this step, the strongest first; then no token is likelier than
// another.
ScriptedModel::Script Wishes(std::vector<std::vector<std::string>> steps) {
  return [steps = std::move(steps)](const std::vector<TokenId>& text) {
    std::vector<float> logits(kTokens.size(), -50);
    const size_t step = text.size() - kPrompt;
    float logit = 0;
    if (step < steps.size()) {
      for (const std::string& token : steps[step]) logits[IdOf(token)] = logit -= 1;
    }
    return logits;
  };
}

struct Asked {
  const char* left;
  const char* right;
  uint32_t most_tokens = 20;
};

Result<std::optional<Completion>> Ask(TokenModel& model, const Asked& asked,
                                      GapOptions options = {}) {
  static const Language kLanguage = Compiled(kBlocks);
  static const MaskStore kStore = MaskStore::Build(kLanguage, Vocabulary(kTokens));
  Masker masker(kStore);
  const Gap gap = Gap::Open(kLanguage, asked.left, asked.right, std::move(options));
  return Complete(model, TokensOf({3}), gap, masker, {asked.most_tokens, TokensOf({kEnd})});
}

// The middle that a model with these wishes writes; its tokens, and "!" where the model ended it.
std::string Written(const Asked& asked, std::vector<std::vector<std::string>> steps) {
  ScriptedModel model(Wishes(std::move(steps)));
  const auto done = Ask(model, asked);
  if (!done || !*done) return "nothing";
  return (*done)->middle + " " + std::to_string((*done)->tokens) +
         ((*done)->ended_by_model ? "!" : "");
}

TEST(PublicComplete, EndsByAnEndTokenWhereTheMiddleIsAMember) {
  EXPECT_EQ(Written({"f(", ");"}, {{"a"}, {""}}), "a 1!");
  EXPECT_EQ(Written({"f(", ");"}, {{""}}), " 0!");
}

TEST(PublicComplete, GoesOnWhereTheMiddleIsNoMember) {
  EXPECT_EQ(Written({"f(1,", ");"}, {{"", "b"}, {""}}), "b 1!");
}

TEST(PublicComplete, EndsBeforeATokenThatWritesTheRightContext) {
  EXPECT_EQ(Written({"f(", ");"}, {{"a"}, {")"}}), "a 1!");
  EXPECT_EQ(Written({"f(", ");"}, {{"a"}, {");\n"}}), "a 1!");
  // `)` fits here as well: `f(g(|));` needs no more.
  EXPECT_EQ(Written({"f(g(", "));"}, {{"a"}, {")"}}), "a 1!");
}

TEST(PublicComplete, KeepsThePartOfATokenBeforeTheRightContext) {
  EXPECT_EQ(Written({"f(", ");"}, {{"a)"}}), "a 1!");
  EXPECT_EQ(Written({"f(", ");"}, {{"b"}, {"a)"}}), "ba 2!");
}

TEST(PublicComplete, CutsNoWord) {
  // `ab` ends as the right context begins, and is written whole.
  EXPECT_EQ(Written({"f(1, ", "b);"}, {{"ab"}, {""}}), "ab 1!");
}

TEST(PublicComplete, EndsAtTheFirstLineEndAtWhichItMay) {
  EXPECT_EQ(Written({"f(1);", "\ng();"}, {{"g("}, {"a"}, {")"}, {";"}, {"\n"}}), "g(a); 4!");
  EXPECT_EQ(Written({"f(", "\n);"}, {{"\n"}, {"a"}, {"\n"}}), "\na 2!");
}

TEST(PublicComplete, TakesTheLikeliestTokenThatFits) {
  EXPECT_EQ(Written({"f(", ");"}, {{"}", ";", "{", "1", "a"}, {"}", ")"}}), "1 1!");
}

TEST(PublicComplete, ClosesTheMiddleWhenTheBudgetIsUsedUp) {
  const std::vector<std::vector<std::string>> deeper(20, {"g("});
  EXPECT_EQ(Written({"", "", 8}, deeper), "g(g(g(a))); 8");
}

TEST(PublicComplete, IsNothingWhereNothingFits) {
  ScriptedModel model(Wishes({}));
  const auto nothing = Ask(model, {"f(", "};"});
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(*nothing);
  const auto too_dear = Ask(model, {"f(g(g(", "", 3});
  ASSERT_TRUE(too_dear);
  EXPECT_FALSE(*too_dear);
  EXPECT_TRUE(model.appended.empty());
}

TEST(PublicComplete, IsNothingOnceItIsStopped) {
  std::stop_source stop;
  ScriptedModel model([&stop](const std::vector<TokenId>& text) {
    if (text.size() > 2) stop.request_stop();
    std::vector<float> logits(kTokens.size(), 0);
    logits[IdOf("g(")] = 1;
    return logits;
  });
  const Language language = Compiled(kBlocks);
  Masker masker(MaskStore::Build(language, Vocabulary(kTokens)));
  CompleteOptions options;
  options.stop = stop.get_token();
  const auto done = Complete(model, TokensOf({3}), Gap::Open(language, "", ""), masker, options);
  ASSERT_TRUE(done);
  EXPECT_FALSE(*done);
  EXPECT_EQ(model.appended.size(), 3u);
}

TEST(PublicComplete, IsTheModelsErrorWhereItFails) {
  ScriptedModel model(Wishes(std::vector<std::vector<std::string>>(20, {"g("})));
  model.most_tokens = 3;
  const auto done = Ask(model, {"", ""});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the context is full");
}

TEST(PublicComplete, GoesOnInTheTextThatTheModelHolds) {
  ScriptedModel model(Wishes({{"a"}, {")"}}));
  ASSERT_TRUE(Ask(model, {"f(", ");"}));
  ASSERT_TRUE(Ask(model, {"f(", ");"}));
  // The prompt's only token is read again for its logits.
  EXPECT_EQ(model.appended, (std::vector<std::vector<TokenId>>{TokensOf({3}), TokensOf({1}),
                                                               TokensOf({3}), TokensOf({1})}));
}

// Whatever the logits are: more than tokens, fewer, infinite or none.
TEST(PublicComplete, FitsWhateverTheModelSays) {
  const Language language = Compiled(kBlocks);
  std::mt19937 random(oracle::TestSeed());
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  ScriptedModel model([&random](const std::vector<TokenId>&) {
    std::vector<float> logits(kTokens.size() - 3 + random() % 6);
    for (float& logit : logits) {
      const float strange[] = {kInfinity, -kInfinity, std::nanf(""), 1e30f};
      logit = random() % 8 == 0 ? strange[random() % 4] : static_cast<float>(random() % 100);
    }
    return logits;
  });
  size_t by_model = 0, by_budget = 0;
  for (int round = 0; round < 40; ++round) {
    for (const Asked& asked :
         {Asked{"", ""}, {"f(", ");"}, {"f(g(a", "));"}, {"{ f(", "}", 6}, {"f(1); ", "\ng();"}}) {
      const auto done = Ask(model, asked);
      ASSERT_TRUE(done && *done);
      const std::string whole = asked.left + (*done)->middle + asked.right;
      EXPECT_TRUE(language.Check(whole).valid) << whole;
      EXPECT_LE((*done)->tokens, asked.most_tokens) << whole;
      ++((*done)->ended_by_model ? by_model : by_budget);
    }
  }
  EXPECT_GT(by_model, 10u);
  EXPECT_GT(by_budget, 10u);
}

}  // namespace
}  // namespace tenon
