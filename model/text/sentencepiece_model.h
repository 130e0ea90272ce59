// The parts of a sentencepiece vocabulary: its tokens with scores, and the rules by which it
// changes a text before it cuts it.
//
// Example: the vocabulary {<unk>, ▁, a, b, ▁a} with scores {0, -3, -4, -5, -1}. A space is
// written ▁ (U+2581). `a b` is first changed to `▁a▁b` (add_dummy_prefix), then cut into the
// tokens ▁a, ▁, b.
//
// Two algorithms cut. BPE starts with a token a character, and merges the neighbours whose merged
// token has the highest score, the leftmost of equals, until no neighbours make a token. Unigram
// takes the tokens whose scores have the largest sum. With byte_fallback a character that the
// vocabulary lacks becomes its bytes, tokens named <0x00> to <0xFF>; else the unknown token.
//
// A `tokenizer.model` file is such a vocabulary as a protocol buffer. ParseSentencepieceModel reads
// the fields named here and skips all others; Serialize writes the same fields.
//
// Source: sentencepiece_model.proto of https://github.com/google/sentencepiece, and
// https://protobuf.dev/programming-guides/encoding/.
// Trust: a file comes from anywhere. Each length is compared with the bytes that are left, and
// CheckSentencepieceModel refuses whatever the library could stumble over.
// Cost: 10 ms for 32,000 tokens. Thread rule: plain values, pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/text/token_kind.h"

namespace tenon::model {

// How sentencepiece spells a space: U+2581.
inline constexpr std::string_view kSpaceMark = "\xe2\x96\x81";
inline constexpr char32_t kSpaceMarkCodePoint = 0x2581;

struct SentencepieceModel {
  // The numbers of TrainerSpec.ModelType. Words and characters are not run.
  enum class Algorithm : uint8_t { kUnigram = 1, kBpe = 2, kWord = 3, kCharacter = 4 };
  struct Piece {
    std::string name;
    float score = 0;
    TokenKind kind = TokenKind::kNormal;
  };

  std::vector<Piece> pieces;  // [TokenId]
  Algorithm algorithm = Algorithm::kUnigram;
  bool byte_fallback = false;
  // The dummy space stands after the text instead of before it.
  bool whitespace_as_suffix = false;
  // Names of the control tokens that begin and end a text.
  std::string bos_name = "<s>";
  std::string eos_name = "</s>";

  // Rewrites characters (NFKC, say): a double-array trie and its values, as the library wants it.
  // Empty: characters stay as they are.
  std::string charsmap;
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
};

// Error: a sentence that names the place; the bytes are no such protocol buffer.
[[nodiscard]] tl::expected<SentencepieceModel, std::string> ParseSentencepieceModel(
    std::string_view bytes);
[[nodiscard]] std::string Serialize(const SentencepieceModel& model);

// Why the vocabulary cannot be run; nothing where it can.
[[nodiscard]] std::optional<std::string> CheckSentencepieceModel(const SentencepieceModel& model);

// The byte of a name like <0x0A>.
[[nodiscard]] std::optional<uint8_t> NamedByte(std::string_view name);

// The bytes that a token stands for: none for control, unknown and unused tokens.
[[nodiscard]] std::string BytesOf(const SentencepieceModel::Piece& piece);

}  // namespace tenon::model
