// The forward pass: a stretch of tokens through all layers, with the keys and values before it.
//
// The keys and values of one text are a KvCache. A stretch of m tokens at position p reads the keys
// and values of positions [0, p) and writes the ones of [p, p + m). Example: three stretches of a
// text.
//
//   position          0      1      2      3
//   Run(3 tokens, 0)  write  write  write
//   Run(1 token, 3)   read   read   read   write
//   Run(2 tokens, 2)  read   read   write  write      overwrites positions 2 and 3
//
// The caller decides how much of a cache counts; forgetting tokens is a smaller p in the next call.
//
// Two engines implement ForwardPass. MakeForwardPass makes the one of tenon's own kernels, in
// three parts: linear layers (layer_products.h), attention (attention.h), and the steps between
// them (forward_pass.cpp): embedding, norms, rotations, gates. torch_engine.h has the other one.
//
// Shapes: residual [m, width]; keys and values of a layer [kv_heads, capacity, head_width]. m is
// rounded up to one of few sizes (stretch_rows.h).
//
// Cost: the linear layers take 80 to 95 % of the time; the rest grows with the context. The first
// stretch of a new shape pays some milliseconds for its primitives.
// Thread rule: one thread at a time, which has called KeepOpenMpInThisThread; computes on a
// WorkerPool of its own. Every function may throw the exceptions of oneDNN, and on the torch engine
// those of libtorch.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "model/inference/llama_config.h"
#include "model/inference/llama_weights.h"
#include "tenon/token_id.h"

namespace tenon::model {

// The keys and values of one text, in every layer. It grows as positions are computed.
class KvCache {
 public:
  virtual ~KvCache() = default;
  // The memory that it takes now.
  virtual size_t bytes() const = 0;
};

class ForwardPass {
 public:
  // The most tokens of a stretch.
  static constexpr int kMaxStretch = 256;
  // The most positions of a stretch whose logits can be had.
  static constexpr int kMaxLogitRows = 8;

  virtual ~ForwardPass() = default;
  // An empty cache for this object's Run.
  virtual std::unique_ptr<KvCache> NewCache() const = 0;
  // The same, with the keys and values of positions [0, n) of `cache`. REQUIRES: they were
  // computed.
  virtual std::unique_ptr<KvCache> Copy(const KvCache& cache, int n) const = 0;
  // Computes positions [position, position + tokens.size()) of the text of `cache`, and the logits
  // after each of the last logit_rows tokens.
  // REQUIRES: 1 to kMaxStretch tokens, all within the vocabulary; a cache of this object;
  // logit_rows is at most kMaxLogitRows and the number of tokens.
  virtual void Run(KvCache& cache, std::span<const TokenId> tokens, int position,
                   int logit_rows) = 0;
  // [logit_rows, vocabulary] Written by the last Run whose logit_rows was not 0.
  virtual std::span<float> logits() = 0;
};

// max_tokens: the most positions of a text that the caller will use. REQUIRES: `weights` outlives
// the result.
std::unique_ptr<ForwardPass> MakeForwardPass(const LlamaConfig& config, const LlamaWeights& weights,
                                             int max_tokens);

}  // namespace tenon::model
