// The tensors of a Hugging Face folder, checked, under the names that a GGUF file would give them.
//
// The rest of the room knows one kind of file. Example: `model.layers.3.self_attn.q_proj.weight` of
// model-00002-of-00003.safetensors becomes the tensor `blk.3.attn_q.weight`, whose bytes are those
// of the mapped shard. Its rows stay in their order, which ReadLlamaConfig of a folder allows for
// (rotates_halves).
//
// Source: model_family.h. Cost: a look-up a tensor; no weight is read.
// Inside the room only. Thread rule: pure functions.
#pragma once

#include <tl/expected.hpp>

#include "model/file/file.h"
#include "model/inference/llama_config.h"
#include "model/model_error.h"

namespace tenon::model {

// The result keeps the shards mapped; messages about it give the folder's path. Errors: kFormat, a
// tensor is missing or has the wrong shape; kUnsupported, a tensor is no part of this family.
tl::expected<GgufFile, ModelError> MapTensors(const HuggingFaceFolder& folder,
                                              const LlamaConfig& config);

}  // namespace tenon::model
