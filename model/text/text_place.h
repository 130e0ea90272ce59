// The place of a text: at the beginning of a model's input, or inside the input.
//
// Example: sentencepiece puts a space before an input, so that its first word is the same token as
// after a space. At the beginning `the` is the token ▁the (the bytes ` the`); inside, `the` is the
// token `the`.
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
