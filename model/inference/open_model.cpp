#include "model/inference/open_model.h"

#include <fmt/format.h>

#include <utility>

#include "model/inference/hugging_face_tensors.h"

namespace tenon::model {
namespace {

tl::expected<OpenedModel, ModelError> Join(GgufFile file, LlamaConfig config,
                                           tl::expected<Tokenizer, ModelError> tokenizer,
                                           std::optional<HuggingFaceFolder> folder) {
  if (!tokenizer) return tl::unexpected(tokenizer.error());
  if (tokenizer->size() > static_cast<size_t>(config.vocabulary)) {
    return Refuse(file, ModelErrorCode::kFormat,
                  folder
                      ? fmt::format("the tokenizer has {} tokens, but the vocab_size of "
                                    "config.json is {}; take all files from the same model",
                                    tokenizer->size(), config.vocabulary)
                      : fmt::format("{} tokens, but tensor token_embd.weight has {} rows; take a "
                                    "complete file",
                                    tokenizer->size(), config.vocabulary));
  }
  auto fim_format = FimFormat::Detect(file, *tokenizer);
  if (!fim_format) return tl::unexpected(fim_format.error());
  return OpenedModel{std::move(file), std::move(config), *std::move(tokenizer),
                     *std::move(fim_format), std::move(folder)};
}

}  // namespace

tl::expected<OpenedModel, ModelError> OpenModel(const GgufFile& file) {
  auto config = ReadLlamaConfig(file);
  if (!config) return tl::unexpected(config.error());
  return Join(file, *std::move(config), Tokenizer::FromGguf(file), {});
}

tl::expected<OpenedModel, ModelError> OpenModel(const HuggingFaceFolder& folder) {
  auto config = ReadLlamaConfig(folder);
  if (!config) return tl::unexpected(config.error());
  auto file = MapTensors(folder, *config);
  if (!file) return tl::unexpected(file.error());
  return Join(*std::move(file), *std::move(config), OpenTokenizerOf(folder), folder);
}

tl::expected<OpenedModel, ModelError> OpenModel(const std::string& path) {
  if (IsFolder(path)) {
    const auto folder = HuggingFaceFolder::Open(path);
    return folder ? OpenModel(*folder) : tl::unexpected(folder.error());
  }
  const auto file = GgufFile::Open(path);
  return file ? OpenModel(*file) : tl::unexpected(file.error());
}

}  // namespace tenon::model
