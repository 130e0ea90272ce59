#include "model/text/sentencepiece_vocabulary.h"

#include <fmt/format.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>

#include "model/text/character_neighbours.h"
#include "model/text/utf8.h"

namespace tenon::model {
namespace {

using Processor = sentencepiece::SentencePieceProcessor;

tl::expected<std::unique_ptr<Processor>, std::string> Load(const SentencepieceModel& model) {
  auto processor = std::make_unique<Processor>();
  // The library reports by a status, the trie within it by an exception.
  try {
    const auto status = processor->LoadFromSerializedProto(Serialize(model));
    if (!status.ok())
      return tl::unexpected(fmt::format("sentencepiece refuses it: {}", status.ToString()));
  } catch (const std::exception& error) {
    return tl::unexpected(fmt::format("sentencepiece refuses it: {}", error.what()));
  }
  return processor;
}

// The model whose tokens spell a text as it stands.
SentencepieceModel Verbatim(SentencepieceModel model) {
  model.charsmap.clear();
  model.add_dummy_prefix = false;
  model.remove_extra_whitespaces = false;
  return model;
}

// True where a text at the beginning is not the same as one inside with a space before it.
bool ChangesTexts(const SentencepieceModel& model) {
  return !model.charsmap.empty() || model.remove_extra_whitespaces || model.whitespace_as_suffix ||
         std::any_of(model.pieces.begin(), model.pieces.end(), [](const auto& piece) {
           return piece.kind == TokenKind::kUserDefined &&
                  piece.name.find(' ') != std::string::npos;
         });
}

// The names of the tokens that may hold characters side by side.
std::vector<std::string_view> NamesOfText(const std::vector<SentencepieceModel::Piece>& pieces) {
  std::vector<std::string_view> names;
  for (const auto& piece : pieces) {
    const bool of_text = piece.kind == TokenKind::kNormal ||
                         piece.kind == TokenKind::kUserDefined ||
                         piece.kind == TokenKind::kUnused;  // is merged, then cut again
    if (of_text) names.push_back(piece.name);
  }
  return names;
}

}  // namespace

struct SentencepieceVocabulary::Tables {
  explicit Tables(const SentencepieceModel& model)
      : neighbours(NamesOfText(model.pieces)), space_before(model.add_dummy_prefix) {
    for (uint32_t id = 0; id < model.pieces.size(); ++id) {
      const auto& piece = model.pieces[id];
      if (piece.kind == TokenKind::kByte) byte_tokens[*NamedByte(piece.name)] = TokenId{id};
      if (piece.kind == TokenKind::kUnknown) unknown = TokenId{id};
    }
    has_bytes = model.byte_fallback;
  }

  std::unique_ptr<Processor> verbatim;
  // As the file says; null where `verbatim` with a space before the text does the same.
  std::unique_ptr<Processor> changing;
  CharacterNeighbours neighbours;
  bool space_before = false;
  bool has_bytes = false;
  std::array<TokenId, 256> byte_tokens{};
  TokenId unknown;

  static void Run(const Processor& processor, std::string_view text, std::vector<TokenId>& out) {
    std::vector<int> ids;
    // A status other than ok would be a fault of the library: the vocabulary was loaded.
    if (!text.empty() && processor.Encode(text, &ids).ok())
      std::transform(ids.begin(), ids.end(), std::back_inserter(out),
                     [](int id) { return TokenId{static_cast<uint32_t>(id)}; });
  }
  // Bytes that the library would change: byte tokens, or one unknown token for them all.
  void SpellOut(std::string_view bytes, std::vector<TokenId>& out) const {
    if (!has_bytes && !bytes.empty()) return out.push_back(unknown);
    for (const char byte : bytes) out.push_back(byte_tokens[static_cast<uint8_t>(byte)]);
  }
};

tl::expected<SentencepieceVocabulary, std::string> SentencepieceVocabulary::Make(
    const SentencepieceModel& model) {
  if (auto wrong = CheckSentencepieceModel(model)) return tl::unexpected(*std::move(wrong));
  auto tables = std::make_unique<Tables>(model);
  auto verbatim = Load(Verbatim(model));
  if (!verbatim) return tl::unexpected(std::move(verbatim.error()));
  tables->verbatim = *std::move(verbatim);
  if (ChangesTexts(model)) {
    auto changing = Load(model);
    if (!changing) return tl::unexpected(std::move(changing.error()));
    tables->changing = *std::move(changing);
  }
  return SentencepieceVocabulary(std::move(tables));
}

SentencepieceVocabulary::SentencepieceVocabulary(std::unique_ptr<Tables> tables)
    : tables_(std::move(tables)) {}
SentencepieceVocabulary::~SentencepieceVocabulary() = default;
SentencepieceVocabulary::SentencepieceVocabulary(SentencepieceVocabulary&&) noexcept = default;
SentencepieceVocabulary& SentencepieceVocabulary::operator=(SentencepieceVocabulary&&) noexcept =
    default;

void SentencepieceVocabulary::Encode(std::string_view text, TextPlace place,
                                     std::vector<TokenId>& out) const {
  if (text.empty()) return;
  if (place == TextPlace::kBeginning) {
    if (tables_->changing) return Tables::Run(*tables_->changing, text, out);
    const std::string begun = (tables_->space_before ? " " : "") + std::string(text);
    return Tables::Run(*tables_->verbatim, begun, out);
  }
  // Runs of text that the library spells as it stands, and runs that it changes, in turn.
  size_t run = 0;
  bool plain = true;
  const auto finish = [&](size_t end) {
    const std::string_view bytes = text.substr(run, end - run);
    if (plain) {
      Tables::Run(*tables_->verbatim, bytes, out);
    } else {
      tables_->SpellOut(bytes, out);
    }
    run = end;
  };
  for (size_t at = 0; at < text.size();) {
    const auto character = FirstCharacter(text.substr(at));
    const bool next_plain = character && character->code_point != kSpaceMarkCodePoint;
    if (next_plain != plain) finish(at);
    plain = next_plain;
    at += character ? character->bytes : 1;
  }
  finish(text.size());
}

size_t SentencepieceVocabulary::SettledBytes(std::string_view text,
                                             std::span<const uint8_t> next) const {
  return tables_->neighbours.SettledBytes(text, next);
}

}  // namespace tenon::model
