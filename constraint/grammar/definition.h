// A grammar: terminals with regular expressions, rules over symbols in epsilon-free form, and
// mechanisms.
//
// A grammar file is turned into one object of this type, once; the lexer, the LR table and all that
// follows are made of it. Example: the file
//
//   start: NAME ("," NAME)* [","#given]
//   NAME: /[a-z]+/
//
// has the terminals COMMA and NAME, the LR terminals COMMA, COMMA#given and NAME, and the rules
// (Dump)
//
//   start: start
//   start -> NAME __plus_1 COMMA#given
//   start -> NAME __plus_1
//   start -> NAME COMMA#given
//   start -> NAME
//   __plus_1 -> COMMA NAME
//   __plus_1 -> __plus_1 COMMA NAME
//
// *Two languages in one object.* The *accepted* texts are those that a person may have written; the
// *emitted* ones, which tenon writes, are a subset. Above `a, b,` is accepted, and tenon writes no
// last comma.
//
// *Epsilon-free form.* No rule has an empty right side, so no parser state needs bookkeeping for
// nullable symbols. `start_nullable` says whether the empty text belongs to the language; apart
// from it the language is unchanged.
//
// *Reduced.* Every symbol derives a text, and the start reaches every symbol. Soundness checks and
// the LR table rely on it.
//
// Source: Hopcroft, Motwani, Ullman, Introduction to Automata Theory, section 7.1 (removing epsilon
// and useless symbols).
// Cost: rules grow by 2^k for k optional parts in one alternative. Python's grammar: see
// docs/measured.md.
// Thread rule: immutable after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/grammar/mechanisms.h"
#include "constraint/grammar/symbols.h"
#include "constraint/grammar/terminal.h"

namespace tenon::constraint {

struct Grammar {
  std::string path;  // for messages
  // In order of decreasing precedence: priority, then literal, then definition order.
  std::vector<Terminal> terminals;
  std::vector<std::string> predicates;  // [0] = "given"
  std::vector<LrTerminal> lr_terminals;
  std::vector<std::string> nonterminals;  // name of symbol lr_terminals.size() + i
  std::vector<ContextChange> changes;     // [nonterminal]
  std::vector<Rule> rules;                // reduced: every symbol productive and reachable
  SymbolId start;
  bool start_nullable = false;
  std::vector<Mode> modes;          // [0] of a text's beginning and end; empty: there is one mode
  std::vector<PredicateId> levels;  // `%levels`: each includes those before it
  std::optional<Layout> layout;
  std::optional<Terminator> terminator;
  bool remembers_line_ends = false;  // `%line_ends`
  std::vector<Split> splits;
  std::optional<Insertion> insertion;
  std::vector<Apart> apart;
  std::vector<NestingLimit> limits;      // kMaxNestingLimits at most, of blocks one
  std::vector<LexemeRule> lexeme_rules;  // kMaxLexemeRules at most
  std::optional<EncodingDeclaration> encoding;
  std::vector<NameLine> names;
  std::vector<Region> regions;  // the first that fits a node counts
  // A text is one lexeme, of a regular expression without a grammar. An unfinished one is poison,
  // however long it goes on.
  bool one_lexeme = false;

  ContextChange ChangeOf(SymbolId s) const {
    return IsLrTerminal(s) ? ContextChange{} : changes[s.value - lr_terminals.size()];
  }
  bool IsLrTerminal(SymbolId s) const { return s.value < lr_terminals.size(); }
  size_t symbol_count() const { return lr_terminals.size() + nonterminals.size(); }
  // The parser's own rule S' -> start; it has the number after those of `rules`.
  RuleId augmented() const { return RuleId{static_cast<uint32_t>(rules.size())}; }
  // The right side of a rule, the augmented one included: its length, and the symbol after a dot.
  size_t LengthOf(RuleId rule) const {
    return rule == augmented() ? 1 : rules[rule.value].body.size();
  }
  SymbolId SymbolAt(RuleId rule, size_t dot) const {
    return rule == augmented() ? start : rules[rule.value].body[dot];
  }
  // The predicates of `%levels` up to the one of this name; none for "". Error: there is no such
  // level, and which there are.
  tl::expected<PredicateBits, std::string> LevelsUpTo(std::string_view name) const;
  // Of all lines of `%names`, by LrTerminal::name_set.
  const std::string& NameSet(uint8_t set) const;
  // Name with predicate for an LR terminal ("COMMA#given"), name of a nonterminal otherwise.
  std::string SymbolName(SymbolId s) const;
  // Every rule, one a line: for tests and for a reader of a bug report.
  std::string Dump() const;
};

}  // namespace tenon::constraint
