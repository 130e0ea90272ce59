// The contents of a model file or folder in words, and whether tenon can run it: for `tenon model
// info`.
//
// Example: some of the lines for the small model.
//
//   file          smollm2-135m-fim.gguf (145 MB)
//   architecture  llama, 30 layers of width 576, 134.5 million parameters
//   tensors       61 F32, 211 Q8_0
//   tokenizer     gpt2 (smollm), 49152 tokens
//   fim format    tenon
//   runs          yes
//
// The answer to "runs" comes from the checks of LlamaModel::Load, in the same order; only the work
// on the weights is left out.
// Cost: parses the header, reads no weights; 40 ms, most of it the tokenizer. Thread rule: pure
// functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tl/expected.hpp>

#include "model/model_error.h"

namespace tenon::model {

struct ModelInfo {
  std::string path;
  std::string name;          // the file's name for the model; may be empty
  std::string architecture;  // "llama"
  std::string license;       // may be empty
  uint64_t file_bytes = 0;
  uint64_t parameters = 0;
  std::map<std::string, int> tensor_types;  // type name -> number of tensors
  int64_t layers = 0;
  int64_t width = 0;
  int64_t context_tokens = 0;
  int64_t vocabulary = 0;
  std::string tokenizer;   // "gpt2 (smollm)"
  std::string fim_format;  // name of the format
  bool fim_trained = false;
  bool runs = false;
  std::string why_not;  // the reason where it does not run, else empty
};

// Error: the file cannot be read as GGUF at all, or the folder has not the files of a model.
tl::expected<ModelInfo, ModelError> ReadModelInfo(const std::string& path);
// A few lines for the terminal.
std::string DescribeModel(const ModelInfo& info);

}  // namespace tenon::model
