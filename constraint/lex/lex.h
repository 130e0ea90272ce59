// The face of constraint/lex: from bytes to lexemes.
//
// Example: `x = 10` is read as NAME, a blank, EQUAL, a blank, NUMBER. The last one stays in
// progress, because a further digit would belong to it.
//
//   lexer.h               one DFA over bytes, with the longest match
//   modes.h               languages within languages: the stack of modes that chooses the terminals
//   lexeme_futures.h      the lexemes that a lexeme in progress may end as
//   lexeme_reach.h        the states and lexemes that more text can lead it to
//   lexeme_rules.h        conditions on a lexeme besides its pattern
//   seam.h                which lexemes of the middle may end in the right context
//   reached_bits.h        which lexemes a DFA state may still become, as bits
//   lexer_dump.h          the lexer as text, for a person
#pragma once

#include "constraint/lex/lexeme_futures.h"  // IWYU pragma: export
#include "constraint/lex/lexeme_reach.h"    // IWYU pragma: export
#include "constraint/lex/lexeme_rules.h"    // IWYU pragma: export
#include "constraint/lex/lexer.h"           // IWYU pragma: export
#include "constraint/lex/lexer_dump.h"      // IWYU pragma: export
#include "constraint/lex/modes.h"           // IWYU pragma: export
#include "constraint/lex/reached_bits.h"    // IWYU pragma: export
#include "constraint/lex/seam.h"            // IWYU pragma: export
