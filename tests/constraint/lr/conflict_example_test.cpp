#include "constraint/lr/conflict_example.h"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"
#include "constraint/lr/stack.h"
#include "tests/oracle/toy_grammar.h"

namespace tenon::constraint {
namespace {

struct Case {
  std::string grammar;
  std::vector<std::string> said;  // for each reading "before | next | item", in order
};

std::vector<std::string> Said(const Grammar& grammar, const LrTable& table) {
  ConflictExplainer explainer(grammar, table);
  std::vector<std::string> said;
  for (const LrConflict& conflict : table.conflicts()) {
    std::string next = conflict.terminal == table.end_terminal()
                           ? std::string("the end")
                           : grammar.SymbolName(conflict.terminal);
    for (const ConflictReading& reading : explainer.Readings(conflict))
      said.push_back(TerminalsText(grammar, reading.before) + " | " + next + " | " +
                     ItemText(grammar, reading.item));
  }
  return said;
}

class ConflictExamples : public testing::TestWithParam<Case> {};

TEST_P(ConflictExamples, AreTheShortestOnes) {
  auto grammar = ReadGrammar(GetParam().grammar, "conflict.lark");
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  auto table = LrTable::Build(*grammar);
  ASSERT_TRUE(table);
  EXPECT_EQ(Said(*grammar, *table), GetParam().said);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ConflictExamples,
    testing::Values(
        Case{"start: \"if\" start | \"if\" start \"else\" start | \"x\"\n",
             {"IF IF X | ELSE | start: IF start . ELSE start",
              "IF IF X | ELSE | start: IF start ."}},
        Case{"start: start start | \"x\"\n",
             {"X X | X | start: . X", "X X | X | start: start start ."}},
        // Two phrases of one text: the conflict stands before the end.
        Case{"start: a | b\na: \"x\"\nb: \"x\"\n",
             {"X | the end | a: X .", "X | the end | b: X ."}},
        // Two states are split: no text has both readings. With %fallback they stay one.
        Case{"start: \"p\" a \"x\" | \"p\" b \"y\" | \"q\" a \"y\" | \"q\" b \"x\"\na: \"c\"\nb: "
             "\"c\"\n",
             {}},
        Case{"start: \"p\" a \"x\" | \"p\" b \"y\" | \"q\" a \"y\" | \"q\" b \"x\" | NAME\na: "
             "\"c\"\nb: \"c\"\n"
             "NAME: /[a-z]/\n%fallback NAME \"p\"\n",
             {"P C | X | a: C .", "Q C | X | b: C .", "P C | Y | b: C .", "Q C | Y | a: C ."}},
        Case{"start: \"a\" start | \"b\"\n", {}}));

// Each rule doubles the text: two readings of 2^28 terminals are not spelled.
TEST(ConflictExample, IsLeftOutWhereItsTextIsTooLong) {
  std::string text = "start: d0 a | d0 b\na: \"x\"\nb: \"x\"\nd28: \"y\"\n";
  for (int i = 0; i < 28; ++i) text += fmt::format("d{}: d{} d{}\n", i, i + 1, i + 1);
  const auto grammar = ReadGrammar(text, "long.lark");
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  const auto table = LrTable::Build(*grammar);
  ASSERT_TRUE(table);
  ASSERT_EQ(table->conflicts().size(), 1u);
  EXPECT_TRUE(ConflictExplainer(*grammar, *table).Readings(table->conflicts()[0]).empty());
}

// What an example promises: after its terminals the parser stands in the conflict's state and can
// go on with the column.
TEST(ConflictExample, LeadsToItsConflictInRandomGrammars) {
  size_t readings = 0, missing = 0;
  for (unsigned seed = 1; seed <= 150; ++seed) {
    std::mt19937 random(seed);
    oracle::ToyGrammar toy(oracle::RandomGrammar(random, {"T1", "T2", "T3"}));
    std::string text = toy.ToLark();
    for (const std::string& name : toy.terminals()) text += name + ": \"" + name + "\"\n";
    auto grammar = ReadGrammar(text, "random.lark");
    if (!grammar) continue;
    auto table = LrTable::Build(*grammar);
    ASSERT_TRUE(table);
    ConflictExplainer explainer(*grammar, *table);
    for (const LrConflict& conflict : table->conflicts()) {
      std::vector<ConflictReading> all = explainer.Readings(conflict);
      missing += conflict.actions.size() - all.size();
      for (const ConflictReading& reading : all) {
        ++readings;
        StackArena stacks(*grammar, *table);
        std::vector<NodeId> tops{kBottomNode};
        for (SymbolId lr_terminal : reading.before) {
          std::vector<NodeId> next;
          for (NodeId top : tops) {
            std::span<const NodeId> shifted = stacks.Shift(top, lr_terminal);
            next.insert(next.end(), shifted.begin(), shifted.end());
          }
          tops = next;
        }
        ASSERT_FALSE(tops.empty()) << "seed " << seed << "\n"
                                   << text << TerminalsText(*grammar, reading.before);
        bool goes_on = std::any_of(tops.begin(), tops.end(), [&](NodeId top) {
          return conflict.terminal == table->end_terminal()
                     ? stacks.AcceptsEnd(top)
                     : !stacks.Shift(top, conflict.terminal).empty();
        });
        EXPECT_TRUE(goes_on) << "seed " << seed << "\n" << text << ItemText(*grammar, reading.item);
      }
    }
  }
  EXPECT_GT(readings, 200u);
  EXPECT_EQ(missing, 0u) << "an action without an example";
}

}  // namespace
}  // namespace tenon::constraint
