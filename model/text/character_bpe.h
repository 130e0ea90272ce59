// Byte-pair encoding that begins with characters and falls back to bytes, as Llama 2 has it.
//
// A text's space is written ▁ (U+2581). Each character that the vocabulary has begins as its token;
// of any other character each byte begins as its token, named <0x00> to <0xFF>. Then neighbours are
// merged (pair_merges.h). Example, with the tokens ▁, a, b, ▁a, the bytes, and the merge "▁ a":
//
//   text     at the beginning     inside
//   `a b`    ▁a ▁ b               a ▁ b
//   `ä`      ▁ <0xC3> <0xA4>      <0xC3> <0xA4>
//   `▁`      ▁ ▁                  <0xE2> <0x96> <0x81>
//
// At the beginning the tokens are those of Hugging Face's library. Inside a text they spell the
// text's bytes, whatever these are: invalid UTF-8 and U+2581, the vocabulary's spelling of a space,
// become byte tokens. A character that the vocabulary can spell neither whole nor by bytes becomes
// its unknown token.
//
// Source: https://github.com/huggingface/tokenizers, models/bpe (byte_fallback), normalizers
// Prepend and Replace, pre_tokenizers Metaspace.
// A text is merged in stretches: from a space that no token has after the character before it, to
// the next such space.
// Inside the room only. Cost: docs/models.md. Thread rule: immutable, used from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "model/text/character_neighbours.h"
#include "model/text/pair_merges.h"
#include "model/text/text_place.h"
#include "model/text/token_kind.h"
#include "tenon/token_id.h"

namespace tenon::model {

// The space that is put before a text at the beginning.
enum class SpaceBefore : uint8_t {
  kNever,
  kAlways,            // the normalizer Prepend; after a special token in the text, too
  kUnlessThere,       // Metaspace: not before a space
  kFirstUnlessThere,  // the same, but not after a special token
};

class CharacterBpe {
 public:
  struct Entry {
    std::string_view name;
    TokenKind kind = TokenKind::kNormal;
  };
  // entries: [TokenId]. merges: as PairMerges::Read takes them. The views need not outlive the
  // call. Error: a sentence.
  static tl::expected<CharacterBpe, std::string> Make(std::span<const Entry> entries,
                                                      std::span<const std::string_view> merges,
                                                      SpaceBefore space_before);

  // Appends the tokens of `text`.
  void Encode(std::string_view text, TextPlace place, std::vector<TokenId>& out) const;
  // False: after a special token a text is as inside another.
  bool begins_anew() const { return space_before_ != SpaceBefore::kFirstUnlessThere; }
  // As Tokenizer::SettledBytes, for text inside another.
  size_t SettledBytes(std::string_view text, std::span<const uint8_t> next) const {
    return neighbours_.SettledBytes(text, next);
  }

 private:
  CharacterBpe(PairMerges merges, CharacterNeighbours neighbours)
      : merges_(std::move(merges)), neighbours_(std::move(neighbours)) {}
  void SpellOut(std::string_view bytes, std::vector<TokenId>& units) const;

  PairMerges merges_;
  CharacterNeighbours neighbours_;
  SpaceBefore space_before_ = SpaceBefore::kNever;
  // A character's code point -> its token.
  std::unordered_map<char32_t, TokenId> characters_;
  std::array<std::optional<TokenId>, 256> bytes_{};
  std::optional<TokenId> unknown_;
};

}  // namespace tenon::model
