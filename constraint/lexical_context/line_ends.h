// Line ends without a terminal of their own. By the terminals around it, a line end is a blank, a
// semicolon, or a condition on the next terminal (`%terminator`, `%line_ends` and `%insert` in a
// grammar).
//
// Go's rule, `%terminator ";" at NEWLINE after NAME ")"`: a line end is a `;` after a terminal that
// can end a statement, and a blank after any other. Example, with a line end at the cursor:
//
//   x = y|      after the name `y` the line end is shifted as `;`
//   x = y +|    after `+` the line end is a blank, and the statement continues
//
// The state is one bit, set by the terminal that was shifted last: does a line end here end the
// phrase?
//
// JavaScript's rule, `%line_ends NEWLINE`: a line end is a blank, and is remembered up to the next
// terminal. An occurrence of a terminal in a rule may require that there was one, or none. Example:
// `"++"#no_newline` requires `++` on the same line.
//
//   x| ++ y     `++` is on the line of `x` and belongs to it, so `y` does not fit
//   x|          with `++ y` on the next line: `"++"#no_newline` is refused, so `++` does not
//               belong to `x`
//
// `%insert SEMICOLON` builds on this rule: where a lexeme does not fit and a line end lies before
// it, the parser shifts SEMICOLON first (reading/branch.h). The second text is then `x; ++y`.
//
// `SEMICOLON#given` in a rule is inserted in given text alone: between two lexemes right of the
// cursor, or left of it, before a lexeme or a line end that is given. Example: TypeScript reads
// `const a` without a value, and no completion may end there:
//
//   const a|      a value is to be written
//   const a       read: a given semicolon ends it, whatever is written on the next line
//   |
//
// Definition (a grammar has `%terminator` or `%line_ends`, not both):
//
//   terminal t is shifted:  seen := false
//                           ends_phrase := `%terminator ... after` names t
//                           place := written, if the lexeme is emitted or the cursor lay in it or
//                                    at its end; else given
//   a line end is read:     seen := the grammar has `%line_ends`
//                           the terminator is shifted if ends_phrase; ends_phrase := false
//   the cursor is passed:   place := given, if seen or before the lexeme in progress; else written
//
// A terminal with a predicate or condition has an LR terminal of its own (grammar/symbols.h), so
// the functions here take LR terminals.
// Source: The Go Programming Language Specification, "Semicolons",
// https://go.dev/ref/spec#Semicolons; ECMAScript Language Specification, "Automatic Semicolon
// Insertion".
// Cost: a look-up a question. Thread rule: LineEnds is a value, LineEndRules is immutable.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

// `%insert`: in which text a terminal that is inserted before the next lexeme lies.
enum class InsertionPlace : uint8_t {
  kGiven,
  kGivenBeforeBegun,  // given, if the lexeme that the cursor stands in or at is no blank
  kWritten,           // at the cursor, or beside a lexeme that is not given
};

// The member of a LexicalContext.
struct LineEnds {
  bool seen = false;         // `%line_ends`: a line end lies between the last terminal and here
  bool ends_phrase = false;  // `%terminator`: a line end here is shifted as the terminator
  InsertionPlace place = InsertionPlace::kGiven;  // of a grammar with `%insert` alone
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
  // Does Allows depend on `seen` for this terminal?
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

  // Does the grammar have `%insert`?
  bool inserts() const { return !inserted_.empty(); }
  // The LR terminals that `%insert` inserts: in written text the first one, in given text all.
  std::span<const SymbolId> inserted() const { return inserted_; }
  std::span<const SymbolId> inserted(InsertionPlace place) const {
    return std::span(inserted_).first(place == InsertionPlace::kWritten ? 1 : inserted_.size());
  }
  bool IsInserted(SymbolId terminal) const {
    return std::find(inserted_.begin(), inserted_.end(), terminal) != inserted_.end();
  }

  // Reads a line end. True: it is shifted as the terminator.
  bool ReadLineEnd(LineEnds& at) const {
    at.seen = remembers_;
    ReadBlank(at);
    return std::exchange(at.ends_phrase, false);
  }
  // Reads the end of the text. True: it is shifted as the terminator.
  bool ReadEndOfText(LineEnds& at) const {
    at.seen = false;
    return std::exchange(at.ends_phrase, false);
  }
  // Reads a lexeme that leaves no terminal.
  void ReadBlank(LineEnds& at) const {
    if (at.place == InsertionPlace::kGivenBeforeBegun) EndGiven(false, at);
  }
  // Reads a lexeme of which this LR terminal is shifted.
  void ReadTerminal(SymbolId terminal, bool emitted, LineEnds& at) const {
    at.seen = false;
    at.ends_phrase = EndsPhrase(terminal);
    at.place = PlaceAfter(at.place, emitted);
  }
  // Where a terminal that is inserted after a lexeme lies; `before`: the place before the lexeme.
  InsertionPlace PlaceAfter(InsertionPlace before, bool emitted) const {
    const bool written = emitted || before == InsertionPlace::kGivenBeforeBegun;
    return written && inserts() ? InsertionPlace::kWritten : InsertionPlace::kGiven;
  }
  // Given text ends here. `begun`: in a lexeme, which written text may go on with.
  void EndGiven(bool begun, LineEnds& at) const {
    if (!inserts()) return;
    at.place = begun     ? InsertionPlace::kGivenBeforeBegun
               : at.seen ? InsertionPlace::kGiven
                         : InsertionPlace::kWritten;
  }

 private:
  bool remembers_ = false;
  std::vector<LineCondition> conditions_;  // [LR terminal]; empty without `%line_ends`
  std::vector<SymbolId> same_line_;
  std::vector<SymbolId> terminator_given_, terminator_emit_;
  std::vector<bool> ends_phrase_;   // [LR terminal]; empty without `%terminator`
  std::vector<SymbolId> inserted_;  // without a predicate; `#given` where a rule has it
};

// The LR terminal of `terminal` without a predicate; nothing where no rule has one.
std::optional<SymbolId> TerminalWithoutPredicate(const Grammar& grammar, TerminalId terminal);

}  // namespace tenon::constraint
