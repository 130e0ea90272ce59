// The forward pass: a stretch of tokens through all layers, against the keys and values of what came before.
//
// Buffers and the KV cache are libtorch tensors; matrix products go to oneDNN (matmul.h), the loops between them
// to vector_kernels.h. A stretch of m tokens at position p reads keys and values [0, p) and writes [p, p + m); the
// caller decides what to keep, so forgetting is no more than a smaller p next time.
//
// Shapes: residual [m, width]; keys and values of a layer [kv_heads, capacity, head_width]. Rows are padded up to
// few sizes (PaddedRows), as each shape costs a primitive; what the padding rows hold is never read.
// Cost: the linear layers take 80 to 95 % of the time; the rest grows with the context. The first stretch of a new
// shape pays some milliseconds for its primitives.
// Thread rule: one thread at a time, which has called KeepOpenMpInThisThread; computes on a WorkerPool of its own. Throws what oneDNN and libtorch throw.
#pragma once

#include <memory>
#include <span>
#include <stop_token>

#include "model/llama.h"
#include "model/llama_weights.h"

namespace tenon::model {

class ForwardPass {
 public:
  // The stretches that Run takes are no longer than this.
  static constexpr int kMaxStretch = 256;

  virtual ~ForwardPass() = default;
  // Computes positions [position, position + tokens.size()); with want_logits also those after the last token, in
  // `logits`. False: cancelled, the cache holds [0, position) still. REQUIRES: ids within the vocabulary.
  virtual bool Run(std::span<const TokenId> tokens, int position, bool want_logits, const std::stop_token& cancel) = 0;
  virtual std::span<float> logits() = 0;
};

// The weights outlive it.
std::unique_ptr<ForwardPass> MakeForwardPass(const LlamaConfig& config, const LlamaWeights& weights, int max_tokens);

}  // namespace tenon::model
