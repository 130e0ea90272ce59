// Text to the tokens of a sentencepiece vocabulary, by the library sentencepiece.
//
// At the beginning of a text the library puts a space before it, and writes every space as the
// character U+2581. Inside a text (TextPlace::kInside) tokens spell the text's bytes, whatever they
// are. So two kinds of bytes become byte tokens there, since the library would change them: bytes
// that are no UTF-8, and the character U+2581 itself. Example, for a vocabulary with the tokens
// ▁the and ▁ and the bytes:
//
//   text         at the beginning     inside
//   `the`        ▁the                 t h e
//   ` the`       ▁ ▁the               ▁the
//   `▁`          ▁ ▁                  <0xE2> <0x96> <0x81>
//
// A text is settled up to a place where no token can stand across. Two characters that no token of
// the vocabulary holds side by side are never in one token, and nothing right of such a place
// changes the tokens left of it. Of `x = fo` the bytes of `x =` are settled where no token has `=`
// before a space; ` fo` may grow into ` for`.
//
// Source: Kudo, Richardson 2018, "SentencePiece: A simple and language independent subword
// tokenizer and detokenizer for Neural Text Processing"; Kudo 2018, "Subword Regularization"
// (unigram). Where we differ: the table above, column `inside`; the library never sees a file's
// bytes, but a vocabulary that was read, checked and written anew (sentencepiece_model.h).
// Cost: docs/models.md. Thread rule: immutable, used from any thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/text/sentencepiece_model.h"
#include "model/text/text_place.h"
#include "tenon/token_id.h"

namespace tenon::model {

class SentencepieceVocabulary {
 public:
  // Error: a sentence without the file's name.
  static tl::expected<SentencepieceVocabulary, std::string> Make(const SentencepieceModel& model);
  ~SentencepieceVocabulary();
  SentencepieceVocabulary(SentencepieceVocabulary&&) noexcept;
  SentencepieceVocabulary& operator=(SentencepieceVocabulary&&) noexcept;

  // Appends the tokens of `text`. Control tokens are never among them.
  void Encode(std::string_view text, TextPlace place, std::vector<TokenId>& out) const;
  // As Tokenizer::SettledBytes, for text inside another.
  size_t SettledBytes(std::string_view text, std::span<const uint8_t> next) const;

 private:
  struct Tables;
  explicit SentencepieceVocabulary(std::unique_ptr<Tables> tables);
  std::unique_ptr<Tables> tables_;
};

}  // namespace tenon::model
