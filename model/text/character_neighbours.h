// Which characters a vocabulary's tokens hold side by side: how far the tokens of a text are
// settled.
//
// Two characters that no token holds side by side are never in one token, and nothing right of such
// a place changes the tokens left of it. Example: a vocabulary with the tokens ▁for, ▁fo, =, x. Of
// `x = fo` the bytes of `x =` are settled, as no token has `=` before a space; ` fo` may grow into
// ` for`.
//
// A space of the text is U+2581, as these vocabularies spell it; a U+2581 of the text stands in no
// token, since bytes spell it.
// Inside the room only. Cost: some hundred thousand pairs of 8 bytes; a search a character.
// Thread rule: immutable, used from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tenon::model {

class CharacterNeighbours {
 public:
  // The names of tokens that stand for text.
  explicit CharacterNeighbours(const std::vector<std::string_view>& names);

  // True where a token has `left` right before `right`.
  bool Has(char32_t left, char32_t right) const;
  // As Tokenizer::SettledBytes.
  size_t SettledBytes(std::string_view text, std::span<const uint8_t> next) const;

 private:
  void Add(std::string_view name);
  // True where a token has `left` before a character whose UTF-8 begins with one of `next`.
  bool HasAny(char32_t left, const std::array<bool, 256>& next) const;

  std::vector<uint64_t> pairs_;  // the left character and the right one; ascending
};

}  // namespace tenon::model
