// Text to token ids and back, by byte-level byte-pair encoding (BPE) or by sentencepiece.
//
// Byte-level BPE. The vocabulary has a token for single bytes and for many longer byte strings. To
// encode a text, it is cut at special tokens and then into pre-tokens (pre_tokenizer.h). A
// pre-token starts as one token for each byte. Then neighbours are merged: of all adjacent pairs
// that the list of merges holds, the pair that stands first in the list, the leftmost of equal
// pairs, until no pair is left.
// Example: `then` with the merges "t h", "th e".
//
//   t|h|e|n      the pair t h has rank 0
//   th|e|n       the pair th e has rank 1
//   the|n        no merge for `the n`: two tokens
//
// Sentencepiece. The vocabulary has tokens for characters and longer texts, with scores, and
// mostly for all bytes (sentencepiece_vocabulary.h). At the beginning of what a model reads a
// space is put before the text; inside, tokens spell the text (text_place.h).
//
// Special tokens are control tokens, such as <|endoftext|>, which stand for no text, and
// user-defined tokens, which are taken verbatim wherever their text occurs. Invalid UTF-8 is
// encoded byte by byte. A byte that has no token in the vocabulary is left out: SmolLM2 lacks six
// control characters and bytes that UTF-8 text hardly ever holds; CanEncode tells. A character that
// a sentencepiece vocabulary can spell neither whole nor by bytes becomes its unknown token.
//
// Source: Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units"; the
// byte alphabet of GPT-2 (byte_alphabet.h). Where we differ from a textbook: a heap of candidate
// pairs, so that a pre-token of n bytes costs O(n log n) instead of O(n^2) (a line of a megabyte
// must not hang the server).
// Cost: some 5 MB/s; building takes 30 ms for 49,152 tokens. Thread rule: immutable, used from any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/file.h"
#include "model/model_error.h"
#include "model/text/pre_tokenizer.h"
#include "model/text/text_place.h"
#include "model/text/token_kind.h"
#include "tenon/token_id.h"

namespace tenon::model {

struct SentencepieceModel;

// The tokens that begin and end a text.
struct TextEnds {
  std::optional<TokenId> eos;
  std::optional<TokenId> bos;
  bool add_bos = false;
};

// The parts of a byte-level tokenizer, the same for every file format.
struct TokenizerParts {
  struct Entry {
    // The file's spelling: of a normal token in GPT-2's byte alphabet, of any other verbatim.
    std::string_view name;
    TokenKind kind = TokenKind::kNormal;
  };
  explicit TokenizerParts(PreTokenizer splitter) : pre_tokenizer(std::move(splitter)) {}

  std::vector<Entry> tokens;             // [TokenId]
  std::vector<std::string_view> merges;  // [rank] "left right"
  PreTokenizer pre_tokenizer;
  TextEnds ends;
};

class Tokenizer {
 public:
  // The error is a sentence without the file's name. The views need not outlive the call.
  static tl::expected<Tokenizer, std::string> FromParts(TokenizerParts parts);
  static tl::expected<Tokenizer, std::string> FromSentencepiece(const SentencepieceModel& model,
                                                                TextEnds ends);
  // Errors: kFormat, metadata of the tokenizer is missing or inconsistent; kUnsupported, the
  // tokenizer is neither byte-level BPE nor sentencepiece, or its pre-tokenizer is unknown.
  static tl::expected<Tokenizer, ModelError> FromGguf(const GgufFile& file);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // parse_special: text like "<|endoftext|>" becomes the control token; otherwise it is plain
  // text. Adds no begin-of-text token. place: makes a difference for sentencepiece alone.
  std::vector<TokenId> Encode(std::string_view text, bool parse_special,
                              TextPlace place = TextPlace::kInside) const;
  // The number of bytes at the beginning of `text` whose tokens stay the same however the text
  // goes on, provided that it goes on with one of the bytes `next`. The text is inside another.
  // Always ends between two pre-tokens, or where no token of a sentencepiece vocabulary can stand
  // across.
  // Example: of `x = fo` the bytes of `x =` are settled where a letter may follow: the last word
  // may grow into `for`, another token. Decided by splitting `text` together with samples of
  // continuations, for regular expressions that look some characters ahead; for sentencepiece by
  // the characters that tokens hold side by side.
  // Cost: some tens of splits of `text`.
  size_t SettledBytes(std::string_view text, std::span<const uint8_t> next) const;
  // The bytes that a token stands for; empty for control tokens and for ids outside the
  // vocabulary.
  std::string_view Bytes(TokenId id) const;
  // The bytes of all ids, concatenated. Of a text encoded at the beginning they have the dummy
  // space, too.
  std::string Decode(const std::vector<TokenId>& ids) const;
  // True for a token that directs the model and stands for no text.
  bool IsControl(TokenId id) const;
  // The control or user-defined token with exactly this text.
  std::optional<TokenId> FindSpecial(std::string_view text) const;
  // The token's name in the file's spelling ("<|endoftext|>", "Ġthe", "▁the"); empty for ids
  // outside the vocabulary.
  std::string_view Name(TokenId id) const;
  // True where the vocabulary has a token that spells the single byte.
  bool CanEncode(uint8_t byte) const;

  // The number of tokens: ids are 0 to size() - 1.
  size_t size() const;
  // The end-of-text and the begin-of-text token, where the file names them.
  std::optional<TokenId> eos() const;
  std::optional<TokenId> bos() const;
  // True where the model was trained with a begin-of-text token at the start of every text.
  bool add_bos() const;

 private:
  struct Tables;
  explicit Tokenizer(std::unique_ptr<Tables> tables);
  std::unique_ptr<Tables> tables_;
};

}  // namespace tenon::model
