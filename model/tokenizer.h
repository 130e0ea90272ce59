// Text to the model's tokens and back: byte-level byte-pair encoding (BPE), from a GGUF file's metadata or a tokenizer.json
// (model/tokenizer_json.h).
//
// The text is cut at special tokens, then into pre-tokens by the regular expressions that the model was
// trained with (`tokenizer.ggml.pre`), and within a pre-token neighbours are merged: of all adjacent pairs the
// one with the lowest rank in `tokenizer.ggml.merges` first (leftmost of equals), until none is left.
//
// Source: Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units"; the byte
// alphabet of GPT-2. Where we differ from a textbook: a heap of candidate pairs, so that a pre-token of n
// bytes costs O(n log n), not O(n^2) (a line of a megabyte must not hang the server).
// Invalid UTF-8 is encoded byte by byte. A byte that has no token in the vocabulary is left out: SmolLM2 lacks
// six control characters and bytes that UTF-8 text hardly ever holds; CanEncode tells.
// Cost: some 5 MB/s; building takes 30 ms for 49,152 tokens. Thread rule: immutable, used from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/gguf.h"
#include "model/model_error.h"
#include "model/pre_tokenizer.h"

namespace tenon::model {

// An index into the model's vocabulary.
using TokenId = int32_t;

// Kinds of vocabulary entries, as `tokenizer.ggml.token_type` numbers them.
enum class TokenKind : uint8_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

// What a file says of a tokenizer, whatever its format.
struct TokenizerParts {
  struct Entry {
    std::string_view name;  // as the file spells it, in GPT-2's byte alphabet where normal, else verbatim
    TokenKind kind = TokenKind::kNormal;
  };
  explicit TokenizerParts(PreTokenizer splitter) : pre_tokenizer(std::move(splitter)) {}

  std::vector<Entry> tokens;             // [TokenId]
  std::vector<std::string_view> merges;  // "left right", the first has the lowest rank
  PreTokenizer pre_tokenizer;
  std::optional<TokenId> eos;
  std::optional<TokenId> bos;
  bool add_bos = false;
};

class Tokenizer {
 public:
  // The error is a sentence without the file's name. The views need not outlive the call.
  static tl::expected<Tokenizer, std::string> FromParts(TokenizerParts parts);
  static tl::expected<Tokenizer, ModelError> FromGguf(const GgufFile& file);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // parse_special: text like "<|endoftext|>" becomes the control token; without it, such text is plain text.
  // Adds no begin-of-text token.
  std::vector<TokenId> Encode(std::string_view text, bool parse_special) const;
  // How many bytes at the beginning of `text` keep their tokens, whatever is written behind it that begins with one of `next`. It ends
  // between two pre-tokens. Decided by splitting `text` with what may follow, for expressions that look some characters ahead.
  // Cost: some tens of splits of `text`.
  size_t SettledBytes(std::string_view text, std::span<const uint8_t> next) const;
  // The bytes that a token stands for; empty for control tokens and for ids outside the vocabulary.
  std::string_view Bytes(TokenId id) const;
  // Bytes of each in turn.
  std::string Decode(const std::vector<TokenId>& ids) const;
  // A token that directs the model and stands for no text.
  bool IsControl(TokenId id) const;
  // The control or user-defined token with exactly this text.
  std::optional<TokenId> FindSpecial(std::string_view text) const;
  // The token's name as the file spells it ("<|endoftext|>", "Ġthe"); empty for ids outside the vocabulary.
  std::string_view Name(TokenId id) const;
  bool CanEncode(uint8_t byte) const;

  TokenId size() const;
  // End of text, begin of text, where the file names them.
  std::optional<TokenId> eos() const;
  std::optional<TokenId> bos() const;
  // The model was trained with a begin-of-text token at the start of every text.
  bool add_bos() const;

 private:
  struct Tables;
  explicit Tokenizer(std::unique_ptr<Tables> tables);
  std::unique_ptr<Tables> tables_;
};

}  // namespace tenon::model
