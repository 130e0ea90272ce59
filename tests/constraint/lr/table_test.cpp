#include "constraint/lr/table.h"

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"
#include "constraint/lr/stack.h"

namespace tenon::constraint {
namespace {

struct Built {
  Grammar grammar;
  LrTable table;
  SymbolId Symbol(const std::string& name) const {
    for (uint16_t s = 0; s < grammar.symbol_count(); ++s) {
      if (grammar.SymbolName(SymbolId{s}) == name) return SymbolId{s};
    }
    ADD_FAILURE() << "no symbol " << name;
    return {};
  }
  LrStateId After(const std::vector<std::string>& names) const {
    LrStateId state = kStartLrState;
    for (const std::string& name : names) state = table.Goto(state, Symbol(name));
    return state;
  }
  // The look-aheads under which a state reduces by some rule.
  std::set<std::string> ReducesOn(LrStateId state) const {
    std::set<std::string> names;
    for (uint16_t c = 0; c <= grammar.lr_terminals.size(); ++c) {
      for (const LrAction& action : table.Actions(state, SymbolId{c})) {
        if (action.kind == LrAction::Kind::kReduce)
          names.insert(c == grammar.lr_terminals.size() ? "$" : grammar.SymbolName(SymbolId{c}));
      }
    }
    return names;
  }
};

Built Build(const std::string& text) {
  auto grammar = ReadGrammar(text, "lr.lark");
  if (!grammar) throw std::runtime_error(grammar.error().ToString());
  auto table = LrTable::Build(*grammar);
  if (!table) throw std::runtime_error(table.error().ToString());
  return Built{std::move(*grammar), std::move(*table)};
}

// Dragon Book, example 4.48: S -> L = R | R; L -> * R | id; R -> L is LALR(1) but not SLR(1):
// FOLLOW(R) holds '='.
const char* const kPointers =
    "start: l EQ r | r\nl: STAR r | ID\nr: l\nEQ: \"=\"\nSTAR: \"*\"\nID: /[a-z]/\n";

TEST(LrTable, LookAheadsAreThoseOfLalr) {
  Built b = Build(kPointers);
  EXPECT_TRUE(b.table.conflicts().empty()) << b.table.Dump(b.grammar);
  EXPECT_EQ(b.ReducesOn(b.After({"l"})), (std::set<std::string>{"$"}))
      << "SLR would reduce on EQ too";
  EXPECT_EQ(b.ReducesOn(b.After({"ID"})), (std::set<std::string>{"$", "EQ"}));
  EXPECT_EQ(b.ReducesOn(b.After({"l", "EQ", "l"})), (std::set<std::string>{"$", "EQ"}))
      << "merged with the state behind STAR";
}

TEST(LrTable, TheStateCountIsThatOfTheLr0Automaton) {
  EXPECT_EQ(Build(kPointers).table.state_count(), 10u);
  Built expression = Build(
      "start: start PLUS t | t\nt: t STAR f | f\nf: OPEN start CLOSE | ID\nPLUS: \"+\"\nSTAR: "
      "\"*\"\nOPEN: \"(\"\nCLOSE: \")\"\nID: /[a-z]/\n");
  EXPECT_EQ(expression.table.state_count(), 12u);
  EXPECT_TRUE(expression.table.conflicts().empty());
}

TEST(LrTable, KeepsBothActionsOfAConflict) {
  Built b = Build("start: IF start | IF start ELSE start | X\nIF: \"i\"\nELSE: \"e\"\nX: \"x\"\n");
  ASSERT_EQ(b.table.conflicts().size(), 1u);
  const LrConflict& conflict = b.table.conflicts()[0];
  EXPECT_EQ(b.grammar.SymbolName(conflict.terminal), "ELSE");
  EXPECT_EQ(conflict.actions.size(), 2u);
  EXPECT_EQ(b.table.Actions(conflict.state, conflict.terminal).size(), 2u);
}

TEST(LrTable, DumpListsKernelItemsAndConflicts) {
  Built b = Build("start: start start | X\nX: \"x\"\n");
  EXPECT_EQ(b.table.Dump(b.grammar),
            "state 0\n  S' -> . start\n"
            "state 1\n  start -> X .\n"
            "state 2\n  start -> start . start\n  S' -> start .\n"
            "state 3\n  start -> start . start\n  start -> start start .\n"
            "conflict in state 3 on X: 2 actions\n");
}

TEST(StackArena, EqualStacksAreOneNode) {
  Built b = Build("start: start start | X\nX: \"x\"\n");
  StackArena stacks(b.grammar, b.table);
  NodeId one = stacks.Shift(kBottomNode, b.Symbol("X"))[0];
  EXPECT_EQ(stacks.Shift(kBottomNode, b.Symbol("X"))[0], one);
  NodeId again =
      stacks.Push(stacks.node(one).below, stacks.node(one).state, stacks.node(one).column);
  EXPECT_EQ(again, one);
  EXPECT_EQ(stacks.node(one).depth, 1u);
  EXPECT_NE(stacks.Push(kBottomNode, stacks.node(one).state, 4), one)
      << "the column of a block counts";
}

TEST(StackArena, AmbiguousReductionsMergeOverEqualStacks) {
  // With only one nonterminal the readings of x x x differ below, but there are no more stacks than
  // shapes.
  Built b = Build("start: start start | X\nX: \"x\"\n");
  StackArena stacks(b.grammar, b.table);
  std::set<NodeId> tops{kBottomNode};
  for (int i = 0; i < 6; ++i) {
    std::set<NodeId> next;
    for (NodeId top : tops) {
      auto to = stacks.Shift(top, b.Symbol("X"));
      next.insert(to.begin(), to.end());
    }
    tops = next;
  }
  EXPECT_EQ(tops.size(), 5u) << "one stack for each number of starts below the last x, 1 to 5";
  for (NodeId top : tops) EXPECT_TRUE(stacks.AcceptsEnd(top));
}

TEST(StackArena, ReductionsEndInUnitCycles) {
  Built b = Build("start: a | X\na: b | Y\nb: start | start Z\nX: \"x\"\nY: \"y\"\nZ: \"z\"\n");
  StackArena stacks(b.grammar, b.table);
  NodeId top = stacks.Shift(kBottomNode, b.Symbol("X"))[0];
  EXPECT_TRUE(stacks.AcceptsEnd(top));
  auto after = stacks.Shift(top, b.Symbol("Z"));
  ASSERT_FALSE(after.empty());
  EXPECT_TRUE(stacks.AcceptsEnd(after[0]));
  EXPECT_TRUE(stacks.Shift(top, b.Symbol("Y")).empty());
}

// What its state asks for whatever comes next is reduced, and nothing shifts otherwise for it: over
// every text of up to six terminals.
TEST(StackArena, ASettledStackShiftsAsBefore) {
  Built b = Build(
      "start: sum\nsum: sum PLUS term | term\nterm: term STAR atom | atom\natom: OPEN sum CLOSE | "
      "NAME\n"
      "PLUS: \"+\"\nSTAR: \"*\"\nOPEN: \"(\"\nCLOSE: \")\"\nNAME: /[a-z]/\n");
  StackArena stacks(b.grammar, b.table);
  const auto symbols = {b.Symbol("PLUS"), b.Symbol("STAR"), b.Symbol("OPEN"), b.Symbol("CLOSE"),
                        b.Symbol("NAME")};
  std::vector<NodeId> tops{kBottomNode};
  size_t settled = 0;
  for (size_t length = 0; length < 6; ++length) {
    std::vector<NodeId> next;
    for (NodeId top : tops) {
      const NodeId after = stacks.Settled(top);
      settled += after != top;
      EXPECT_EQ(stacks.Settled(after), after);
      EXPECT_EQ(stacks.AcceptsEnd(after), stacks.AcceptsEnd(top));
      for (SymbolId symbol : symbols) {
        const auto to = stacks.Shift(top, symbol);
        const std::vector<NodeId> shifted(to.begin(), to.end());
        const auto behind = stacks.Shift(after, symbol);
        EXPECT_EQ(std::vector<NodeId>(behind.begin(), behind.end()), shifted)
            << b.grammar.SymbolName(symbol);
        next.insert(next.end(), shifted.begin(), shifted.end());
      }
    }
    tops = next;
  }
  EXPECT_GT(settled, 10u) << "a name is an atom, whatever follows";
  const NodeId name = stacks.Shift(kBottomNode, b.Symbol("NAME"))[0];
  const NoteScope settling(stacks.reads());
  stacks.Settled(name);
  EXPECT_EQ(settling.notes().lowest, 0u) << "what lies below says what a name becomes";
}

// The stacks over which x may stand behind n of them: 1 to n - 1 starts. Packed, they are one, and
// go on as all of them do.
TEST(StackArena, APackedStackGoesOnAsEachOfItsAlternatives) {
  Built b = Build("start: start start | X\nX: \"x\"\n");
  StackArena stacks(b.grammar, b.table);
  const auto shift = [&](const std::set<NodeId>& tops) {
    std::set<NodeId> next;
    for (NodeId top : tops) {
      auto to = stacks.Shift(top, b.Symbol("X"));
      next.insert(to.begin(), to.end());
    }
    return next;
  };
  std::set<NodeId> tops{kBottomNode};
  for (int i = 0; i < 6; ++i) tops = shift(tops);
  const std::vector<NodeId> five(tops.begin(), tops.end());
  const NoteScope reads(stacks.reads());
  NodeId one = stacks.Pack(five);
  EXPECT_EQ(stacks.Pack(five), one) << "equal sets are one node";
  EXPECT_EQ(stacks.Pack(std::vector{five[0], one}), one) << "packed nodes do not nest";
  EXPECT_EQ(stacks.node(one).depth, 1u);
  EXPECT_TRUE(stacks.node(one).over_packed);
  ASSERT_TRUE(stacks.IsPacked(stacks.node(one).below));
  EXPECT_EQ(stacks.Alternatives(stacks.node(one).below).size(), 5u);
  std::vector<NodeId> below;
  EXPECT_TRUE(stacks.FindBelow(one, 2, below));
  std::set<NodeId> expected;
  for (NodeId top : five) expected.insert(stacks.node(stacks.node(top).below).below);
  EXPECT_EQ(std::set<NodeId>(below.begin(), below.end()), expected);
  EXPECT_FALSE(stacks.FindBelow(five[4], 2, below));
  EXPECT_EQ(shift({one}), shift(tops)) << "the same stacks as from all of them";
  EXPECT_EQ(reads.notes().lowest, 0u) << "popped through a packed node: everything below was read";
  EXPECT_TRUE(stacks.AcceptsEnd(one));
  stacks.BeginTrial();
  const size_t lasting = stacks.lasting_size();
  NodeId tried = stacks.Pack(std::vector{five[0], five[1]});
  EXPECT_GE(tried.value, lasting);
  stacks.EndTrial();
  EXPECT_EQ(stacks.size(), lasting);
  EXPECT_EQ(stacks.Alternatives(stacks.node(one).below).size(), 5u);
  const size_t before = shift({one}).size();
  NodeId* const kept[] = {&one};
  stacks.KeepOnly(kept);
  EXPECT_LT(stacks.size(), lasting);
  EXPECT_EQ(stacks.Alternatives(stacks.node(one).below).size(), 5u);
  EXPECT_EQ(shift({one}).size(), before);
  EXPECT_TRUE(stacks.AcceptsEnd(one));
}

TEST(StackArena, ManyAlternativesAreThemselvesPacked) {
  Built b = Build("start: start start | X\nX: \"x\"\n");
  StackArena stacks(b.grammar, b.table);
  NodeId top = stacks.Shift(kBottomNode, b.Symbol("X"))[0];
  for (int i = 0; i < 1060; ++i) {
    auto to = stacks.Shift(top, b.Symbol("X"));
    top = stacks.Pack(std::vector(to.begin(), to.end()));
    ASSERT_TRUE(i == 0 || stacks.AcceptsEnd(top));
  }
  EXPECT_LT(stacks.Alternatives(stacks.node(top).below).size(), 10u);
  std::vector<NodeId> below;
  EXPECT_TRUE(stacks.FindBelow(top, 2, below));
  EXPECT_GT(below.size(), 1000u);
}

TEST(StackArena, TheEmptyTextIsAcceptedWhereTheStartIsNullable) {
  Built with = Build("start: X*\nX: \"x\"\n"), without = Build("start: X+\nX: \"x\"\n");
  EXPECT_TRUE(StackArena(with.grammar, with.table).AcceptsEnd(kBottomNode));
  EXPECT_FALSE(StackArena(without.grammar, without.table).AcceptsEnd(kBottomNode));
}

std::string RefusalOf(const std::string& text) {
  const auto grammar = ReadGrammar(text, "large.lark");
  if (!grammar) return grammar.error().ToString();
  const auto table = LrTable::Build(*grammar);
  if (table) return "";
  EXPECT_EQ(table.error().code, GrammarErrorCode::kTooLarge);
  return table.error().message;
}

TEST(LrTable, RefusesAGrammarWhoseTableWouldNotFitIntoMemory) {
  // 6,000 terminals, and a state for each of them and for each pair.
  std::string pairs = "start: \"k0\"";
  for (int i = 0; i < 6000; ++i) pairs += fmt::format(" | \"k{}\" \"k{}\"", i, (i + 1) % 6000);
  EXPECT_NE(RefusalOf(pairs + "\n").find("more than 4999 states"), std::string::npos);
  // 4,096 words of two letters, any of which may begin in each of 4,000 states.
  std::string words = "start:", list = "e:";
  for (int i = 0; i < 4000; ++i) words += " e";
  for (int word = 0; word < 4096; ++word) {
    list += word == 0 ? "" : "\n |";
    for (int bit = 0; bit < 12; ++bit) list += (word >> bit & 1) != 0 ? " \"b\"" : " \"a\"";
  }
  EXPECT_NE(RefusalOf(words + "\n" + list + "\n").find("items of rules"), std::string::npos);
  // 74,088 rules that begin alike.
  std::string alike = "start: \"z\"";
  for (int i = 0; i < 42 * 42 * 42; ++i)
    alike += fmt::format("\n | \"p\" \"t{}\" \"t{}\" \"t{}\"", i / (42 * 42), i / 42 % 42, i % 42);
  EXPECT_NE(RefusalOf(alike + "\n").find("items of rules in a state"), std::string::npos);
}

}  // namespace
}  // namespace tenon::constraint
