// Forbidden beginnings: lexemes that a completion may go on with and may not begin (`%forbid`).
//
// Example: before Python 3.12 a field of an f-string holds no string of the same quotes. A file may
// have one all the same, because a newer Python reads it. So in
//
//   f'{a['b|     the string was begun left of the cursor: a completion finishes it
//   f'{a[|       a completion writes "b" here, and never 'b'
//
// The condition is about the modes that are open (lex/modes.h), and about the beginning of a line,
// which counts as one more mode: a joined line `\` + line end is not written before a line's first
// token.
//
//   refused:  t is emitted, was not begun in L, and not_within(t) meets the open modes
//
// Source: docs/grammars.md, `%forbid`. Cost: two operations on bits for a lexeme that ends.
// Thread rule: LexemeOrigin is a value.
#pragma once

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"

namespace tenon::constraint {

// The member of a LexicalContext.
struct LexemeOrigin {
  bool in_left = false;  // the lexeme in progress began in L, so `%forbid` does not concern it
  auto operator<=>(const LexemeOrigin&) const = default;
};

// The origin of the lexeme in progress in `q` where L ends. Blanks that nothing forbids count as
// begun by the completion: if they become a lexeme that is forbidden, it was the completion that
// began it.
inline LexemeOrigin OriginAtGap(const Lexer& lexer, DfaStateId q) {
  if (q == kStartState || !lexer.forbids()) return {};
  const LexemeId here = lexer.LexemeAt(q);
  return {here == kNoLexeme || lexer.lexeme(here).kind != TerminalKind::kIgnored ||
          lexer.lexeme(here).not_within != 0};
}

// May a lexeme of this origin end here? `open`: the modes on the stack, and kLineBeginning.
inline bool MayBegin(const Lexeme& lexeme, bool emitted, LexemeOrigin origin, ModeMask open) {
  return !emitted || origin.in_left || (lexeme.not_within & open) == 0;
}

}  // namespace tenon::constraint
