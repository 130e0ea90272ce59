// Cuts text into pre-tokens, the pieces within which byte pairs are merged.
//
// A model's pre-tokenizer is a list of regular expressions, run one after the other: each cuts every piece that
// the ones before it left into its matches and the text between them. No byte is lost. What a piece's regular
// expression sees ends at the piece, as in the tokenizers that the models were trained with.
//
// Source: the table of names is `tokenizer.ggml.pre` as llama.cpp writes it (llama-vocab.cpp); the expressions
// are those of the models' tokenizer.json files. White space is spelled out because PCRE2 and Unicode differ on
// U+180E. Cost: 20 MB/s with PCRE2's JIT. Thread rule: immutable, used from any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/model_error.h"

namespace tenon::model {

class PreTokenizer {
 public:
  // Error: kUnsupported, no such name.
  static tl::expected<PreTokenizer, ModelError> ForName(std::string_view name);
  // Expressions as a tokenizer.json writes them (Oniguruma's syntax, the part of it that PCRE2 shares). Error: kUnsupported, which
  // expression is refused and why: no such syntax, it may match nothing, or it is longer than 4,096 bytes.
  static tl::expected<PreTokenizer, ModelError> ForPatterns(const std::vector<std::string>& patterns);
  ~PreTokenizer();
  PreTokenizer(PreTokenizer&&) noexcept;
  PreTokenizer& operator=(PreTokenizer&&) noexcept;

  // Concatenated, the pieces are the text. Bytes that are no UTF-8 form pieces of their own.
  std::vector<std::string_view> Split(std::string_view text) const;

 private:
  struct Patterns;
  explicit PreTokenizer(std::unique_ptr<Patterns> patterns);
  std::unique_ptr<Patterns> patterns_;
};

}  // namespace tenon::model
