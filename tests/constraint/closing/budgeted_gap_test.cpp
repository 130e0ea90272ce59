// Token budgets against the explicit intersection of grammar, contexts and "at most n tokens", on
// small grammars and vocabularies.
#include "constraint/closing/budgeted_gap.h"
#include "constraint/gap/gap.h"

#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/constraint/gap_questions.h"
#include "tests/constraint/letter_language.h"
#include "tests/constraint/names_language.h"
#include "tests/oracle/fewest_tokens.h"

namespace tenon::constraint {
namespace {

constexpr uint32_t kMaxTokens = 6;
constexpr unsigned kSeed = 20240611;

// Texts over a language's letters, as tokens; every letter is one, so that every text can be
// written.
class Vocabulary {
 public:
  Vocabulary(const LetterLanguage& letters, std::mt19937& random) {
    std::vector<std::string> texts = letters.AllTexts(3);
    std::set<std::string> chosen;
    for (const std::string& text : letters.AllTexts(1)) chosen.insert(text);
    chosen.erase("");
    for (size_t more = random() % 4; more > 0; --more)
      chosen.insert(texts[1 + random() % (texts.size() - 1)]);
    texts_.assign(chosen.begin(), chosen.end());
    for (const std::string& text : texts_) {
      views_.push_back(text);
      std::vector<std::string> terminals;
      for (const oracle::Alternatives& lexeme : letters.LexemesOf(text))
        terminals.push_back(lexeme[0]);
      terminals_.push_back(std::move(terminals));
    }
    count_ = std::make_shared<FewestTokens>(views_);
  }
  Vocabulary(const Vocabulary&) = delete;

  const std::vector<std::string>& texts() const { return texts_; }
  const std::vector<std::vector<std::string>>& terminals() const { return terminals_; }
  GapPolicy policy() const {
    GapPolicy policy;
    policy.count = [count = count_](std::string_view text) { return (*count)(text); };
    return policy;
  }

 private:
  std::vector<std::string> texts_;
  std::vector<std::string_view> views_;
  std::vector<std::vector<std::string>> terminals_;
  std::shared_ptr<const FewestTokens> count_;
};

struct Case {
  const LetterLanguage& letters;
  const Vocabulary& vocabulary;
  std::string left, right;

  std::string Describe() const {
    std::string out =
        letters.grammar().text() + "\n" + Shown(left) + " | " + Shown(right) + " tokens";
    for (const std::string& text : vocabulary.texts()) out += " " + text;
    return out;
  }
  bool Feasible(const std::string& middle, size_t most) const {
    return letters.grammar().ViableWithin(letters.LexemesOf(left + middle),
                                          letters.LexemesOf(right), vocabulary.terminals(), most);
  }
  GapState Open() const { return OpenGap(letters.language(), left, right, vocabulary.policy()); }
};

struct Tally {
  size_t gaps = 0, feasible = 0, dearer = 0, excess = 0, walks = 0, refused_too_much = 0,
         checks = 0;
};

// `needs` against the true minimum: never below it.
void CompareNeeds(const Case& at, Tally& tally) {
  GapState state = at.Open();
  BudgetedGap gap(state, 0);
  if (!state.viable()) {
    ASSERT_FALSE(gap.needs()) << at.Describe();
    return;
  }
  ++tally.gaps;
  uint32_t least = 0;
  while (least <= kMaxTokens && !at.Feasible("", least)) ++least;
  if (least > kMaxTokens) {
    ASSERT_TRUE(!gap.needs() || *gap.needs() > kMaxTokens) << at.Describe();
    return;
  }
  ++tally.feasible;
  ASSERT_TRUE(gap.needs()) << at.Describe();
  ASSERT_GE(*gap.needs(), least) << at.Describe();
  if (*gap.needs() > least) {
    ++tally.dearer;
    tally.excess += *gap.needs() - least;
    if (tally.dearer <= 5)
      std::cout << "needs " << *gap.needs() << " not " << least << ": " << at.Describe() << "\n";
  }
  for (uint32_t budget = 0; budget <= kMaxTokens; ++budget)
    ASSERT_EQ(BudgetedGap(state, budget).feasible(), *gap.needs() <= budget)
        << at.Describe() << " budget " << budget;
}

// A random walk through Check ends as a member within the budget, wherever it is cut off.
void Walk(const Case& at, uint32_t budget, std::mt19937& random, Tally& tally) {
  BudgetedGap gap(at.Open(), budget);
  if (!gap.feasible()) return;
  ++tally.walks;
  size_t steps = random() % (budget + 1);
  for (size_t i = 0; i <= steps; ++i) {
    BudgetedGap::Finished end = gap.Finish();
    ASSERT_LE(end.tokens, budget) << at.Describe() << " after " << Shown(gap.state().middle());
    ASSERT_TRUE(at.letters.grammar().Member(at.letters.LexemesOf(at.left + end.middle + at.right)))
        << at.Describe() << " middle " << Shown(end.middle);
    std::vector<std::string> allowed;
    for (const std::string& token : at.vocabulary.texts()) {
      bool ours = gap.Check(token);
      bool truth = gap.left() > 0 && at.Feasible(gap.state().middle() + token, gap.left() - 1);
      ASSERT_TRUE(truth || !ours) << at.Describe() << " behind " << Shown(gap.state().middle())
                                  << " " << Shown(token);
      ++tally.checks;
      tally.refused_too_much += truth && !ours;
      if (ours) allowed.push_back(token);
    }
    if (i == steps || allowed.empty()) break;
    ASSERT_TRUE(gap.Accept(allowed[random() % allowed.size()]));
  }
}

void CompareLanguage(const LetterLanguage& letters, std::mt19937& random, size_t rounds,
                     Tally& tally) {
  Vocabulary vocabulary(letters, random);
  std::vector<std::string> texts = letters.AllTexts(3);
  for (size_t round = 0; round < rounds; ++round) {
    std::string left = texts[random() % texts.size()];
    Case at{letters, vocabulary, std::move(left), texts[random() % texts.size()]};
    CompareNeeds(at, tally);
    Walk(at, random() % (kMaxTokens + 1), random, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
}

void Report(const Tally& tally) {
  std::cout << tally.gaps << " viable gaps, " << tally.feasible << " feasible within " << kMaxTokens
            << " tokens, " << tally.dearer << " asked for more than the optimum (by "
            << tally.excess << " tokens in all); " << tally.walks << " walks, " << tally.checks
            << " checks, " << tally.refused_too_much << " refused that had fitted\n";
}

TEST(GapBudget, HandMadeGrammarsAgreeWithTheIntersection) {
  std::mt19937 random(kSeed);
  Tally tally;
  for (const std::string& rules : kHandMadeGrammars) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << letters.refusal();
    CompareLanguage(letters, random, 300, tally);
    if (HasFatalFailure()) return;
  }
  Report(tally);
  EXPECT_GT(tally.feasible, 200u);
  EXPECT_LE(tally.dearer * 33, tally.feasible);
  EXPECT_LE(tally.refused_too_much * 50, tally.checks);
}

TEST(GapBudget, RandomGrammarsAgreeWithTheIntersection) {
  Tally tally;
  for (unsigned i = 0; i < 80; ++i) {
    std::mt19937 random(kSeed + i);
    std::vector<std::string> terminals{"T1", "T2", "T3"};
    terminals.resize(2 + random() % 2);
    LetterLanguage letters(oracle::RandomGrammar(random, terminals));
    if (!letters.language()) continue;
    SCOPED_TRACE("seed " + std::to_string(kSeed + i));
    CompareLanguage(letters, random, 60, tally);
    if (HasFatalFailure()) return;
  }
  Report(tally);
  EXPECT_GT(tally.feasible, 400u);
  EXPECT_LE(tally.dearer * 33, tally.feasible);
  EXPECT_LE(tally.refused_too_much * 50, tally.checks);
}

class Brackets : public testing::Test {
 protected:
  LetterLanguage letters_{"E -> X | L E R | E E"};  // a: (, b: ), c: x
  GapState Open(std::string_view left, std::string_view right) const {
    return OpenGap(letters_.language(), left, right, {});
  }
};

TEST_F(Brackets, BelowTheWitnessNothingIsPromised) {
  BudgetedGap gap(Open("aa", ""), 2);
  EXPECT_FALSE(gap.feasible());
  EXPECT_EQ(gap.needs(), 3u);
  EXPECT_FALSE(gap.Check("c"));
  ASSERT_TRUE(gap.SetBudget(3));
  EXPECT_TRUE(gap.Check("c"));
  EXPECT_FALSE(gap.Check("a"));
  EXPECT_EQ(gap.Finish().middle, "cbb");
}

TEST_F(Brackets, NearTheEndOnlyTheWitnessIsLeft) {
  BudgetedGap gap(Open("", ""), 40);
  size_t opened = 0;
  while (gap.Accept("a")) ++opened;
  EXPECT_EQ(opened, 19u);  // an x and as many closers still fit
  BudgetedGap::Finished end = gap.Finish();
  EXPECT_EQ(end.dropped, 0u);
  EXPECT_EQ(end.tokens, 39u);
  EXPECT_TRUE(letters_.grammar().Member(letters_.LexemesOf(end.middle)));
}

TEST_F(Brackets, TheBudgetMayChangeInFlight) {
  BudgetedGap gap(Open("", ""), 40);
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(gap.Accept("a"));
  ASSERT_TRUE(gap.SetBudget(13));
  EXPECT_FALSE(gap.Check("a"));
  EXPECT_TRUE(gap.Check("c"));
  EXPECT_EQ(gap.Finish().middle, "aaaaaacbbbbbb");
  // Below what the newest state needs an older witness stands in.
  ASSERT_TRUE(gap.SetBudget(4));
  EXPECT_FALSE(gap.Check("c"));
  BudgetedGap::Finished end = gap.Finish();
  EXPECT_LE(end.tokens, 4u);
  EXPECT_GT(end.dropped, 0u);
  EXPECT_TRUE(letters_.grammar().Member(letters_.LexemesOf(end.middle)));
  EXPECT_FALSE(gap.SetBudget(0));
  EXPECT_EQ(gap.needs(), 1u);
}

TEST_F(Brackets, AStoppedSearchFindsNothing) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(BudgetedGap(Open("aaa", ""), 40, stop.get_token()).needs(), std::nullopt);
  // As deep as editors send texts: each bracket is a node of the stack.
  const std::string deep(100'000, 'a');
  EXPECT_EQ(BudgetedGap(Open(deep, ""), 40, stop.get_token()).needs(), std::nullopt);
  std::stop_source never;
  EXPECT_EQ(BudgetedGap(Open("aaa", ""), 40, never.get_token()).needs(), 4u);
}

// The right context asks for the name `abc`: behind any other one nothing closes the gap.
TEST(LostTries, LeaveTheWitnessAlone) {
  const auto language = Compile(kClasses);
  ASSERT_NE(language, nullptr);
  BudgetedGap gap(OpenGap(language, "class ", " abc(); }", {}), 8);
  ASSERT_TRUE(gap.feasible());
  EXPECT_TRUE(gap.Check(" a"));
  for (uint32_t i = 0; i < kMaxLostTries; ++i) {
    const char name[] = {static_cast<char>('b' + i % 25), static_cast<char>('a' + i / 25), '\0'};
    EXPECT_FALSE(gap.Check(name));
  }
  EXPECT_FALSE(gap.Check(" a")) << "nothing is searched any more";
  ASSERT_TRUE(gap.SetBudget(9));
  EXPECT_TRUE(gap.Check(" a")) << "another budget";
  ASSERT_TRUE(gap.Accept("a")) << "the witness";
  EXPECT_TRUE(gap.Check("b"));
  EXPECT_FALSE(gap.Check("c"));
  EXPECT_EQ(gap.Finish().middle, "abc{");
}

TEST(FewestTokens, FindsTheShortestWayAndSaysWhereThereIsNone) {
  std::vector<std::string_view> vocabulary{"a", "ab", "bc", "abc", "", "cd"};
  FewestTokens count(vocabulary);
  EXPECT_EQ(count(""), 0u);
  EXPECT_EQ(count("abc"), 1u);
  EXPECT_EQ(count("aabc"), 2u);
  EXPECT_EQ(count("abcd"), 2u);
  EXPECT_EQ(count("b"), kNoTokens);
  EXPECT_EQ(count("abb"), kNoTokens);
}

}  // namespace
}  // namespace tenon::constraint
