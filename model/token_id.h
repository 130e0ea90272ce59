// A token id: the number of an entry of the model's vocabulary.
//
// A model reads and writes lists of token ids and nothing else. Text exists at the two ends only,
// where a Tokenizer (model/text/tokenizer.h) turns text into ids and ids into bytes.
// Example: with the entries 0 = "a", 1 = "b", 2 = "ab", the text `abb` is the ids {2, 1}.
//
// The type is a signed integer because an id is also an offset: logits[id], and row `id` of the
// embedding. An id that a model returns is never negative; a negative id names no token.
// Thread rule: a value.
#pragma once

#include <cstdint>

namespace tenon::model {

using TokenId = int32_t;

}  // namespace tenon::model
