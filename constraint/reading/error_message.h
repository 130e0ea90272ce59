// Says in a sentence why a text is not valid, and where: for `Check`.
//
// The place is the lexeme at which no reading is left. A lexeme that is malformed or has no end is named by what it began as, at the
// character that spoils it or where it begins; a line whose columns fit no block, with the columns; a bracket that is still open, with its
// own place. Lines and columns in sentences count from 1, columns of blocks from 0.
// Source: none. Cost: the text is read once more, and once more up to its last line end. Thread rule: one thread at a time.
#pragma once

#include <string_view>

#include "constraint/reading/check.h"
#include "constraint/reading/text_reader.h"

namespace tenon::constraint {

// REQUIRES: `stopped` has read `text` by the same strength and given `why`, which is neither kAccepted nor kPaused.
[[nodiscard]] CheckResult ExplainStop(const Language& language, std::string_view text, Strength strength,
                                      TextReader& stopped, TextReader::Stop why);

}  // namespace tenon::constraint
