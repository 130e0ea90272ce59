// A model's vocabulary: the byte string that each token writes.
//
// Token ids count from 0 in the order given, as the model's own do. A token without bytes stands
// for no text (a control token, the end of a text); no mask allows it. Tokens may be pieces of
// words or of characters:
//
//   const std::vector<std::string> tokens = {"", "foo", "(", ")", " ", "\xe2\x82"};
//   const tenon::Vocabulary vocabulary(tokens);
//   vocabulary.Bytes(tenon::TokenId{1})  // "foo"
//   vocabulary.MaskAlong("foot")         // of token 1 alone: `foo` is how `foot` begins
//
// Cost: sorting 150,000 tokens takes some 20 ms. Thread rule: immutable, any threads; copies share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/export.h"
#include "tenon/token_id.h"

namespace tenon {

namespace constraint {
class TokenVocabulary;
}

class TENON_API Vocabulary {
 public:
  // [TokenId] its bytes; copied. Tokens of more than 4,096 bytes are never allowed.
  explicit Vocabulary(std::span<const std::string> tokens);

  [[nodiscard]] size_t size() const;
  // REQUIRES: token.value < size().
  [[nodiscard]] std::string_view Bytes(TokenId token) const;
  // Tokens that `text` begins with, and tokens that begin with `text`, as a mask (masker.h). The
  // candidates where a model must first write a text that is known (token healing).
  [[nodiscard]] std::vector<uint64_t> MaskAlong(std::string_view text) const;

 private:
  friend struct Internals;
  std::shared_ptr<const constraint::TokenVocabulary> tokens_;
};

}  // namespace tenon
