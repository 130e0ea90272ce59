// The labels of the right automaton's edges: sets of LR terminals, each kept once.
//
// A lexeme of R may be read as several LR terminals: in Python's `a = |match` the word `match` is a
// keyword and a name. An edge over the lexeme has one *label*, a number for the set of them. So all
// edges have one size, and equal sets are compared by their numbers.
//
// Line ends divide these sets, in some grammars:
//   %terminator   in Go a line end is a `;` after `x` and none after `+`. So the terminals after
//                 which a line end is the terminator have a label of their own.
//   conditions    in JavaScript a postfix `++` may not follow a line end. So a lexeme has a label
//                 for each case: a line end lies before it, or none does.
//
// Source: none. Cost: a label is searched among all (some dozens) where it is made; the labels of
// lexemes are made once for a grammar. Thread rule: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"

namespace tenon::constraint {

class RightLabels {
 public:
  // REQUIRES: `layout` outlives this.
  RightLabels(const Lexer& lexer, const LayoutRules& layout);

  // The LR terminals of a label, ascending.
  std::span<const SymbolId> operator[](uint32_t label) const { return labels_[label]; }
  bool IsEmpty(uint32_t label) const { return labels_[label].empty(); }
  uint32_t Of(std::vector<SymbolId> lr_terminals);
  // The labels of some LR terminals, apart by whether a line end after them is the terminator.
  struct ByLineEnd {
    uint32_t plain = 0, ends_phrase = 0;
  };
  ByLineEnd Divided(const std::vector<SymbolId>& lr_terminals);
  // The labels of a given lexeme. `line_seen`: a line end lies before it.
  ByLineEnd OfLexeme(LexemeId id, bool line_seen) const { return of_lexemes_[line_seen][id.value]; }
  // The LR terminals of `lr_terminals` that may follow a line end, or no line end.
  std::vector<SymbolId> Allowed(std::vector<SymbolId> lr_terminals, bool line_seen) const;
  // Has an LR terminal of the lexeme, or of its first part (`%split`), a condition on line ends?
  bool DependsOnLineEnd(const Lexeme& lexeme) const;

  // The labels of NEWLINE, INDENT and DEDENT, where the grammar has them.
  uint32_t newline() const { return newline_; }
  uint32_t indent() const { return indent_; }
  uint32_t dedent() const { return dedent_; }

 private:
  const LayoutRules& layout_;
  std::vector<std::vector<SymbolId>> labels_;
  std::array<std::vector<ByLineEnd>, 2> of_lexemes_;  // [line_seen][LexemeId]
  uint32_t newline_ = 0, indent_ = 0, dedent_ = 0;
};

}  // namespace tenon::constraint
