// Forbidden beginnings: a completion may finish some lexemes that it may not begin (`%forbid`).
//
// Example: before Python 3.12 a field of an f-string must not hold a string of the same quotes.
// Newer versions allow it, so a file may hold one. A completion finishes such a string, but begins
// none:
//
//   f'{a['b|     the string began left of the cursor: a completion finishes it
//   f'{a[|       a completion writes "b" here, and never 'b'
//
// Definition: a lexeme of terminal t is refused if it is emitted, did not begin in L, and
// not_within(t) contains one of the open modes (lex/modes.h).
//
// One complication: the beginning of a line counts as one more open mode. Example: a completion
// writes no joined line (`\` + line end) before the first lexeme of a line.
//
// Source: docs/grammar_directives.md, `%forbid`. Cost: two operations on bits for a lexeme.
// Thread rule: LexemeOrigin is a value.
#pragma once

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"

namespace tenon::constraint {

// The member of a LexicalContext.
struct LexemeOrigin {
  bool in_left = false;  // the lexeme in progress began in L: `%forbid` does not refuse it
  auto operator<=>(const LexemeOrigin&) const = default;
};

// The origin of the lexeme in progress in `q` where L ends. Blanks that nothing forbids count as
// begun by the completion. Example: a grammar forbids a lexeme of blanks, `\` and a line end. In
// `    |` the blanks are allowed alone; a completion that adds `\` begins the forbidden lexeme.
inline LexemeOrigin OriginAtGap(const Lexer& lexer, DfaStateId q) {
  if (q == kStartState || !lexer.forbids()) return {};
  const LexemeId here = lexer.LexemeAt(q);
  return {here == kNoLexeme || lexer.lexeme(here).kind != TerminalKind::kIgnored ||
          lexer.lexeme(here).not_within != 0};
}

// May a lexeme of this origin end here? `open`: the modes on the stack, with kLineBeginning at the
// beginning of a line.
inline bool MayBegin(const Lexeme& lexeme, bool emitted, LexemeOrigin origin, ModeMask open) {
  return !emitted || origin.in_left || (lexeme.not_within & open) == 0;
}

}  // namespace tenon::constraint
