// The index of a model whose tensors lie in several safetensors files: which file has which tensor.
//
//   model.safetensors.index.json
//     {"metadata": {"total_size": 12345},
//      "weight_map": {"model.norm.weight": "model-00002-of-00002.safetensors", ...}}
//
// A file is named by its base name and lies beside the index; a name that leads elsewhere is
// refused.
//
// Source: https://huggingface.co/docs/safetensors (the layout is that of the library transformers).
// Trust: a file comes from anywhere. Its size, depth, names and number of files are checked.
// Cost: some 20 MB/s. Thread rule: pure functions.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "model/model_error.h"

namespace tenon::model {

// The tensor's name -> the base name of its file.
using SafetensorsIndex = std::map<std::string, std::string, std::less<>>;

// `path` is for messages. Errors: kFormat, the text is no such index; kUnsupported, it names more
// than 1,024 files.
tl::expected<SafetensorsIndex, ModelError> ParseSafetensorsIndex(std::string_view text,
                                                                 const std::string& path);

}  // namespace tenon::model
