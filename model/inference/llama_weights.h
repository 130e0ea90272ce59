// The weights of a Llama model, checked against its configuration and laid out for matrix products.
//
// A file has one tensor for each matrix. Here matrices with the same input become one linear layer
// (linear_layer.h), so that a token has four products in a layer of the network instead of seven.
//
//   query_key_value   the rows of Wq, then of Wk, then of Wv; a piece holds whole heads
//   gate_up           a piece has some rows of Wgate and the same rows of Wup
//
// Example of gate_up: 6 rows each in two pieces. Piece 0 is gate 0 1 2, up 0 1 2; piece 1 is gate 3
// 4 5, up 3 4 5. The next step multiplies gate[r] with up[r], so it needs no other thread's piece.
//
// Source: tensor names as llama.cpp writes them (gguf-py, constants.py).
// The tensors are checked first (llama_tensors.h).
// Cost: stored blocks take their size in the file and some per cent, packed weights 2 or 4 bytes a
// parameter. Checking and laying out 1.5 billion takes most of the 1.3 s of loading them, unless
// their panels were kept (kept_panels.h).
// Thread rule: immutable once made.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/file.h"
#include "model/inference/linear_layer.h"
#include "model/inference/llama_config.h"
#include "model/inference/llama_tensors.h"
#include "model/inference/read_progress.h"
#include "model/model_error.h"

namespace tenon::model {

// A norm of a vector; without a bias it divides by the root mean square alone.
struct NormWeights {
  std::vector<float> weight;  // [width]
  std::vector<float> bias;    // [width] or empty
};

struct LlamaLayer {
  NormWeights attention_norm;
  NormWeights feed_forward_norm;
  // Norms of the attention's and the feed-forward part's output, before it is added to the residual
  // vector; empty in a family without these norms.
  NormWeights attention_post_norm, feed_forward_post_norm;
  // [rows of query_key_value]; empty in a family without these biases.
  std::vector<float> query_key_value_bias;
  // [head_width] of each head of q, of each head of k; empty in a family without these norms.
  std::vector<float> query_norm, key_norm;
  // [width], [feed_forward], [width]; empty in a family without these biases.
  std::vector<float> attention_out_bias, up_bias, down_bias;
  LinearLayer query_key_value;  // rows: q heads, k heads, v heads; columns: width
  LinearLayer attention_out;    // [width, heads * head_width]
  // A piece: rows of gate, the same of up; in a family without a gate rows of up. Columns: width.
  LinearLayer gate_up;
  LinearLayer down;  // [width, feed_forward]
};

struct LlamaWeights {
  // Keeps the file mapped: the embedding views its bytes.
  GgufFile file;
  // Keeps the panels mapped that were found in a file.
  std::optional<PanelFile> kept;
  std::unique_ptr<WeightMemory> memory;  // of the other layers of stored blocks
  // The embedding stays as the file stores it: a token needs only its own row.
  const GgufTensor* embedding = nullptr;
  AddedRows embedding_change;
  // [context, width] Added to the embedding by position; nullptr: positions are rotations.
  const GgufTensor* positions = nullptr;
  std::vector<LlamaLayer> layers;
  NormWeights final_norm;
  LinearLayer head;                    // [vocabulary, width]
  std::vector<double> rope_frequency;  // [rope_width / 2], radians a position
  // The same of layers with a window; empty: all layers are alike.
  std::vector<double> window_rope_frequency;
  bool made_panels = false;  // some panels were not in `kept`

  // All panels but those of an adapter, in the order in which a token reads them. The views are
  // valid while this object lives.
  std::vector<PanelStretch> Panels() const;
};

// The embedding of the result views the bytes of `file`; the changes of `adapter`, if there is one,
// lie beside its layers. `kept`: panels of this very file, which was checked when they were made.
// `on_progress`: see LoadOptions. Errors: kFormat, a tensor is missing, has
// the wrong shape or a weight that is no number, or the adapter is one of another base;
// kUnsupported, a tensor is no part of this architecture. May throw dnnl::error and std::bad_alloc.
tl::expected<LlamaWeights, ModelError> PackLlamaWeights(const GgufFile& file,
                                                        const LlamaConfig& config,
                                                        const PeftAdapter* adapter = nullptr,
                                                        const ReadProgress& on_progress = {},
                                                        std::optional<PanelFile> kept = {});

}  // namespace tenon::model
