#include "model/inference/model_info.h"

#include <fmt/format.h>

#include "model/inference/llama_weights.h"
#include "model/inference/model_family.h"
#include "model/inference/open_model.h"
#include "model/printable.h"
#include "model/text/text.h"

namespace tenon::model {
namespace {

std::string TextOf(const GgufFile& file, const char* key) {
  return std::string(file.String(key).value_or(""));
}

// Adds to `info` all that needs an open model. Returns the first reason for which LlamaModel::Load
// would refuse the model; empty if it would load.
std::string WhyNot(const tl::expected<OpenedModel, ModelError>& opened, ModelInfo& info) {
  if (!opened) return opened.error().message;
  info.fim_format = opened->fim_format.name();
  info.fim_trained = opened->fim_format.trained();
  const auto tensors = CheckLlamaTensors(opened->file, opened->config);
  return tensors ? "" : tensors.error().message;
}

void CountTensor(TensorType type, uint64_t elements, ModelInfo& info) {
  info.parameters += elements;
  ++info.tensor_types[LayoutOf(type).name];
}

ModelInfo InfoOf(const GgufFile& file) {
  ModelInfo info;
  info.path = file.path();
  info.name = TextOf(file, "general.name");
  info.architecture = TextOf(file, "general.architecture");
  info.license = TextOf(file, "general.license");
  info.file_bytes = file.size_bytes();
  for (const GgufTensor& tensor : file.tensors()) CountTensor(tensor.type, tensor.elements(), info);
  info.layers = file.Integer(info.architecture + ".block_count").value_or(0);
  info.width = file.Integer(info.architecture + ".embedding_length").value_or(0);
  info.context_tokens = file.Integer(info.architecture + ".context_length").value_or(0);
  const auto* tokens = file.Strings("tokenizer.ggml.tokens");
  info.vocabulary = tokens ? static_cast<int64_t>(tokens->size()) : 0;
  info.tokenizer = TextOf(file, "tokenizer.ggml.model");
  if (const auto pre = file.String("tokenizer.ggml.pre"))
    info.tokenizer += fmt::format(" ({})", *pre);
  info.why_not = WhyNot(OpenModel(file), info);
  return info;
}

ModelInfo InfoOf(const HuggingFaceFolder& folder) {
  const JsonValues& config = folder.config();
  ModelInfo info;
  info.path = folder.path();
  info.name = config.String("_name_or_path").value_or("");
  info.architecture = config.String("model_type").value_or("");
  info.file_bytes = folder.size_bytes();
  for (const auto& [name, stored] : folder.tensors())
    CountTensor(stored.tensor->type, stored.tensor->elements(), info);
  const ModelFamily* family = FindFamilyOfConfig(info.architecture);
  const FamilyTraits traits = family ? family->traits : FamilyTraits();
  for (const FamilySize& size : FamilySizes()) {
    const int64_t given = config.Integer(size.ConfigKey(traits)).value_or(0);
    if (size.size == &LlamaConfig::layers) info.layers = given;
    if (size.size == &LlamaConfig::width) info.width = given;
    if (size.size == &LlamaConfig::context) info.context_tokens = given;
  }
  info.tokenizer = folder.HasFile("tokenizer.json") ? "tokenizer.json" : "tokenizer.model";
  const auto opened = OpenModel(folder);
  if (opened) info.vocabulary = static_cast<int64_t>(opened->tokenizer.size());
  info.why_not = WhyNot(opened, info);
  return info;
}

}  // namespace

tl::expected<ModelInfo, ModelError> ReadModelInfo(const std::string& path) {
  ModelInfo info;
  if (IsFolder(path)) {
    const auto folder = HuggingFaceFolder::Open(path);
    if (!folder) return tl::unexpected(folder.error());
    info = InfoOf(*folder);
  } else {
    const auto file = GgufFile::Open(path);
    if (!file) return tl::unexpected(file.error());
    info = InfoOf(*file);
  }
  info.runs = info.why_not.empty();
  return info;
}

std::string DescribeModel(const ModelInfo& info) {
  std::string types;
  for (const auto& [type, count] : info.tensor_types)
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", count, type);
  const auto row = [](const char* label, const std::string& value) {
    return fmt::format("{:<13} {}\n", label, value.empty() ? "not given" : Printable(value));
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
