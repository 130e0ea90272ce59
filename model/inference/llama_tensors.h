// The tensors of a Llama model's file, checked, and the numbers in them.
//
// Both engines begin here: tenon's kernels lay the matrices out (llama_weights.h), and libtorch's
// engine takes them as they are (torch_engine.h). Example: a file says that it has 28 layers and
// width 1536. CheckLlamaTensors refuses it where blk.27.attn_q.weight is missing or is 896 x 896,
// and where a tensor is there that no family knows.
//
// Source: tensor names as llama.cpp writes them (gguf-py, constants.py). Rotations: Su et al.
// 2021, "RoFormer", section 3.4.
// Inside the room only. Cost: CheckFinite reads all weights, the other functions small tensors.
// Thread rule: pure functions; CheckFinite runs on all threads of its pool.
#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "model/file/file.h"
#include "model/inference/llama_config.h"
#include "model/inference/read_progress.h"
#include "model/kernels/kernels.h"
#include "model/model_error.h"
#include "tenon/token_id.h"

namespace tenon::model {

// Are all tensors there, in the right shapes?
tl::expected<void, ModelError> CheckLlamaTensors(const GgufFile& file, const LlamaConfig& config);
// Refuses a file with weights that are no numbers, or a rotation divided by 0: their products would
// be none, and no token would ever be drawn.
tl::expected<void, ModelError> CheckFinite(const GgufFile& file, WorkerPool& pool, ReadBytes& read);
// All numbers of a tensor, row by row; of a norm that is stored less one, the norm.
std::vector<float> NumbersOf(const GgufTensor& tensor, const LlamaConfig& config);
// [rope_width / 2] Radians a position.
std::vector<double> RopeFrequencies(const GgufFile& file, const LlamaConfig& config);
// The same of layers with a window; empty: all layers are alike.
std::vector<double> WindowRopeFrequencies(const LlamaConfig& config);

// Rows that an adapter adds to the embedding.
struct AddedRows {
  std::vector<TokenId> tokens;  // ascending
  std::vector<float> rows;      // [tokens, width]
  // The row of a token, or nullptr.
  const float* Find(TokenId token) const;
};
// Those of the adapter; none where it changes no embedding.
AddedRows EmbeddingChangeOf(const PeftAdapter& adapter);

}  // namespace tenon::model
