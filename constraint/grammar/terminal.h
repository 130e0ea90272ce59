// A terminal: a regular expression with a name, and everything that directives say about its
// lexemes.
//
// Example: `NUMBER: /[0-9]+/` makes the terminal NUMBER; `12` is a lexeme of it. The literal `"if"`
// in a rule makes the terminal IF. Most terminals stand in rules (`kParsed`). The other kinds, each
// with an example:
//   kIgnored   blanks and comments (`%ignore`): their lexemes leave no trace in the parse.
//   kPoison    `/"[^"\n]*/`, a string without its end (`%poison`): the lexer takes it by longest
//              match, and a text that holds one is invalid.
//   kLineEnd   `/\n/` in a language where line ends sometimes count (`%terminator`, `%line_ends`).
//   kDeclared  INDENT (`%declare`): no lexeme at all; the layout makes it.
//
// Two languages share a terminal: the *accepted* lexemes match `pattern`; the *emitted* ones, a
// subset, match `emit_pattern` too. Example: NAME accepts letters of every script and emits ASCII.
// Thread rule: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "constraint/grammar/symbols.h"

namespace tenon::constraint {

enum class TerminalKind : uint8_t {
  kParsed,   // stands in rules
  kIgnored,  // %ignore: shapes no parse
  kPoison,   // %poison: absorbs an ill-formed lexeme; a text that holds one is invalid
  // %terminator, %line_ends: a line end, or a comment with one. Blank, or the terminator, or
  // remembered for the lexeme after it.
  kLineEnd,
  kDeclared,  // %declare: has no lexeme, a mechanism makes it (INDENT, DEDENT)
};

// The change that a lexeme makes to the stack of modes at its end (`%push`, `%switch`, `%pop`).
struct ModeAction {
  enum class Kind : uint8_t { kNone, kPush, kSwitch, kPop } kind = Kind::kNone;
  ModeId mode;  // kPush, kSwitch: the mode on top after the lexeme
  auto operator<=>(const ModeAction&) const = default;
};

// Sets of modes are bits of a word; one is left for the beginning of a line, which `%forbid` takes
// like a mode.
inline constexpr size_t kMaxModes = 63;
inline constexpr uint64_t kLineBeginning = uint64_t{1} << kMaxModes;

struct Terminal {
  std::string name;           // as messages print it: NAME, LPAR, IF
  std::string pattern;        // over code points, literals escaped; empty for kDeclared
  std::string pattern_flags;  // Lark's flags after the pattern: any of "imsx"
  bool literal = false;       // given as a string, not as a /regex/
  int priority = 0;           // TERM.N
  TerminalKind kind = TerminalKind::kParsed;
  bool soft = false;       // %soft: its lexeme also counts as the next matching terminal
  bool delimited = false;  // %delimited: one opened by emitted text closes in emitted text
  bool emitted = true;     // false: `%emit T never`
  ModeAction action;
  // `%forbid`: bits of modes; emitted text begins no lexeme of the terminal while one of them is on
  // the stack. kLineBeginning: nor on a line without content.
  uint64_t not_within = 0;
  bool not_last = false;     // `%not_last`: no text ends with its lexeme
  std::string emit_pattern;  // empty: as `pattern`
  std::string emit_flags;
  std::string spelling;     // `%spell`: preferred lexeme in closing texts; empty: a shortest one
  std::string description;  // `%describe`: for messages; empty: the literal in quotes, or the name
};

}  // namespace tenon::constraint
