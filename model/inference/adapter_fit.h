// An adapter and its base model: do they belong together, and which matrix does a change belong to?
//
// An adapter of one model can be read beside any other. Its shapes say whether it fits: a change of
// layer 27 needs 28 layers, and a change of a matrix [rows, columns] needs such a matrix.
// Example: an adapter of Qwen2.5-Coder-1.5B (width 1536) beside the 0.5B (width 896) is refused
// with "layer 0, q_proj: 1536 x 1536, but the model's is 896 x 896".
//
// Rows of queries and keys. The two numbers of a pair that a rotation turns stand half a head apart
// in Hugging Face's models. A GGUF file of architecture `llama` has them side by side, so rows of B
// are put in that order.
//
//   Hugging Face   a0 a1 a2 a3 | b0 b1 b2 b3        one head of width 8
//   GGUF, llama    a0 b0 a1 b1 a2 b2 a3 b3
//
// Inside the room only. Cost: a copy of B. Thread rule: pure functions.
#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "model/file/file.h"
#include "model/inference/llama_config.h"
#include "model/inference/low_rank_layer.h"
#include "model/model_error.h"

namespace tenon::model {

// The tensor of a layer that a projection is, as GGUF files call it: "attn_q".
const char* MatrixOf(Projection projection);

// Errors: kFormat, the adapter is one of another base.
tl::expected<void, ModelError> CheckAdapter(const PeftAdapter& adapter, const LlamaConfig& config);

// The changes of those of `projections` that the adapter changes in a layer, numbered in this
// order, in the order of the rows of the model's file. The result views the adapter.
// REQUIRES: CheckAdapter.
std::vector<MatrixChange> ChangesOf(const PeftAdapter& adapter, const LlamaConfig& config,
                                    int layer, const std::vector<Projection>& projections);

}  // namespace tenon::model
