// Ambiguous grammars at length: readings of one text share their stacks or are bounded, and beyond the bound the answer is "no".
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "constraint/gap/branch.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/gap/gap_state.h"
#include "constraint/gap/session.h"
#include "tests/constraint/letter_language.h"

namespace tenon::constraint {
namespace {

GapState Opened(const std::shared_ptr<const Language>& language, const std::string& left, const std::string& right) {
  return GapState::Open(language, left, right, GapPolicy{.emit = false});
}

std::shared_ptr<const Language> Letters(const std::string& grammar) {
  auto language = Language::Compile(grammar, "ambiguous.lark");
  EXPECT_TRUE(language) << language.error().ToString();
  return language ? *language : nullptr;
}

// Two nonterminals for the same brackets: every pair can be read in two ways, 2^1000 trees, but equal stacks are one.
TEST(Ambiguity, AThousandNestedAmbiguousBracketsShareTheirStacks) {
  const auto language = Letters("start: a | b\na: \"(\" start \")\" | \"x\"\nb: \"(\" start \")\" | \"x\"\n");
  const std::string open(1000, '('), close(1000, ')');
  const GapState whole = Opened(language, open + "x" + close, "");
  EXPECT_TRUE(whole.Member());
  EXPECT_LE(whole.branches().size(), 4u);
  EXPECT_LT(whole.session()->mover().stacks().size(), 40000u);
  const GapState cut = Opened(language, open, close);
  EXPECT_TRUE(cut.viable());
  EXPECT_FALSE(cut.Member());
  EXPECT_TRUE(cut.Check("x"));
  EXPECT_FALSE(cut.Check(")"));
  EXPECT_FALSE(Opened(language, open + "x" + close + ")", "").viable());
}

// Classic exponential grammars: nothing that is said to be viable or a member is wrong, and every answer comes.
TEST(Ambiguity, ExponentialGrammarsAreAnsweredConservatively) {
  size_t members = 0, refused = 0;
  for (const char* grammar : {"start: start start start | start start | \"a\"\n", "start: start start | \"a\"\n",
                              "start: \"a\" start | start \"a\" | \"a\"\n"}) {
    const auto language = Letters(grammar);
    for (const size_t length : {1u, 5u, 20u, 60u}) {
      const std::string text(length, 'a');
      GapState state = Opened(language, text, "");
      (state.Member() ? members : refused) += 1;
      EXPECT_LE(state.branches().size(), kMaxBranches);
      // Every text of letters is whole here: "yes" can only be right. What no reading has must be refused.
      EXPECT_FALSE(Opened(language, text + "b", "").viable());
      if (length <= 5) {
        EXPECT_TRUE(state.Member()) << grammar << length;
      }
    }
  }
  EXPECT_GT(members, 5u);
  std::cout << members << " members found, " << refused << " refused beyond the bound\n";
}

// Past the bound the answer is "no", and it says why, also when the left context is read on from what is kept.
TEST(Ambiguity, SaysThatReadingsWereGivenUp) {
  // Each letter is a q or an r, and no reading forgets which: after n letters there are 2^(n-1) stacks.
  const auto language = Letters("start: q start | r start | \"b\"\nq: \"a\"\nr: \"a\"\n");
  GapCache cache(language, GapCache::Use::kKept);
  auto open = [&](const std::string& left, const std::string& right) {
    auto state = cache.Open(left, right, GapPolicy{.emit = false}, std::stop_token());
    EXPECT_TRUE(state);
    return *state;
  };
  const std::string many(14, 'a');
  EXPECT_TRUE(open("aa", "").viable());
  EXPECT_FALSE(open("aa", "").too_ambiguous());
  EXPECT_FALSE(open("aaba", "").viable());
  EXPECT_FALSE(open("aaba", "").too_ambiguous());  // no reading is left, none was given up
  for (const std::string& left : {many, many + "a", many + "aa"}) {
    EXPECT_FALSE(open(left, "").viable());
    EXPECT_TRUE(open(left, "").too_ambiguous());
  }
  EXPECT_FALSE(open("aa", "").too_ambiguous());
  GapState state = open("aa", "");
  while (state.Accept("a")) EXPECT_FALSE(state.too_ambiguous());
  EXPECT_LT(state.middle().size(), many.size());
  EXPECT_GT(state.middle().size(), 3u);
}

}  // namespace
}  // namespace tenon::constraint
