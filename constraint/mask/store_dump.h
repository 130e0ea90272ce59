// The mask store as text: for each lexer state its pieces, then the tries of sequences, then the
// sets.
//
// Example, of `tenon grammar FILE --dump store`: the effect of tokens after a name in progress.
//
//   state 3, after `a`
//     its own lexeme ends, then node 0, of it {`(` `()` `(a` `)`}
//     node 7
//   node 7
//     may end as NAME: {`a` `ab`}
//     NAME -> node 8
//
// So after `foo` the token `ab` lengthens the name, and `(` ends it. "of it" and "but for" are the
// filters of a piece: tokens by their first byte.
//
// Source: none. Cost: for a person; with a real vocabulary some megabytes of text.
// Thread rule: pure functions.
#pragma once

#include <string>

#include "constraint/mask/mask_store.h"

namespace tenon::constraint {

[[nodiscard]] std::string Dump(const MaskStore& store);

}  // namespace tenon::constraint
