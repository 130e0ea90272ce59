// Right contexts that are very ambiguous by themselves, in brackets or without: read in polynomial
// time, as the oracle reads them.
#include <iostream>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/quotient/quotient.h"
#include "constraint/right/construct_ends.h"
#include "constraint/right/right_context.h"
#include "tests/constraint/gap_questions.h"
#include "tests/constraint/letter_language.h"

namespace tenon::constraint {
namespace {

using oracle::Lexemes;

std::string Repeated(const std::string& part, size_t times) {
  std::string text;
  for (; times > 0; --times) text += part;
  return text;
}

std::shared_ptr<const Language> Sums() {
  auto language =
      Language::Compile("start: e\ne: e \"+\" e | e e | \"(\" e \")\" | \"x\"\n", "sums.lark");
  EXPECT_TRUE(language) << language.error().ToString();
  return language ? *language : nullptr;
}

// Longer than stacks are followed: most of these contexts are read by sets of ends, and every
// second is from its first construct on.
TEST(RightAmbiguity, LongContextsAgreeWithTheOracle) {
  std::vector<std::string> grammars = kVeryAmbiguous;
  grammars.push_back("E -> E Q E C E | E E | L E R | X");  // a sum within a sum
  grammars.push_back(
      "S -> E | S S\nE -> F Y | E E | X\nF -> E E");  // left recursion through another
  size_t viable = 0, refused = 0, members = 0;
  for (const std::string& rules : grammars) {
    LetterLanguage letters(rules);
    ASSERT_TRUE(letters.language()) << rules << "\n" << letters.refusal();
    const std::vector<std::string> lefts = letters.AllTexts(2), alphabet = letters.AllTexts(1);
    std::mt19937 random(20261122);
    for (int i = 0; i < 40; ++i) {
      std::string right;
      for (size_t n = 6 + random() % 18; n > 0; --n)
        right += alphabet[1 + random() % (alphabet.size() - 1)];
      if (i % 4 == 0) right = Repeated(right.substr(0, 3), 8);
      const GapQuestions questions(letters.language(), right,
                                   i % 2 == 0 ? std::optional<size_t>(0) : std::nullopt);
      const Lexemes after = letters.LexemesOf(right);
      for (const std::string& left : lefts) {
        Lexemes whole = letters.LexemesOf(left);
        const bool may = letters.grammar().Viable(whole, after);
        ASSERT_EQ(questions.Viable(left), may) << rules << "\n" << left << " | " << right;
        (may ? viable : refused) += 1;
        whole.insert(whole.end(), after.begin(), after.end());
        const bool member = letters.grammar().Member(whole);
        ASSERT_EQ(questions.Member(left), member) << rules << "\n" << left << " | " << right;
        members += member;
      }
    }
  }
  std::cout << viable << " viable, " << refused << " refused, " << members << " members\n";
  EXPECT_GT(viable, 1000u);
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(members, 200u);
}

// Terms that may be grouped in any way, without a bracket: stacks for them would multiply with
// each.
TEST(RightAmbiguity, HundredsOfFlatTermsAreReadAndClosed) {
  const auto language = Sums();
  const std::string right = Repeated("+xxx", 100);
  GapState state = OpenExact(language, "x", right);
  EXPECT_TRUE(state.viable());
  EXPECT_TRUE(state.Member());
  EXPECT_TRUE(state.Check("+x+("));
  EXPECT_FALSE(state.Check("+)"));
  ASSERT_TRUE(state.Accept("+(x"));
  EXPECT_FALSE(state.Member());
  const auto closing = FindClosing(state);
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->text, ")");
  EXPECT_FALSE(OpenExact(language, "x", right + ")").Member());
  EXPECT_TRUE(OpenExact(language, "(x", right + ")").Member());
  EXPECT_FALSE(OpenExact(language, "x", right + "+").viable());
}

// Constructs that lie in R whole, in brackets and in one another.
TEST(RightAmbiguity, AThousandNestedSumsWithinTheRightContext) {
  const auto language = Sums();
  const std::string nested = Repeated("(x+xx", 1000) + Repeated("x+x)", 1000);
  const GapState state = OpenExact(language, "x", "+" + nested);
  EXPECT_TRUE(state.viable());
  EXPECT_TRUE(state.Member());
  EXPECT_FALSE(OpenExact(language, "x", "+" + nested + ")").Member());
  EXPECT_FALSE(OpenExact(language, "x", "+(" + nested).viable());
}

TEST(RightAmbiguity, TheQuotientGrammarIsWritten) {
  const auto grammar = QuotientGrammar(Sums(), "x+", Repeated("+xxx", 20), false);
  ASSERT_TRUE(grammar) << grammar.error();
  EXPECT_LT(grammar->nonterminals.size(), 2000u);
}

// What was stopped goes on, to the same ends.
TEST(RightAmbiguity, EndsAreFoundAfterAStop) {
  const auto language = Sums();
  RightContext right(language, "x" + Repeated("+(xxx)x", 10), false, 0);
  RightAutomaton& automaton = right.automaton();
  RightEdges edges(*language->index, automaton, kAnyLevel);
  ConstructEnds stopped(*language->index, automaton, edges),
      through(*language->index, automaton, edges);
  const SymbolId e =
      language->grammar.rules[language->table.items(kStartLrState).back().rule.value].head;
  std::stop_source source;
  source.request_stop();
  size_t found = 0;
  for (const RightAutomaton::Entry& entry : automaton.entries()) {
    EXPECT_EQ(stopped.Known(entry.node, e), std::nullopt);
    EXPECT_EQ(stopped.Find(entry.node, e, source.get_token()), std::nullopt);
    EXPECT_FALSE(stopped.too_ambiguous());
    const auto ends = stopped.Find(entry.node, e, {}), same = through.Find(entry.node, e, {});
    ASSERT_TRUE(ends && same);
    EXPECT_EQ(stopped.set(*ends), through.set(*same));
    EXPECT_EQ(stopped.Known(entry.node, e), ends);
    stopped.set(*ends).ForEach([&](RightNodeId) { ++found; });
  }
  EXPECT_GT(found, 30u);
}

TEST(RightAmbiguity, SaysThatARightContextWasGivenUp) {
  const auto language = Sums();
  const std::string right = "+(" + Repeated("xx+x", 12000) + ")";
  const GapState state = OpenExact(language, "x", right);
  EXPECT_FALSE(state.viable());
  EXPECT_TRUE(state.too_ambiguous());
  const auto grammar = QuotientGrammar(language, "x", right, false);
  ASSERT_FALSE(grammar);
  EXPECT_NE(grammar.error().find("too many ways"), std::string::npos) << grammar.error();
}

}  // namespace
}  // namespace tenon::constraint
