// A model's file or folder, opened and checked: all that is needed but the packing of its weights.
//
// A path names a GGUF file or a folder of Hugging Face's layout; from here on they are alike.
// Example: OpenModel("m.gguf") and OpenModel("SmolLM2-135M/") of the same model have the same sizes
// and the same tokens. The folder's matrices are floats, and become blocks when they are packed.
//
// Source: model/file/gguf.h, model/file/hugging_face_folder.h. Cost: maps the weights, and reads
// the tokenizer (40 ms to 1 s). Inside the room only. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "model/file/file.h"
#include "model/inference/llama_config.h"
#include "model/model_error.h"
#include "model/text/text.h"

namespace tenon::model {

struct OpenedModel {
  GgufFile file;
  LlamaConfig config;
  Tokenizer tokenizer;
  FimFormat fim_format;                     // its own
  std::optional<HuggingFaceFolder> folder;  // where the model is one
};

// The tensors are not checked yet where the path is a GGUF file (CheckLlamaTensors). Errors: those
// of the parts; kFormat, too, where the tokenizer has more tokens than the embedding has rows.
tl::expected<OpenedModel, ModelError> OpenModel(const std::string& path);
// The same, of a file or folder that is open.
tl::expected<OpenedModel, ModelError> OpenModel(const GgufFile& file);
tl::expected<OpenedModel, ModelError> OpenModel(const HuggingFaceFolder& folder);

}  // namespace tenon::model
