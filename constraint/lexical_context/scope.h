// Scope: how far a completion may go from where it began, so that it cannot escape its context.
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
//   argument    the enclosing bracket stays open; where none is open, as `line`
//   line        no line end is written
//   statement   where lines are terminals: after the end of the cursor's line only lines of deeper
//               blocks; else, with a terminator, nothing after it; never out of the block
//   block       the cursor's block stays open. It ends by a smaller column where columns count,
//               else by the brace that closes it
//   free        no restriction
//
// Details, one at a time:
// - On a line without content the column of the cursor decides which block is the cursor's: the
//   first lexeme may close the blocks of a greater column, because the cursor is left of them.
// - Only written text counts. R may close any bracket.
// - A lexeme begun in L counts once a byte is written to it.
// - A further clause at the statement's own column (`else`) counts as a next line.
// - Brackets are those of `%layout` and all terminals spelled ( [ {; braces those spelled {.
//
// Everything is decided from layout events and lexemes, so a scope works for any grammar.
// Source: docs/design/closing.md, "Scope". Cost: a few counters a branch; nothing with `free`.
// Thread rule: ScopeRules is immutable; ScopeState is a value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
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
std::optional<Scope> ScopeFromName(std::string_view name);
const char* ToString(Scope scope);

// The member of a LexicalContext: counts of the text that was written since the cursor.
struct ScopeState {
  Scope scope = Scope::kFree;
  bool line_ended = false;  // the cursor's line, or its statement by a terminator
  uint16_t brackets = 0;    // opened and not closed
  uint16_t braces = 0;
  uint16_t blocks = 0;  // by indents
  // Blocks of L that the first lexeme may close: the cursor's line begins left of them.
  uint16_t closable = 0;
  auto operator<=>(const ScopeState&) const = default;
};

class ScopeRules {
 public:
  ScopeRules(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout);

  // The state at the cursor. `at`: the layout after the last lexeme that has ended; `in_progress`:
  // the lexeme that the text before the cursor ends in, if it could end there.
  ScopeState Begin(Scope scope, const LayoutState& at, LexemeId in_progress,
                   const IndentArena& indents) const;
  // A written lexeme has ended as `events`. False: it leaves the scope.
  bool Written(LexemeId lexeme, std::span<const LayoutEvent> events, ScopeState& state) const;
  // May this byte be written?
  static bool MayWrite(uint8_t byte, const ScopeState& state) {
    return state.scope != Scope::kLine || (byte != '\n' && byte != '\r');
  }

 private:
  struct Nesting {
    int8_t bracket = 0, brace = 0;  // +1 opens, -1 closes
    bool is_newline = false;
    bool ends_statement = false;  // a terminator that is written out
  };
  bool Closes(const Nesting& nesting, ScopeState& state) const;

  std::vector<Nesting> nestings_;  // [LexemeId]
  bool lines_ = false;             // line ends are terminals
  bool columns_ = false;
};

}  // namespace tenon::constraint
