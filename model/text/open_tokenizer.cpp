#include "model/text/open_tokenizer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "model/text/sentencepiece_model.h"
#include "model/text/tokenizer_json.h"

namespace tenon::model {
namespace {

constexpr const char* kRemedy =
    "name a GGUF file, a tokenizer.json or a tokenizer.model by --tokenizer";

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
                                                       const std::string& path) {
  const auto refuse = [&path](std::string_view what) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kFormat,
                   fmt::format("{}: {}; take the tokenizer.model of its model", path, what)});
  };
  const auto model = ParseSentencepieceModel(bytes);
  if (!model) return refuse(model.error());
  TextEnds ends;
  ends.bos = ControlNamed(*model, model->bos_name);
  ends.eos = ControlNamed(*model, model->eos_name);
  auto tokenizer = Tokenizer::FromSentencepiece(*model, ends);
  if (!tokenizer) return refuse(tokenizer.error());
  return *std::move(tokenizer);
}

tl::expected<Tokenizer, ModelError> OpenTokenizer(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return tl::unexpected(ModelError{
        ModelErrorCode::kFile, fmt::format("{}: {}; {}", path, std::strerror(errno), kRemedy)});
  char magic[4] = {};
  in.read(magic, sizeof magic);
  if (in.bad())  // a folder can be opened, and only reading it fails
    return tl::unexpected(ModelError{
        ModelErrorCode::kFile, fmt::format("{}: not a file that can be read; {}", path, kRemedy)});
  if (in.gcount() == sizeof magic && std::string_view(magic, sizeof magic) == "GGUF") {
    const auto file = GgufFile::Open(path);
    if (!file) return tl::unexpected(file.error());
    return Tokenizer::FromGguf(*file);
  }
  in.clear();
  in.seekg(0);
  std::ostringstream text;
  text << in.rdbuf();
  if (LooksLikeSentencepiece(text.view())) return ReadTokenizerModel(text.view(), path);
  return ReadTokenizerJson(text.view(), path);
}

}  // namespace tenon::model
