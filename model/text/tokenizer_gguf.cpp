// The tokenizer of a GGUF file's metadata.
#include <fmt/format.h>

#include <algorithm>

#include "model/text/marker_names.h"
#include "model/text/sentencepiece_model.h"
#include "model/text/tokenizer.h"

namespace tenon::model {
namespace {

std::optional<TokenId> TokenField(const GgufFile& file, std::string_view key, size_t size) {
  const auto id = file.Integer(key);
  if (!id || *id < 0 || *id >= static_cast<int64_t>(size)) return std::nullopt;
  return TokenId{static_cast<uint32_t>(*id)};
}

TextEnds ReadEnds(const GgufFile& file, size_t size, bool add_bos_unless_told) {
  TextEnds ends;
  ends.eos = TokenField(file, "tokenizer.ggml.eos_token_id", size);
  ends.bos = TokenField(file, "tokenizer.ggml.bos_token_id", size);
  ends.add_bos =
      ends.bos && file.Bool("tokenizer.ggml.add_bos_token").value_or(add_bos_unless_told);
  return ends;
}

// A tokenizer that cannot be made of its parts.
tl::unexpected<ModelError> RefuseTokenizer(const GgufFile& file, const std::string& what) {
  return Refuse(file, ModelErrorCode::kFormat, fmt::format("{}; take a complete file", what));
}

// Several lists have an entry a token. Error where a list is missing or has another length.
template <typename List>
tl::expected<void, ModelError> CheckList(const GgufFile& file, const List* list,
                                         std::string_view key, size_t tokens) {
  if (!list) {
    return Refuse(file, ModelErrorCode::kFormat,
                  fmt::format("metadata {} is missing; take a file with a tokenizer", key));
  }
  if (list->size() != tokens) {
    return Refuse(file, ModelErrorCode::kFormat,
                  fmt::format("{} tokens but {} entries of {}; take a complete file", tokens,
                              list->size(), key));
  }
  return {};
}

// The kind of a token. By its name a marker is a control token, whatever the file says.
tl::expected<TokenKind, ModelError> KindOf(const GgufFile& file, size_t id, std::string_view name,
                                           int64_t number) {
  if (number < 1 || number > 6) {
    return Refuse(
        file, ModelErrorCode::kFormat,
        fmt::format(
            "tokenizer.ggml.token_type of token {} ('{}') is {}, and kinds are 1 to 6; take "
            "a complete file",
            id, name, number));
  }
  return IsMarkerName(name) ? TokenKind::kControl : static_cast<TokenKind>(number);
}

// Vocabularies of Llama 3 take a piece that is a token whole, and begin a text with a token.
bool IsOfLlama3(std::string_view pre_tokenizer) {
  return pre_tokenizer == "llama-bpe" || pre_tokenizer == "llama3";
}

tl::expected<Tokenizer, ModelError> ByteLevel(const GgufFile& file) {
  const auto* names = file.Strings("tokenizer.ggml.tokens");
  const auto* merges = file.Strings("tokenizer.ggml.merges");
  if (!names || names->empty() || !merges) {
    return Refuse(
        file, ModelErrorCode::kFormat,
        fmt::format("metadata {} is missing; take a file with a tokenizer",
                    names && !names->empty() ? "tokenizer.ggml.merges" : "tokenizer.ggml.tokens"));
  }
  const auto* kinds = file.Integers("tokenizer.ggml.token_type");
  if (kinds) {
    if (auto fine = CheckList(file, kinds, "tokenizer.ggml.token_type", names->size()); !fine)
      return tl::unexpected(std::move(fine.error()));
  }
  const std::string_view pre = file.String("tokenizer.ggml.pre").value_or("default");
  auto splitter = PreTokenizer::ForName(pre);
  if (!splitter) return Refuse(file, splitter.error().code, splitter.error().message);

  TokenizerParts parts(std::move(*splitter));
  parts.merges.assign(merges->begin(), merges->end());
  parts.tokens.reserve(names->size());
  for (size_t i = 0; i < names->size(); ++i) {
    const auto kind = KindOf(file, i, (*names)[i], kinds ? (*kinds)[i] : 1);
    if (!kind) return tl::unexpected(kind.error());
    parts.tokens.push_back({(*names)[i], *kind});
  }
  parts.whole_tokens_first = IsOfLlama3(pre);
  parts.ends = ReadEnds(file, names->size(), IsOfLlama3(pre));
  auto tokenizer = Tokenizer::FromParts(std::move(parts));
  if (!tokenizer) return RefuseTokenizer(file, tokenizer.error());
  return *std::move(tokenizer);
}

// A converter may have written the spaces of user-defined tokens as they are.
std::string WithSpaceMarks(std::string_view name) {
  std::string marked;
  for (const char c : name) {
    if (c == ' ') {
      marked += kSpaceMark;
    } else {
      marked += c;
    }
  }
  return marked;
}

// Some files name the unknown token and give it the kind of a control token.
void MarkUnknown(std::optional<TokenId> named, SentencepieceModel& model) {
  const bool marked = std::any_of(model.pieces.begin(), model.pieces.end(), [](const auto& piece) {
    return piece.kind == TokenKind::kUnknown;
  });
  if (named && !marked) model.pieces[named->value].kind = TokenKind::kUnknown;
}

tl::expected<SentencepieceModel, ModelError> ReadSentencepiece(const GgufFile& file) {
  const auto* names = file.Strings("tokenizer.ggml.tokens");
  const auto* scores = file.Reals("tokenizer.ggml.scores");
  const auto* kinds = file.Integers("tokenizer.ggml.token_type");
  const size_t size = names ? names->size() : 0;
  if (auto fine = CheckList(file, names, "tokenizer.ggml.tokens", size); !fine)
    return tl::unexpected(std::move(fine.error()));
  if (auto fine = CheckList(file, scores, "tokenizer.ggml.scores", size); !fine)
    return tl::unexpected(std::move(fine.error()));
  if (auto fine = CheckList(file, kinds, "tokenizer.ggml.token_type", size); !fine)
    return tl::unexpected(std::move(fine.error()));

  SentencepieceModel model;
  model.algorithm = SentencepieceModel::Algorithm::kBpe;
  model.add_dummy_prefix = file.Bool("tokenizer.ggml.add_space_prefix").value_or(true);
  model.remove_extra_whitespaces =
      file.Bool("tokenizer.ggml.remove_extra_whitespaces").value_or(false);
  model.pieces.reserve(size);
  for (size_t id = 0; id < size; ++id) {
    const auto kind = KindOf(file, id, (*names)[id], (*kinds)[id]);
    if (!kind) return tl::unexpected(kind.error());
    SentencepieceModel::Piece piece{std::string((*names)[id]), static_cast<float>((*scores)[id]),
                                    *kind};
    if (piece.kind == TokenKind::kUserDefined) piece.name = WithSpaceMarks(piece.name);
    model.byte_fallback = model.byte_fallback || piece.kind == TokenKind::kByte;
    model.pieces.push_back(std::move(piece));
  }
  MarkUnknown(TokenField(file, "tokenizer.ggml.unknown_token_id", size), model);
  return model;
}

tl::expected<Tokenizer, ModelError> Sentencepiece(const GgufFile& file) {
  const auto model = ReadSentencepiece(file);
  if (!model) return tl::unexpected(model.error());
  auto tokenizer = Tokenizer::FromSentencepiece(*model, ReadEnds(file, model->pieces.size(), true));
  if (!tokenizer) return RefuseTokenizer(file, "tokenizer of kind llama: " + tokenizer.error());
  return *std::move(tokenizer);
}

}  // namespace

tl::expected<Tokenizer, ModelError> Tokenizer::FromGguf(const GgufFile& file) {
  const auto model = file.String("tokenizer.ggml.model");
  if (!model) {
    return Refuse(file, ModelErrorCode::kFormat,
                  "metadata tokenizer.ggml.model is missing; take a file with a tokenizer");
  }
  if (*model == "gpt2") return ByteLevel(file);
  if (*model == "llama") return Sentencepiece(file);
  return Refuse(file, ModelErrorCode::kUnsupported,
                fmt::format("tokenizer '{}'; tenon runs byte-level BPE (tokenizer.ggml.model = "
                            "gpt2) and sentencepiece (llama): take a model with one of these",
                            *model));
}

}  // namespace tenon::model
