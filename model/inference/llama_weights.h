// The weights of a Llama model, checked against its configuration and packed for matrix products.
//
// A file has one tensor for each matrix. Here each matrix is cut by output rows into one shard for
// each thread (kernels/matmul.h), and matrices with the same input become one, so that a layer has
// four products instead of seven.
//
//   query_key_value   the rows of Wq, then of Wk, then of Wv
//   gate_up           shard i: some rows of Wgate, then the same rows of Wup
//
// Example of gate_up: 6 rows each on 2 threads. Shard 0 is gate 0 1 2, up 0 1 2; shard 1 is gate 3
// 4 5, up 3 4 5. The next step multiplies gate[r] with up[r], so it needs no other thread's shard.
//
// Source: tensor names as llama.cpp writes them (gguf-py, constants.py).
// Cost: 2 or 4 bytes a parameter; packing 135M takes 0.3 s on two threads.
// Thread rule: immutable once made.
#pragma once

#include <cstddef>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/file.h"
#include "model/inference/llama_config.h"
#include "model/kernels/kernels.h"
#include "model/model_error.h"

namespace tenon::model {

struct LlamaLayer {
  std::vector<float> attention_norm;     // [width]
  std::vector<float> feed_forward_norm;  // [width]
  PackedWeights query_key_value;         // rows: q heads, k heads, v heads; columns: width
  PackedWeights attention_out;           // [width, heads * head_width]
  PackedWeights gate_up;                 // a shard: rows of gate, the same of up; columns: width
  PackedWeights down;                    // [width, feed_forward]
};

struct LlamaWeights {
  // The embedding stays as the file stores it: a token needs only its own row.
  std::vector<std::byte> embedding_bytes;
  GgufTensor embedding;  // data: embedding_bytes
  std::vector<LlamaLayer> layers;
  std::vector<float> final_norm;       // [width]
  PackedWeights head;                  // [vocabulary, width]
  std::vector<double> rope_frequency;  // [rope_width / 2], radians a position
};

// Errors: kFormat, a tensor is missing or has the wrong shape; kUnsupported, a tensor is no part
// of this architecture. May throw dnnl::error.
tl::expected<LlamaWeights, ModelError> PackLlamaWeights(const GgufFile& file,
                                                        const LlamaConfig& config);
// The checks of PackLlamaWeights without the packing.
tl::expected<void, ModelError> CheckLlamaTensors(const GgufFile& file, const LlamaConfig& config);

}  // namespace tenon::model
