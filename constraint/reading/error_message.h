// Says in a sentence why a text is not valid, and where: the message of `Check`.
//
//   foo(a b)      the name 'b' cannot stand here; expected ')', ',', '=', '.' or 14 others
//   foo(a         the file ends before '(' of line 1, column 4 is closed; expected ...
//   foo(a, b))    ')' closes nothing: no bracket is open
//   x = "abc      the string that begins here has no end on its line
//
// The position is that of the lexeme at which no reading is left. Special cases: a malformed lexeme
// is named by the terminal that it began as, at the character that spoils it (malformed_lexeme.h);
// a line whose columns fit no block, with the columns; a bracket that is still open, with its own
// position. Lines and columns in sentences count from 1, columns of blocks from 0.
//
// Source: none. Cost: the text is read once more, and once more up to its last line end.
// Thread rule: one thread at a time.
#pragma once

#include <string_view>

#include "constraint/reading/check.h"
#include "constraint/reading/text_reader.h"

namespace tenon::constraint {

// REQUIRES: `stopped` has read `text` at the same strength and returned `why`, which is neither
// kAccepted nor kPaused.
[[nodiscard]] CheckResult ExplainStop(const Language& language, std::string_view text,
                                      Strength strength, TextReader& stopped, TextReader::Stop why);

}  // namespace tenon::constraint
