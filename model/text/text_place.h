// The place of a text: at the beginning of a model's input, or inside it.
//
// Example: sentencepiece vocabularies begin a text with a space that is not in it, so that `the` is
// the same token at the beginning as after a space. At the beginning `the` is the token ▁the (the
// bytes ` the`), inside a text it is the token `the`.
// Thread rule: a plain value.
#pragma once

#include <cstdint>

namespace tenon::model {

enum class TextPlace : uint8_t {
  // The text goes on where another ends: its tokens spell its bytes and nothing else.
  kInside,
  // A model reads the text first. Its tokens are the ones that the model was trained with, dummy
  // space and changed characters included.
  kBeginning
};

}  // namespace tenon::model
