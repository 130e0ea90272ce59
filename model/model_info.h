// What a model file holds, and whether tenon can run it: for `tenon model info`.
//
// Cost: parses the header, reads no weights; 40 ms, most of it the tokenizer. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tl/expected.hpp>

#include "model/gguf.h"
#include "model/model_error.h"

namespace tenon::model {

struct ModelInfo {
  std::string path;
  std::string name;          // as the file calls itself; may be empty
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
  std::string why_not;  // empty if it runs
};

// Error: the file cannot be read as GGUF at all.
tl::expected<ModelInfo, ModelError> ReadModelInfo(const std::string& path);
// A few lines for the terminal.
std::string DescribeModel(const ModelInfo& info);

}  // namespace tenon::model
