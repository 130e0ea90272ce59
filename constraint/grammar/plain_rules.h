// Rules in plain form: every right side is a list of symbols, without `?`, `*`, `(a | b)`.
//
// The stage between a grammar file and a Grammar. The file's rules are written out into plain form
// once (grammar_file/rule_expander.h); the transformations of this room then work on lists alone
// (epsilon_free.h, first_terminal.h). Example: the rule
//
//   call: NAME "(" [args] ")"
//
// has two bodies in plain form, one without and one with the optional part:
//
//   call -> NAME LPAR RPAR
//   call -> NAME LPAR args RPAR
//
// Symbols are indices into the tables of one PlainRules. The numbers of a Grammar (TerminalId,
// SymbolId) come last, when terminals are sorted by precedence and useless symbols are known.
// Thread rule: plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "constraint/grammar/grammar_error.h"
#include "constraint/grammar/symbols.h"

namespace tenon::constraint {

// A terminal by its position in the reader's table (TerminalTable::entries of
// grammar_file/terminal_table.h): named terminals in file order, then literals by first use.
struct TerminalIndex {
  uint32_t value = 0;
  auto operator<=>(const TerminalIndex&) const = default;
};

// A terminal with its predicate, or a nonterminal.
struct PlainSymbol {
  bool is_terminal = false;
  uint32_t index = 0;  // into PlainRules::lr_terminals or PlainRules::nonterminals
  auto operator<=>(const PlainSymbol&) const = default;
};
using PlainBody = std::vector<PlainSymbol>;

// `NAME` or `NAME#predicate`.
struct PlainTerminal {
  TerminalIndex terminal;
  std::optional<uint32_t> predicate;  // index into PlainRules::predicates
  // The condition of a rule that it stands first in, beside its own (`rule#no_newline`).
  std::optional<uint32_t> first_predicate = std::nullopt;
  auto operator<=>(const PlainTerminal&) const = default;
};

struct PlainNonterminal {
  std::string name;
  FilePlace place;                // of the rule in the file
  bool made = false;              // true: made by the expansion, as for `x+`; nobody wrote it
  std::vector<PlainBody> bodies;  // distinct; possibly one empty
  ContextChange change = {};
  // A condition on the first terminal of each of its texts: `expression#no_newline`
  // (first_terminal.h).
  std::optional<uint32_t> first_predicate = std::nullopt;
};

struct PlainRules {
  std::vector<PlainTerminal> lr_terminals;
  std::vector<std::string> predicates = {"given"};
  std::vector<PlainNonterminal> nonterminals;  // the written ones in file order, then the made ones
};

}  // namespace tenon::constraint
