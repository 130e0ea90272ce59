// The numbers of a Llama model, checked against its configuration and packed for the matrix products.
//
// Each matrix is cut by output rows into one shard a thread. Matrices with the same input are one: [q; k; v], and
// gate and up, of which a shard holds the same rows of both, so that their product needs no other shard.
// Source: tensor names as llama.cpp writes them (gguf-py, constants.py). Cost: 2 or 4 bytes a parameter; packing 135M
// takes 0.3 s on two threads. Thread rule: immutable once made.
#pragma once

#include <cstddef>
#include <tl/expected.hpp>
#include <vector>

#include "model/gguf.h"
#include "model/llama.h"
#include "model/matmul.h"

namespace tenon::model {

struct LlamaLayer {
  std::vector<float> attention_norm;     // [width]
  std::vector<float> feed_forward_norm;  // [width]
  PackedWeights query_key_value;         // rows: q heads, k heads, v heads; columns: width
  PackedWeights attention_out;           // [width, heads * head_width]
  PackedWeights gate_up;                 // a shard: its rows of gate, then its rows of up; columns: width
  PackedWeights down;                    // [width, feed_forward]
};

struct LlamaWeights {
  // The embedding stays as the file stores it; one row a token is read.
  std::vector<std::byte> embedding_bytes;
  GgufTensor embedding;  // data: embedding_bytes
  std::vector<LlamaLayer> layers;
  std::vector<float> final_norm;       // [width]
  PackedWeights head;                  // [vocabulary, width]
  std::vector<double> rope_frequency;  // [rope_width / 2], radians a position
};

// What the metadata says, checked; threads and precision are not in it. Error: what is missing or impossible, by name.
tl::expected<LlamaConfig, ModelError> ReadLlamaConfig(const GgufFile& file);
// Error: a tensor is missing, has the wrong shape, or is none of this architecture.
tl::expected<LlamaWeights, ModelError> PackLlamaWeights(const GgufFile& file, const LlamaConfig& config);
// As PackLlamaWeights, without the work.
tl::expected<void, ModelError> CheckLlamaTensors(const GgufFile& file, const LlamaConfig& config);

}  // namespace tenon::model
