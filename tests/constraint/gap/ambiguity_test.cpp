// Ambiguous grammars at length: readings of one text share their stacks or are bounded, and beyond
// the bound the answer is "no".
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/gap/gap.h"
#include "constraint/gap/shared_gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask.h"
#include "constraint/reading/branch.h"
#include "constraint/reading/check.h"
#include "tests/constraint/mask_questions.h"

namespace tenon::constraint {
namespace {

GapState Opened(const std::shared_ptr<const Language>& language, const std::string& left,
                const std::string& right) {
  return OpenGap(language, left, right, GapPolicy{.emit = false});
}

std::shared_ptr<const Language> Letters(const std::string& grammar) {
  auto language = Language::Compile(grammar, "ambiguous.lark");
  EXPECT_TRUE(language) << language.error().ToString();
  return language ? *language : nullptr;
}

// Two nonterminals for the same brackets: every pair can be read in two ways, 2^1000 trees, but
// equal stacks are one.
TEST(Ambiguity, AThousandNestedAmbiguousBracketsShareTheirStacks) {
  const auto language =
      Letters("start: a | b\na: \"(\" start \")\" | \"x\"\nb: \"(\" start \")\" | \"x\"\n");
  const std::string open(1000, '('), close(1000, ')');
  const GapState whole = Opened(language, open + "x" + close, "");
  EXPECT_TRUE(whole.Member());
  EXPECT_LE(whole.branches().size(), 4u);
  EXPECT_LT(whole.shared()->mover().stacks().size(), 40000u);
  const GapState cut = Opened(language, open, close);
  EXPECT_TRUE(cut.viable());
  EXPECT_FALSE(cut.Member());
  EXPECT_TRUE(cut.Check("x"));
  EXPECT_FALSE(cut.Check(")"));
  EXPECT_FALSE(Opened(language, open + "x" + close + ")", "").viable());
}

std::string Repeated(const std::string& part, size_t times) {
  std::string text;
  for (; times > 0; --times) text += part;
  return text;
}

// Each level doubles the stacks, and so does each pair of terms in one: what lies below equal tops
// is packed.
constexpr const char* kSums = "start: e\ne: e \"+\" e | e e | \"(\" e \")\" | \"x\"\n";

TEST(Ambiguity, AThousandNestedSumsAreReadAndClosed) {
  const auto language = Letters(kSums);
  const std::string open = Repeated("(x+xx", 1000), close = Repeated("x+x)", 1000);
  EXPECT_TRUE(Check(*language, open + close, Strength::kAccept).valid);
  const CheckResult early = Check(*language, open + close + ")", Strength::kAccept);
  EXPECT_FALSE(early.valid);
  EXPECT_EQ(early.offset_bytes, open.size() + close.size());
  GapState state = Opened(language, open, close);
  EXPECT_TRUE(state.viable());
  EXPECT_FALSE(state.too_ambiguous());
  EXPECT_TRUE(state.Member());
  EXPECT_LE(state.branches().size(), kPackAbove);
  EXPECT_LT(state.shared()->mover().stacks().size(), 200000u);
  EXPECT_TRUE(state.Check("+x+("));
  EXPECT_FALSE(state.Check("+)"));
  ASSERT_TRUE(state.Accept("+(x)("));
  EXPECT_FALSE(state.Member());
  const auto closing = FindClosing(state);
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->text.size(), 2u) << closing->text;  // x)
  EXPECT_TRUE(Check(*language, open + "+(x)(" + closing->text + close, Strength::kAccept).valid);
  const GapState unclosed = Opened(language, open, close.substr(0, close.size() - 1));
  EXPECT_TRUE(unclosed.viable());  // W closes one
  EXPECT_FALSE(unclosed.Member());
  EXPECT_FALSE(Opened(language, open, close + "x)").Member());
  EXPECT_FALSE(Opened(language, "x", close).Member());
}

TEST(Ambiguity, AThousandNestedSumsAreMasked) {
  const auto language = Letters(kSums);
  std::mt19937 random(20261122);
  const auto store = MaskStore::Build(
      language, std::make_shared<const TokenVocabulary>(SmallVocabulary("(x+)", 3, 40, random)));
  MaskTally tally;
  const std::string open = Repeated("(x+xx", 1000), close = Repeated("x+x)", 1000);
  FollowMasks(store, language, open, close, 3, random, tally);
  FollowMasks(store, language, open, "", 6, random, tally);
  EXPECT_EQ(tally.masks, 9u);
  EXPECT_EQ(tally.wrong, 0u);
}

// Classic exponential grammars.
TEST(Ambiguity, ExponentialGrammarsAreAnswered) {
  for (const char* grammar :
       {"start: start start start | start start | \"a\"\n", "start: start start | \"a\"\n",
        "start: \"a\" start | start \"a\" | \"a\"\n"}) {
    const auto language = Letters(grammar);
    for (const size_t length : {1u, 5u, 20u, 60u, 200u}) {
      const std::string text(length, 'a');
      GapState state = Opened(language, text, "");
      EXPECT_TRUE(state.Member()) << grammar << length;
      EXPECT_FALSE(state.too_ambiguous());
      // What no reading has must be refused.
      EXPECT_FALSE(Opened(language, text + "b", "").viable());
    }
  }
  // Any of the operators may be the outermost of what is on the stack: every subsequence of them is
  // a stack.
  const auto language = Letters("start: e\ne: e \"+\" e | e \"*\" e | \"x\"\n");
  const std::string sum = Repeated("x+x*", 100);
  EXPECT_TRUE(Check(*language, sum + "x", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, sum, Strength::kAccept).valid);
  const CheckResult wrong = Check(*language, sum + "+x", Strength::kAccept);
  EXPECT_FALSE(wrong.valid);
  EXPECT_EQ(wrong.offset_bytes, sum.size());
  EXPECT_NE(wrong.message.find("'+' cannot stand here"), std::string::npos) << wrong.message;
  // Each letter is a q or an r, and no reading forgets which: after n letters there are 2^(n-1)
  // stacks.
  const auto either = Letters("start: q start | r start | \"b\"\nq: \"a\"\nr: \"a\"\n");
  EXPECT_TRUE(Opened(either, std::string(300, 'a') + "b", "").Member());
  EXPECT_FALSE(Opened(either, std::string(300, 'a') + "ba", "").viable());
}

// Past the bound the answer is "no", and it says why, also when the left context is read on from
// what is kept.
TEST(Ambiguity, SaysThatReadingsWereGivenUp) {
  // Each of 600 nonterminals is an a, and behind it a b leads to another state: nothing can be
  // packed. A c ends them all.
  std::string grammar = "start: (one \"d\")*\none:";
  for (int i = 0; i < 600; ++i) grammar += fmt::format("{} q{} \"b\" \"c\"", i == 0 ? "" : " |", i);
  for (int i = 0; i < 600; ++i) grammar += fmt::format("\nq{}: \"a\"", i);
  const auto language = Letters(grammar + "\n");
  GapCache cache(language, GapCache::Use::kKept);
  auto open = [&](const std::string& left, const std::string& right) {
    auto state = cache.Open(left, right, GapPolicy{.emit = false}, std::stop_token());
    EXPECT_TRUE(state);
    return *state;
  };
  EXPECT_TRUE(open("a", "").viable());
  EXPECT_FALSE(open("a", "").too_ambiguous());
  EXPECT_FALSE(open("aa", "").viable());
  EXPECT_FALSE(open("aa", "").too_ambiguous());  // no reading is left, none was given up
  for (const char* left : {"abc", "abcd"}) {
    EXPECT_FALSE(open(left, "").viable());
    EXPECT_TRUE(open(left, "").too_ambiguous());
  }
  EXPECT_FALSE(open("a", "").too_ambiguous());
  GapState state = open("a", "");
  EXPECT_FALSE(state.Accept("bc"));
  EXPECT_FALSE(state.too_ambiguous());
  const CheckResult check = Check(*language, "abcd", Strength::kAccept);
  EXPECT_FALSE(check.valid);
  EXPECT_NE(check.message.find("ambiguous"), std::string::npos) << check.message;
}

}  // namespace
}  // namespace tenon::constraint
