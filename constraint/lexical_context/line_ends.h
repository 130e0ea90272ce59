// Line ends that are no terminals of their own: blank, or a semicolon, or a condition on the token
// after them (`%terminator`, `%line_ends` and `%insert` in a grammar).
//
// Go's rule, `%terminator ";" at NEWLINE after NAME ")"`: a line end is a `;` when the token before
// it can end a statement, and blank otherwise. One bit is enough, set by the token that was shifted
// last:
//
//   x = y|      after the name `y` a line end is shifted as `;`
//   x = y +|    after `+` a line end is blank: the statement goes on
//
// JavaScript's rule, `%line_ends NEWLINE`: a line end is blank and remembered up to the next token,
// and an occurrence of a terminal in a rule may query whether there was one:
//
//   x|  ++      on one line: `++`, which is `"++"#no_newline` in the rule, belongs to `x`
//   return|     then a line end and `x`: `expression#no_newline` is refused, so `x` begins a
//               statement
//
// `%insert SEMICOLON` builds on it: where a token does not fit and a line end lies before it, the
// parser shifts SEMICOLON first (reading/branch.h).
//
// A grammar has `%terminator` or `%line_ends`, not both. Definition, for a terminal t that is
// shifted:
//
//   t is shifted:     seen := false                 ends_phrase := t is one of `%terminator ...
//                     after`
//   a line end:       seen := `%line_ends` is used  shifts the terminator if ends_phrase; then
//                     false
//
// The grammar's terminals with a predicate each have an LR terminal of their own
// (grammar/grammar.h), so all questions here are about LR terminals.
// Source: The Go Programming Language Specification, "Semicolons",
// https://go.dev/ref/spec#Semicolons; ECMAScript Language Specification, "Automatic Semicolon
// Insertion".
// Cost: a look-up a question. Thread rule: LineEnds is a value, LineEndRules is immutable.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

// The member of a LexicalContext.
struct LineEnds {
  bool seen = false;         // `%line_ends`: a line end lies between the last token and here
  bool ends_phrase = false;  // `%terminator`: a line end here is shifted as the terminator
  auto operator<=>(const LineEnds&) const = default;
};

class LineEndRules {
 public:
  // REQUIRES: `%insert`'s terminal occurs in a rule without a predicate.
  explicit LineEndRules(const Grammar& grammar);

  // Does the grammar have `%line_ends`?
  bool remembers() const { return remembers_; }
  // May `terminal` be shifted, given whether a line end lies before its lexeme?
  bool Allows(SymbolId terminal, bool seen) const {
    if (conditions_.empty() || conditions_[terminal.value] == LineCondition::kNone) return true;
    return (conditions_[terminal.value] == LineCondition::kNewlineBefore) == seen;
  }
  // Does Allows depend on `seen` for it?
  bool HasCondition(SymbolId terminal) const {
    return !conditions_.empty() && conditions_[terminal.value] != LineCondition::kNone;
  }
  // The LR terminals that Allows refuses after a line end, `SYMBOL#no_newline`.
  std::span<const SymbolId> same_line_terminals() const { return same_line_; }

  // Does the grammar have `%terminator`?
  bool has_terminator() const { return !terminator_given_.empty(); }
  // The LR terminals that a line end is shifted as where it is the terminator.
  const std::vector<SymbolId>& terminators(bool emitted) const {
    return emitted ? terminator_emit_ : terminator_given_;
  }
  // Is a line end the terminator directly after this LR terminal?
  bool EndsPhrase(SymbolId terminal) const {
    return !ends_phrase_.empty() && ends_phrase_[terminal.value];
  }

  // The LR terminal that `%insert` inserts.
  std::optional<SymbolId> inserted() const { return inserted_; }

  // A line end was read. True: it is shifted as the terminator.
  bool ReadLineEnd(LineEnds& at) const {
    const bool ended = at.ends_phrase;
    at = {remembers_, false};
    return ended;
  }
  // The end of the text was read. True: it is shifted as the terminator.
  bool ReadEndOfText(LineEnds& at) const {
    const bool ended = at.ends_phrase;
    at = {};
    return ended;
  }

 private:
  bool remembers_ = false;
  std::vector<LineCondition> conditions_;  // [LR terminal]; empty without `%line_ends`
  std::vector<SymbolId> same_line_;
  std::vector<SymbolId> terminator_given_, terminator_emit_;
  std::vector<bool> ends_phrase_;  // [LR terminal]; empty without `%terminator`
  std::optional<SymbolId> inserted_;
};

// The LR terminal of `terminal` without a predicate; nothing where no rule has one.
std::optional<SymbolId> TerminalWithoutPredicate(const Grammar& grammar, TerminalId terminal);

}  // namespace tenon::constraint
