// A model as Hugging Face's libraries store it: a folder of files.
//
//   config.json                    the kind of model and its sizes
//   model.safetensors              all tensors, or
//   model.safetensors.index.json   which of model-00001-of-00003.safetensors ... has which tensor
//   generation_config.json         the tokens that end a text (may be absent)
//   tokenizer.json, tokenizer.model, tokenizer_config.json   the tokenizer (model/text reads them)
//
// Example: HuggingFaceFolder::Open("Qwen2.5-Coder-0.5B") maps the safetensors files;
// config().Integer("num_hidden_layers") is 24; Find("model.norm.weight") has shape {896}.
//
// Source: https://huggingface.co/docs/transformers (from_pretrained). Where we differ: pickled
// weights (pytorch_model.bin) are refused, as reading them runs code.
// Trust: a folder comes from anywhere. Each file is read with the checks of its own reader, and no
// name in a file leads out of the folder.
// Cost: the tensors are mapped, not read. Thread rule: immutable after Open; read from any thread.
// Views are valid while the HuggingFaceFolder or a copy of shards() lives.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/json_values.h"
#include "model/file/safetensors.h"
#include "model/model_error.h"

namespace tenon::model {

class HuggingFaceFolder {
 public:
  using Shards = std::vector<SafetensorsFile>;
  struct Tensor {
    const SafetensorsTensor* tensor = nullptr;
    const SafetensorsFile* file = nullptr;
  };

  // Errors: kFile, a file is missing or cannot be read; kFormat, one is damaged; kUnsupported, the
  // folder has no safetensors, or tensors of a type that tenon does not read.
  static tl::expected<HuggingFaceFolder, ModelError> Open(const std::string& path);

  const std::string& path() const { return path_; }
  const JsonValues& config() const { return config_; }
  // Without values where the folder has no such file.
  const JsonValues& generation_config() const { return generation_config_; }
  const JsonValues& tokenizer_config() const { return tokenizer_config_; }

  const std::map<std::string, Tensor, std::less<>>& tensors() const { return tensors_; }
  // nullptr where no file has such a tensor.
  const Tensor* Find(std::string_view name) const;
  // Keeps the tensors' bytes.
  std::shared_ptr<const Shards> shards() const { return shards_; }
  // Of all tensors.
  uint64_t size_bytes() const;
  // The path of a file in the folder.
  std::string PathOf(std::string_view name) const;
  bool HasFile(std::string_view name) const;

 private:
  HuggingFaceFolder() = default;
  tl::expected<void, ModelError> OpenShards();
  tl::expected<void, ModelError> OpenIndex(const std::string& index_path);

  std::string path_;
  JsonValues config_, generation_config_, tokenizer_config_;
  std::shared_ptr<const Shards> shards_;
  std::map<std::string, Tensor, std::less<>> tensors_;
};

// True where the path is a folder, and so may be a model of Hugging Face's layout.
bool IsFolder(const std::string& path);

// The base names of the files that make up such a model and lie in the folder, in alphabetical
// order: what a copy of the model needs.
std::vector<std::string> HuggingFaceFiles(const HuggingFaceFolder& folder);

}  // namespace tenon::model
