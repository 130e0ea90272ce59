// Scope: a limit of the text that a completion may write, so that it does not close the user's
// bracket or leave the user's line or block.
//
// Example, with the cursor in a call inside a block:
//
//   if ready:
//       send(a|)
//   close()
//
//   scope       `, b`   `)` + line end + `    send(c`   the same at column 0
//   argument    yes     no: closes the user's bracket   no
//   line        yes     no: a line end                  no
//   statement   yes     no: a second statement          no
//   block       yes     yes                             no: ends the block
//   free        yes     yes                             yes
//
// Definition:
//
//   argument    the enclosing bracket stays open; where no bracket is open, as `line`
//   line        no line end is written
//   statement   with `%layout`, after the end of the cursor's line only lines of deeper blocks are
//               written; else, with `%terminator`, nothing is written after the terminator. The
//               block stays open
//   block       the cursor's block stays open. A smaller column closes a block where columns count,
//               elsewhere its `}` does; in the cursor's line such a block may be closed and opened
//               again, as `} else {` does
//   free        no restriction
//
// Details, one at a time:
// - On a line without content, the column of the cursor tells the cursor's block: the first lexeme
//   may close the blocks of a greater column, because the cursor is left of them. Example: at
//   column 0 below `    send(a)` the cursor is in the file's block.
// - Only written text counts. The right context may close any bracket.
// - A lexeme begun in L counts if a byte is written to it. Example: `y` after `x|` continues the
//   name; the whole name counts as written.
// - A further clause at the statement's own column counts as a next line: in the scope `statement`
//   no `else:` is written after the block of an `if`.
// - Brackets are the ones of `%layout`, the lexemes that push and pop modes, and all terminals
//   spelled ( [ { or ) ] }. Braces are the terminals spelled { and }, and what pushes a mode and
//   ends with {, as `${` of a template.
//
// A scope is decided from layout events and lexemes alone, so it works for any grammar.
// Source: docs/design/closing.md, "Scope". Cost: a few counters a branch; nothing with `free`.
// Thread rule: ScopeRules is immutable; ScopeState is a value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraint/lex/lex.h"

namespace tenon::constraint {

struct LayoutEvent;
struct LayoutState;
class IndentArena;
class LayoutRules;

// Each is wider than the next.
enum class Scope : uint8_t { kFree, kBlock, kStatement, kLine, kArgument };
// "argument", "line", "statement", "block", "free".
const char* ToString(Scope scope);

// The member of a LexicalContext: counts of the text that was written since the cursor.
struct ScopeState {
  Scope scope = Scope::kFree;
  // kStatement: the cursor's line, or its statement by a terminator, has ended. kBlock: a line end
  // was written.
  bool line_ended = false;
  uint16_t brackets = 0;  // opened and not closed
  uint16_t braces = 0;
  uint16_t blocks = 0;  // by indents
  // Blocks of L that the first lexeme may close: the cursor's line begins left of them.
  uint16_t closable = 0;
  // kBlock: braces of L that were closed and not opened again.
  uint16_t owed_braces = 0;
  auto operator<=>(const ScopeState&) const = default;
};

class ScopeRules {
 public:
  ScopeRules(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout);

  // The state at the cursor. `at`: the layout after the last lexeme that has ended. `in_progress`:
  // the lexeme that the text before the cursor ends with; kNoLexeme where it cannot end there.
  ScopeState Begin(Scope scope, const LayoutState& at, LexemeId in_progress,
                   const IndentArena& indents) const;
  // Counts a written lexeme that has ended and gave `events`. False: it leaves the scope.
  bool Written(LexemeId lexeme, std::span<const LayoutEvent> events, ScopeState& state) const;
  // May this byte be written? `state`: with the lexemes that ended before it.
  static bool MayWrite(uint8_t byte, const ScopeState& state) {
    return (state.scope != Scope::kLine && state.owed_braces == 0) ||
           (byte != '\n' && byte != '\r');
  }
  // Counts a written byte.
  static void Wrote(uint8_t byte, ScopeState& state) {
    if (state.scope == Scope::kBlock && byte == '\n') state.line_ended = true;
  }
  // May R follow?
  static bool MayEnd(const ScopeState& state) { return state.owed_braces == 0; }

 private:
  struct Nesting {
    int8_t bracket = 0, brace = 0;  // +1 opens, -1 closes
    bool is_newline = false;
    bool ends_statement = false;  // a terminator that is written out
  };
  bool CountBrackets(const Nesting& nesting, ScopeState& state) const;

  std::vector<Nesting> nestings_;  // [LexemeId]
  bool lines_ = false;             // line ends are terminals
  bool columns_ = false;
};

}  // namespace tenon::constraint
