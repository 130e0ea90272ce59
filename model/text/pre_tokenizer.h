// Cuts text into pre-tokens. Byte pairs are merged within a pre-token and never across two.
//
// A model's pre-tokenizer is a list of regular expressions, run one after the other. Each
// expression cuts every piece that the expressions before it left: into its matches and the text
// between them. No byte is lost. An expression sees one piece at a time and nothing beyond the
// piece's end, as in the tokenizers that the models were trained with.
// Example: `x = 42` with the pre-tokenizer "smollm".
//
//   text                    x = 42
//   each digit by itself    x = |4|2
//   GPT-2's expression      x| =| |4|2
//
// Source: the names are those of `tokenizer.ggml.pre` as llama.cpp writes it (llama-vocab.cpp);
// the expressions are those of the models' tokenizer.json files. White space is spelled out,
// because PCRE2 and Unicode differ on U+180E.
// Trust: expressions come from files of anywhere, and some take time that grows exponentially with
// the text, such as (a|aa)+[bc]. A match may take 32 steps for each byte of the text, 10,000 more
// and 64 MiB of memory. Where it would take more, the expression cuts nothing more of this text.
// Cost: 20 MB/s with PCRE2's JIT. Thread rule: immutable, used from any thread.
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
  // Expressions in the syntax of a tokenizer.json: Oniguruma's, as far as PCRE2 shares it. Error:
  // kUnsupported: more than 32 expressions; or the message names the expression and the reason: not
  // in PCRE2's syntax, may match the empty text, or longer than 4,096 bytes.
  static tl::expected<PreTokenizer, ModelError> ForPatterns(
      const std::vector<std::string>& patterns);
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
