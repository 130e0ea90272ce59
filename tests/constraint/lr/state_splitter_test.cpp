// Split tables have the conflicts of canonical LR(1) and read the same language.
#include "constraint/lr/state_splitter.h"

#include <algorithm>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"
#include "constraint/lr/stack.h"
#include "tests/oracle/canonical_lr.h"
#include "tests/oracle/seed.h"
#include "tests/oracle/toy_grammar.h"

namespace tenon::constraint {
namespace {

using oracle::CanonicalLr;

struct Built {
  Grammar grammar;
  LrTable table;
};

// `rules` as the oracle has them: "S -> A x | B".
Built Build(const std::string& rules, const std::string& more = "") {
  const oracle::ToyGrammar toy(rules);
  std::string text = toy.ToLark() + more;
  for (const std::string& terminal : toy.terminals()) text += terminal + ": \"" + terminal + "\"\n";
  auto grammar = ReadGrammar(text, "split.lark");
  EXPECT_TRUE(grammar) << grammar.error().ToString() << text;
  auto table = LrTable::Build(*grammar);
  EXPECT_TRUE(table) << table.error().ToString();
  return {std::move(*grammar), std::move(*table)};
}

CanonicalLr Canonical(const Grammar& grammar) {
  std::vector<CanonicalLr::Rule> rules;
  for (const Rule& rule : grammar.rules) {
    rules.push_back({rule.head.value, {}});
    for (const SymbolId s : rule.body) rules.back().body.push_back(s.value);
  }
  return CanonicalLr(std::move(rules), grammar.lr_terminals.size(), grammar.start.value);
}

CanonicalLr::Conflicts ConflictsOf(const LrTable& table) {
  CanonicalLr::Conflicts conflicts;
  for (const LrConflict& conflict : table.conflicts()) {
    CanonicalLr::Core core;
    for (const LrItem& item : table.items(conflict.state).first(table.kernel_size(conflict.state)))
      core.emplace(item.rule.value, item.dot);
    EXPECT_TRUE(conflicts.emplace(std::move(core), conflict.terminal.value).second) << "said twice";
  }
  return conflicts;
}

// Conflicts against canonical LR(1), and every text of up to `longest` terminals against the
// grammar. Returns the number of copies.
size_t Compare(const std::string& rules, size_t longest) {
  SCOPED_TRACE(rules);
  const oracle::ToyGrammar toy(rules);
  const Built b = Build(rules);
  const CanonicalLr canonical = Canonical(b.grammar);
  const CanonicalLr::Conflicts conflicts = ConflictsOf(b.table);
  EXPECT_EQ(conflicts, canonical.conflicts());
  EXPECT_LE(conflicts.size(), canonical.merged_conflicts().size());
  EXPECT_EQ(CountCopies(b.table) > 0, canonical.conflicts() != canonical.merged_conflicts());
  StackArena stacks(b.grammar, b.table);
  struct Prefix {
    oracle::Lexemes lexemes;
    std::vector<NodeId> tops;
  };
  std::vector<Prefix> prefixes{{{}, {kBottomNode}}};
  for (size_t at = 0; at < prefixes.size(); ++at) {
    const Prefix prefix = prefixes[at];
    const bool accepted = std::any_of(prefix.tops.begin(), prefix.tops.end(),
                                      [&](NodeId top) { return stacks.AcceptsEnd(top); });
    EXPECT_EQ(accepted, at > 0 && toy.Member(prefix.lexemes)) << at;
    if (prefix.lexemes.size() == longest) continue;
    for (uint16_t c = 0; c < b.grammar.lr_terminals.size(); ++c) {
      std::set<NodeId> tops;
      for (const NodeId top : prefix.tops) {
        const auto to = stacks.Shift(top, SymbolId{c});
        tops.insert(to.begin(), to.end());
      }
      Prefix next{prefix.lexemes, {tops.begin(), tops.end()}};
      next.lexemes.push_back({b.grammar.SymbolName(SymbolId{c})});
      if (!next.tops.empty() || next.lexemes.size() <= 3) prefixes.push_back(std::move(next));
    }
  }
  return CountCopies(b.table);
}

TEST(StateSplitter, SplitsWhereOnlyLr1CanTell) {
  EXPECT_EQ(Compare("S -> P A X | Q B X | P B Y | Q A Y\nA -> C\nB -> C", 5), 1u);
  // The look-aheads come from two rules away.
  EXPECT_EQ(Compare("S -> P M X | Q N X | P N Y | Q M Y\nM -> A\nN -> B\nA -> C\nB -> C", 5), 1u);
  // From above a list, through states on the way that are split with it.
  EXPECT_GT(Compare("S -> P A X | Q B X | P B Y | Q A Y\nA -> C D C\nB -> C D C", 6), 2u);
}

TEST(StateSplitter, LeavesAloneWhatLr1CannotTellEither) {
  EXPECT_EQ(Compare("S -> A | B\nA -> X\nB -> X", 3), 0u);
  EXPECT_EQ(Compare("S -> S S | X", 6), 0u);
  EXPECT_EQ(Compare("S -> I S | I S E S | X", 6), 0u);
}

TEST(StateSplitter, SplitsForOneConflictBesideAnotherThatStays) {
  // Behind P and Q the look-ahead tells A from B; behind R nothing does.
  EXPECT_GT(Compare("S -> P A X | Q B X | P B Y | Q A Y | R A Z | R B Z\nA -> C\nB -> C", 4), 0u);
  EXPECT_GT(Compare("S -> P A X | Q B X | P B Y | Q A Y | S S\nA -> C\nB -> C", 6), 0u);
}

TEST(StateSplitter, AgreesWithCanonicalLr1OnRandomGrammars) {
  const uint32_t seed = oracle::TestSeed();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  const auto below = [&](size_t n) {
    return std::uniform_int_distribution<size_t>(0, n - 1)(random);
  };
  const auto pick = [&](const std::vector<std::string>& of) { return of[below(of.size())]; };
  size_t split = 0, copies = 0;
  for (int i = 0; i < 1500 && !testing::Test::HasFailure(); ++i) {
    // Phrases that look alike, between terminals that tell them apart, or do not.
    const std::vector<std::string> outer{"P", "Q", "R"}, phrases{"A", "B", "A", "B", "D"},
        behind{"X", "Y", "X A", "Y B"};
    std::string rules = "S -> P A X | Q B X";
    for (size_t more = 2 + below(4); more > 0; --more) {
      rules += " | " + pick(outer) + " " + pick(phrases);
      if (below(8) > 0) rules += " " + pick(behind);
    }
    rules += "\nA -> " + pick({"C", "C C", "D", "C A"}) + " | C\nB -> " +
             pick({"C", "C C", "D", "B C"}) + " | C";
    if (rules.find(" D") != std::string::npos)
      rules += "\nD -> " + pick({"C", "C C", "A X", "X"}) + " | " + pick({"C", "Y", "C D"});
    const size_t made = Compare(rules, 5);
    copies += made;
    split += made > 0;
  }
  std::cout << split << " grammars with split states, " << copies << " copies\n";
  EXPECT_GT(split, 30u);
}

TEST(StateSplitter, GrammarsWithFallbackKeepTheStatesThatDecideIt) {
  const std::string rules = "S -> P A X | Q B X | P B Y | Q A Y | NAME\nA -> C\nB -> C";
  EXPECT_EQ(Build(rules).table.conflicts().size(), 0u);
  const Built kept = Build(rules, "%fallback NAME P\n");
  EXPECT_EQ(CountCopies(kept.table), 0u);
  EXPECT_EQ(kept.table.conflicts().size(), 2u);
}

}  // namespace
}  // namespace tenon::constraint
