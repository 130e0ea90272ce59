#include "model/inference/model_info.h"

#include <fmt/format.h>

#include "model/inference/llama_weights.h"
#include "model/text/text.h"

namespace tenon::model {
namespace {

std::string TextOf(const GgufFile& file, const char* key) {
  return std::string(file.String(key).value_or(""));
}

// The first reason for which LlamaModel::Load would refuse the file; empty if it would load.
std::string WhyNot(const GgufFile& file, ModelInfo& info) {
  const auto config = ReadLlamaConfig(file);
  if (!config) return config.error().message;
  const auto tokenizer = Tokenizer::FromGguf(file);
  if (!tokenizer) return tokenizer.error().message;
  if (tokenizer->size() > static_cast<size_t>(config->vocabulary))
    return file.path() + ": more tokens than rows of token_embd.weight";
  const auto format = FimFormat::Detect(file, *tokenizer);
  if (!format) return format.error().message;
  info.fim_format = format->name();
  info.fim_trained = format->trained();
  const auto tensors = CheckLlamaTensors(file, *config);
  return tensors ? "" : tensors.error().message;
}

}  // namespace

tl::expected<ModelInfo, ModelError> ReadModelInfo(const std::string& path) {
  const auto file = GgufFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  ModelInfo info;
  info.path = path;
  info.name = TextOf(*file, "general.name");
  info.architecture = TextOf(*file, "general.architecture");
  info.license = TextOf(*file, "general.license");
  info.file_bytes = file->size_bytes();
  for (const GgufTensor& tensor : file->tensors()) {
    info.parameters += tensor.elements();
    ++info.tensor_types[LayoutOf(tensor.type).name];
  }
  info.layers = file->Integer(info.architecture + ".block_count").value_or(0);
  info.width = file->Integer(info.architecture + ".embedding_length").value_or(0);
  info.context_tokens = file->Integer(info.architecture + ".context_length").value_or(0);
  const auto* tokens = file->Strings("tokenizer.ggml.tokens");
  info.vocabulary = tokens ? static_cast<int64_t>(tokens->size()) : 0;
  info.tokenizer = TextOf(*file, "tokenizer.ggml.model");
  if (const auto pre = file->String("tokenizer.ggml.pre"))
    info.tokenizer += fmt::format(" ({})", *pre);
  info.why_not = WhyNot(*file, info);
  info.runs = info.why_not.empty();
  return info;
}

std::string DescribeModel(const ModelInfo& info) {
  std::string types;
  for (const auto& [type, count] : info.tensor_types)
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", count, type);
  const auto row = [](const char* label, const std::string& value) {
    return fmt::format("{:<13} {}\n", label, value.empty() ? "not given" : value);
  };
  std::string text = row(
      "file", fmt::format("{} ({:.0f} MB)", info.path, static_cast<double>(info.file_bytes) / 1e6));
  text += row("name", info.name) + row("licence", info.license);
  text += row("architecture",
              fmt::format("{}, {} layers of width {}, {:.1f} million parameters", info.architecture,
                          info.layers, info.width, static_cast<double>(info.parameters) / 1e6));
  text += row("tensors", types);
  text += row("tokenizer", fmt::format("{}, {} tokens", info.tokenizer, info.vocabulary));
  text += row("context", fmt::format("{} tokens", info.context_tokens));
  text += row("fim format",
              info.fim_format +
                  (info.fim_format.empty() || info.fim_trained ? "" : " (not trained for it)"));
  text += row("runs", info.runs ? "yes" : "no: " + info.why_not);
  return text;
}

}  // namespace tenon::model
