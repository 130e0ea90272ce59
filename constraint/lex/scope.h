// Scope: how far what is written may go from where it began, so that a completion cannot escape its
// context.
//
//   argument    the enclosing bracket is not closed; where none is open, as `line`
//   line        no line end is written
//   statement   where lines are terminals: behind the end of the cursor's line only lines of deeper
//               blocks; else, with a terminator,
//               nothing behind it; never out of the block
//   block       the cursor's block is not ended: by a lesser column where columns count, else by
//               the brace that closes it. On a line without
//               content the cursor's column says which block that is
//   free        anything that fits
//
// Decided from layout events and lexemes alone, for any grammar: newline, indent, dedent and
// terminator as the layout makes them; brackets are those of %layout and all terminals spelled ( [
// {, braces those spelled {. Only what is written counts, not what R does behind it; a lexeme begun
// in L counts once a byte is written to it. A further clause at the statement's own column (`else`)
// counts as a next line.
// Source: docs/design/closing.md, "Scope". Cost: a few counters a branch; nothing with `free`. Thread
// rule: immutable; ScopeState is a value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "constraint/lex/lexer.h"

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

// What has been written since the cursor, as far as its scope has to know.
struct ScopeState {
  Scope scope = Scope::kFree;
  bool line_ended = false;  // the cursor's line, or what the terminator ends
  uint16_t brackets = 0;    // opened and not closed
  uint16_t braces = 0;
  uint16_t blocks = 0;  // by indents
  uint16_t closable =
      0;  // blocks of L that the first lexeme may close: the cursor's line begins left of them
  auto operator<=>(const ScopeState&) const = default;
};

class ScopeRules {
 public:
  ScopeRules(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout);

  // At the cursor, where `at` is the layout behind the last lexeme that has ended and `in_progress`
  // what the text before the cursor ends in, if it could end there.
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
