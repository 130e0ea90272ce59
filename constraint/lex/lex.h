// The face of the room `lex`: bytes to lexemes, and the mechanisms that turn lexemes into
// terminals.
//
// The lexer (lexer.h) is one DFA over all terminals, read a byte at a time: in `x = 12|` the lexeme
// in progress is the DFA state behind `12`, and the next byte decides whether it goes on. Beside
// the DFA state a reading carries a lexical context, one member a mechanism of the grammar:
// indentation and brackets (layout.h), modes (modes.h), what is declared (declared_names.h), how
// far writing may go (scope.h).
//
//   lexeme_futures.h, lexeme_reach.h   what a lexeme in progress may become
//   lexeme_rules.h                     what a lexeme keeps to besides its pattern
//   encoding.h, decode.h               which encoding a file declares, and its bytes as UTF-8
//   note_scope.h                       facts collected beside an answer
//   lexer_dump.h                       the lexer as text, for a person
#pragma once

#include "constraint/lex/declared_names.h"   // IWYU pragma: export
#include "constraint/lex/decode.h"           // IWYU pragma: export
#include "constraint/lex/encoding.h"         // IWYU pragma: export
#include "constraint/lex/layout.h"           // IWYU pragma: export
#include "constraint/lex/levels.h"           // IWYU pragma: export
#include "constraint/lex/lexeme_futures.h"   // IWYU pragma: export
#include "constraint/lex/lexeme_reach.h"     // IWYU pragma: export
#include "constraint/lex/lexeme_rules.h"     // IWYU pragma: export
#include "constraint/lex/lexer.h"            // IWYU pragma: export
#include "constraint/lex/lexer_dump.h"       // IWYU pragma: export
#include "constraint/lex/lexical_context.h"  // IWYU pragma: export
#include "constraint/lex/line_ends.h"        // IWYU pragma: export
#include "constraint/lex/modes.h"            // IWYU pragma: export
#include "constraint/lex/note_scope.h"       // IWYU pragma: export
#include "constraint/lex/scope.h"            // IWYU pragma: export
