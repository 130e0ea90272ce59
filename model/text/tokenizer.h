// Text to token ids and back, by byte-pair encoding (BPE) or by sentencepiece.
//
// Byte-level BPE. The vocabulary has a token for single bytes and for many longer byte strings. To
// encode a text, it is cut at special tokens and then into pre-tokens (pre_tokenizer.h). A
// pre-token starts as one token for each byte. Then neighbours are merged (pair_merges.h).
// Example: `then` with the merges "t h", "th e" is the tokens `the`, `n`.
//
// BPE of characters, as Llama 2's tokenizer.json has it, begins with a token a character, and with
// bytes where the vocabulary lacks the character (character_bpe.h).
//
// Sentencepiece. The vocabulary has tokens for characters and longer texts, with scores, and
// mostly for all bytes (sentencepiece_vocabulary.h). At the beginning of a prompt a space is put
// before the text; inside, tokens spell the text (text_place.h).
//
// Special tokens are control tokens, such as <|endoftext|>, which stand for no text, and
// user-defined tokens, which are taken verbatim wherever their text occurs. Invalid UTF-8 is
// encoded byte by byte. A byte that has no token in the vocabulary is left out: SmolLM2 lacks six
// control characters and bytes that UTF-8 text hardly ever holds. A character that a
// sentencepiece vocabulary can spell neither whole nor by bytes becomes its unknown token.
//
// Source: Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units"; the
// byte alphabet of GPT-2 (byte_alphabet.h).
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
#include "model/text/character_bpe.h"
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
  // More tokens that end a model's text, as a generation_config.json lists them.
  std::vector<TokenId> also_end = {};
};

// The same facts, as the other files of a model give them, if they do. They go before the facts in
// the file of the tokenizer, but for one: the token that a tokenizer.json puts before every text is
// the begin-of-text token.
struct ToldEnds {
  std::optional<TokenId> eos;
  std::optional<TokenId> bos;
  std::optional<bool> add_bos;
  std::vector<TokenId> also_end = {};
};

// The parts of a tokenizer by byte-pair encoding, the same for every file format.
struct TokenizerParts {
  // The file's spelling of a normal token: in GPT-2's byte alphabet, or with ▁ for a space where
  // BPE begins with characters. Of any other token verbatim.
  using Entry = CharacterBpe::Entry;
  explicit TokenizerParts(PreTokenizer splitter) : pre_tokenizer(std::move(splitter)) {}

  std::vector<Entry> tokens;             // [TokenId]
  std::vector<std::string_view> merges;  // [rank] "left right"
  PreTokenizer pre_tokenizer;
  // A pre-token that is the text of a normal token is that token, whatever the merges make of it.
  bool whole_tokens_first = false;
  // BPE begins with characters, which no pre-tokenizer cuts; nothing: with bytes.
  std::optional<SpaceBefore> characters = {};
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

  // The number of tokens: ids are 0 to size() - 1.
  size_t size() const;
  // The end-of-text and the begin-of-text token, where the file names them.
  std::optional<TokenId> eos() const;
  std::optional<TokenId> bos() const;
  // All tokens that end a model's text: eos first, where there is one.
  std::vector<TokenId> end_tokens() const;
  // True where the model was trained with a begin-of-text token at the start of every text.
  bool add_bos() const;

 private:
  struct Tables;
  explicit Tokenizer(std::unique_ptr<Tables> tables);
  static tl::expected<Tokenizer, std::string> FromCharacters(const TokenizerParts& parts);
  std::unique_ptr<Tables> tables_;
};

}  // namespace tenon::model
