#include "model/text/open_tokenizer.h"

#include <fmt/format.h>

#include "model/file/file.h"
#include "model/text/sentencepiece_model.h"
#include "model/text/tokenizer_json.h"

namespace tenon::model {
namespace {

constexpr const char* kRemedy =
    "name a GGUF file, a tokenizer.json or a tokenizer.model by --tokenizer";

// The largest that are published have 33 MB. In memory JSON takes up to twenty times as much.
constexpr size_t kMaxTokenizerBytes = size_t{64} << 20;

// The tag of a token in a sentencepiece model is a line end, which JSON may begin with, too.
bool LooksLikeSentencepiece(std::string_view bytes) {
  const size_t first = bytes.find_first_not_of(" \t\r\n");
  return bytes.starts_with('\n') && (first == std::string_view::npos || bytes[first] != '{');
}

std::optional<TokenId> ControlNamed(const SentencepieceModel& model, std::string_view name) {
  for (uint32_t id = 0; id < model.pieces.size(); ++id) {
    if (model.pieces[id].name == name && model.pieces[id].kind == TokenKind::kControl)
      return TokenId{id};
  }
  return std::nullopt;
}

}  // namespace

tl::expected<Tokenizer, ModelError> ReadTokenizerModel(std::string_view bytes,
                                                       const std::string& path,
                                                       const ToldEnds& told) {
  const auto refuse = [&path](std::string_view what) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kFormat,
                   fmt::format("{}: {}; take the tokenizer.model of its model", path, what)});
  };
  const auto model = ParseSentencepieceModel(bytes);
  if (!model) return refuse(model.error());
  TextEnds ends;
  ends.bos = told.bos ? told.bos : ControlNamed(*model, model->bos_name);
  ends.eos = told.eos ? told.eos : ControlNamed(*model, model->eos_name);
  ends.add_bos = ends.bos && told.add_bos.value_or(false);
  ends.also_end = told.also_end;
  auto tokenizer = Tokenizer::FromSentencepiece(*model, ends);
  if (!tokenizer) return refuse(tokenizer.error());
  return *std::move(tokenizer);
}

tl::expected<Tokenizer, ModelError> OpenTokenizer(const std::string& path, const ToldEnds& told) {
  const auto file = MapFile(path, kRemedy);
  if (!file) return tl::unexpected(file.error());
  const std::string_view bytes(reinterpret_cast<const char*>(file->bytes.data()),
                               file->bytes.size());
  if (bytes.starts_with("GGUF")) {
    const auto model = GgufFile::Open(path);
    if (!model) return tl::unexpected(model.error());
    return Tokenizer::FromGguf(*model);
  }
  if (bytes.size() > kMaxTokenizerBytes) {
    return tl::unexpected(ModelError{
        ModelErrorCode::kFile, fmt::format("{}: has {} bytes, and at most {} are read; {}", path,
                                           bytes.size(), kMaxTokenizerBytes, kRemedy)});
  }
  if (LooksLikeSentencepiece(bytes)) return ReadTokenizerModel(bytes, path, told);
  return ReadTokenizerJson(bytes, path, told);
}

}  // namespace tenon::model
