// A vocabulary of all bytes and a few words, without a model, and a language with its mask store:
// for tests of tokens that are drawn into a gap.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "server/decode/mask_stores.h"
#include "server/decode/token_cost.h"
#include "tenon/masker.h"
#include "tests/model/tiny_model.h"
#include "tests/token_ids.h"

namespace tenon::server {

class TinyEngine {
 public:
  TinyEngine(std::string_view grammar, const model::TinyShape& shape = {}) {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, shape);
    bytes_ = writer.Bytes();
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes_, "tiny")));
    store_.emplace(
        MaskStore::Build(*Language::Compile(grammar, "tiny.lark"), VocabularyOf(*tokenizer_)));
  }

  const model::Tokenizer& tokenizer() const { return *tokenizer_; }
  const Language& language() const { return store_->language(); }
  const MaskStore& store() const { return *store_; }

  Gap Open(std::string_view left, std::string_view right) const {
    GapOptions options;
    options.count = CanonicalCount(*tokenizer_);
    return Gap::Open(language(), left, right, std::move(options));
  }

  // The token that writes these bytes.
  TokenId Token(std::string_view bytes) const {
    for (const TokenId t : AllTokens(tokenizer_->size())) {
      if (tokenizer_->Bytes(t) == bytes) return t;
    }
    ADD_FAILURE() << "no token writes " << bytes;
    return {};
  }

 private:
  std::vector<std::byte> bytes_;
  std::optional<model::Tokenizer> tokenizer_;
  std::optional<MaskStore> store_;
};

}  // namespace tenon::server
