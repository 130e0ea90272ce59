// The kinds of vocabulary entries, the same in GGUF files and in sentencepiece's model files.
//
// Example: of Llama's vocabulary `▁the` is normal, `<0x0A>` a byte, `</s>` a control token.
// Source: ModelProto.SentencePiece.Type of sentencepiece_model.proto
// (https://github.com/google/sentencepiece); GGUF's metadata `tokenizer.ggml.token_type` has the
// same numbers. Thread rule: a plain value.
#pragma once

#include <cstdint>

namespace tenon::model {

enum class TokenKind : uint8_t {
  kNormal = 1,
  kUnknown = 2,      // stands for text that the vocabulary lacks
  kControl = 3,      // directs the model and stands for no text
  kUserDefined = 4,  // taken verbatim wherever its text occurs
  kUnused = 5,       // an id that no text has
  kByte = 6          // one byte, named <0x00> to <0xFF>
};

}  // namespace tenon::model
