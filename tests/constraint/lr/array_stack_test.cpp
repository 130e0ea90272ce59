// The array of LR states does what a node of the arena does, where it says that it can; Undo leads
// back to the mark.
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"
#include "constraint/lr/array_stack.h"
#include "constraint/lr/stack.h"

namespace tenon::constraint {
namespace {

using Outcome = ArrayStack::Outcome;

struct Parser {
  Grammar grammar;
  LrTable table;
};

Parser Make(const std::string& text) {
  auto grammar = ReadGrammar(text, "array.lark");
  if (!grammar) throw std::runtime_error(grammar.error().ToString());
  auto table = LrTable::Build(*grammar);
  if (!table) throw std::runtime_error(table.error().ToString());
  return {*std::move(grammar), *std::move(table)};
}

std::vector<LrStateId> StatesOf(const StackArena& arena, NodeId top) {
  std::vector<LrStateId> states;
  for (NodeId n = top; n != kBottomNode; n = arena.node(n).below)
    states.insert(states.begin(), arena.node(n).state);
  states.insert(states.begin(), kStartLrState);
  return states;
}

TEST(ArrayStack, ShiftsAsTheArenaDoesAndUndoesWhatItRefuses) {
  const Parser parser = Make(
      "start: statement+\nstatement: \"a\" \"=\" sum \";\" | \"(\" start \")\"\nsum: term | sum "
      "\"+\" term\n"
      "term: \"a\" | \"(\" sum \")\" | term \"*\" \"a\"\n");
  std::mt19937 random(7);
  size_t shifted = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    StackArena arena(parser.grammar, parser.table);
    ArrayStack stack(parser.grammar, parser.table);
    NodeId top = kBottomNode;
    for (int step = 0; step < 60; ++step) {
      const SymbolId lr_terminal{
          static_cast<uint16_t>(random() % parser.grammar.lr_terminals.size())};
      const std::vector<LrStateId> before(stack.states().begin(), stack.states().end());
      stack.Mark();
      const Outcome outcome = stack.Shift(lr_terminal);
      const auto to = arena.Shift(top, lr_terminal);
      ASSERT_EQ(outcome == Outcome::kShifted, to.size() == 1);
      ASSERT_NE(outcome, Outcome::kForks);
      if (outcome == Outcome::kShifted) {
        top = to[0];
        ++shifted;
      } else {
        stack.Undo();
        ++refused;
        ASSERT_EQ(std::vector<LrStateId>(stack.states().begin(), stack.states().end()), before);
      }
      ASSERT_EQ(std::vector<LrStateId>(stack.states().begin(), stack.states().end()),
                StatesOf(arena, top));
    }
  }
  EXPECT_GT(shifted, 1000u);
  EXPECT_GT(refused, 1000u);
}

// start: a a "c" | b "d" with a and b both of the letter x: at the second letter one action more
// than one.
TEST(ArrayStack, SaysWhereThereIsMoreThanOneWay) {
  const Parser parser = Make("start: a \"y\" \"c\" | b \"y\" \"d\"\na: \"x\"\nb: \"x\"\n");
  ArrayStack stack(parser.grammar, parser.table);
  const auto lr_terminal = [&](const std::string& literal) {
    for (uint16_t c = 0; c < parser.grammar.lr_terminals.size(); ++c) {
      if (parser.grammar.terminals[parser.grammar.lr_terminals[c].terminal.value].pattern ==
          literal)
        return SymbolId{c};
    }
    throw std::runtime_error("no such letter");
  };
  stack.Mark();
  ASSERT_EQ(stack.Shift(lr_terminal("x")), Outcome::kShifted);
  stack.Mark();
  EXPECT_EQ(stack.Shift(lr_terminal("y")), Outcome::kForks);
  stack.Undo();
  EXPECT_EQ(stack.states().size(), 2u);
}

}  // namespace
}  // namespace tenon::constraint
