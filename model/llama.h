// A Llama-architecture language model on the CPU: token ids in, logits out.
//
//   x = E[token];  for each layer:  x += Wo·attention(Wq·n, Wk·n, Wv·n), n = rmsnorm(x)
//                                   x += Wdown·(silu(Wgate·m) ∘ Wup·m),   m = rmsnorm(x)
//   logits = Whead·rmsnorm(x)       (Whead = E where the file has no output matrix of its own)
//
// Source: Touvron et al. 2023, "LLaMA"; grouped-query attention: Ainslie et al. 2023; rotary positions on
// neighbouring pairs as GGUF orders them: Su et al. 2021. Weights are packed once for oneDNN, in bfloat16
// where the processor multiplies it natively, else float32; the residual stream, norms and softmax stay float32.
//
// A LlamaModel is the weights, a Session is one text being continued: its tokens and their keys and values.
// Two functions run it, as they are two problems: Prefill computes many positions at once and is bound by
// arithmetic, Decode computes one and is bound by reading every weight from memory.
//
// Cost (135M parameters, AMD Zen 5, 2 cores, bfloat16): see docs/models.md. Memory: 2 bytes a parameter plus
// 23 KB a token of context. Thread rule: LlamaModel is immutable and shared; a Session belongs to one thread
// at a time. A Session computes on `threads` threads of its own, which sleep between calls; OpenMP, which libtorch and
// oneDNN would use, is set to one thread in each thread that calls Load, Prefill or Decode.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "model/fim.h"
#include "model/model_error.h"
#include "model/tokenizer.h"

namespace tenon::model {

enum class Precision : uint8_t { kAuto, kFloat32, kBFloat16 };

struct LoadOptions {
  int threads = 0;  // 0: as many as the machine has cores, up to four
  Precision precision = Precision::kAuto;
};

struct LlamaConfig {
  int layers = 0;
  int width = 0;         // length of the residual vector
  int feed_forward = 0;  // length of the gate
  int heads = 0;         // query heads
  int kv_heads = 0;      // key and value heads; heads / kv_heads queries share one
  int head_width = 0;
  int rope_width = 0;  // leading part of a head that is rotated
  int vocabulary = 0;
  int context = 0;  // positions that the model was trained for
  float rope_base = 0;
  float norm_epsilon = 0;
  Precision precision = Precision::kFloat32;  // what it runs in, never kAuto
  int threads = 1;
};

class Session;
struct LlamaWeights;

class LlamaModel : public std::enable_shared_from_this<LlamaModel> {
 public:
  // Reads, checks and packs a GGUF file. Takes 0.3 to 1 s; the file is not needed afterwards.
  static tl::expected<std::shared_ptr<const LlamaModel>, ModelError> Load(const std::string& path,
                                                                          const LoadOptions& options);
  ~LlamaModel();
  LlamaModel(const LlamaModel&) = delete;
  LlamaModel& operator=(const LlamaModel&) = delete;

  const LlamaConfig& config() const { return config_; }
  const Tokenizer& tokenizer() const { return tokenizer_; }
  // How this model is asked to fill in the middle.
  const FimFormat& fim_format() const { return fim_format_; }
  const std::string& path() const { return path_; }

  // A text to continue, of at most max_tokens (0: what the model was trained for).
  std::unique_ptr<Session> NewSession(int max_tokens = 0) const;

 private:
  friend class Session;
  LlamaModel(std::string path, LlamaConfig config, Tokenizer tokenizer, FimFormat fim_format,
             std::unique_ptr<LlamaWeights> weights);

  std::string path_;
  LlamaConfig config_;
  Tokenizer tokenizer_;
  FimFormat fim_format_;
  std::unique_ptr<LlamaWeights> weights_;
};

class Session {
 public:
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Makes the cache hold exactly `prompt` and returns the logits after its last token. What the cache already
  // holds of the prompt's beginning is not computed again. Errors: kTooLong; kCancelled (what was computed
  // until then stays in the cache, so asking again goes on from there); kFormat for an id outside the vocabulary.
  // The span is valid until the next call on this session. REQUIRES: prompt is not empty.
  tl::expected<std::span<float>, ModelError> Prefill(std::span<const TokenId> prompt, std::stop_token cancel);

  // Appends one token and returns the logits after it. Errors: kTooLong, kFormat.
  tl::expected<std::span<float>, ModelError> Decode(TokenId token);

  // Forgets all but the first n tokens. REQUIRES: n <= tokens().size().
  void Truncate(size_t n_tokens);

  // What the cache holds.
  const std::vector<TokenId>& tokens() const;
  int max_tokens() const;
  // Tokens that the last Prefill computed, the rest being reused.
  int last_prefill_tokens() const;

 private:
  friend class LlamaModel;
  struct State;
  Session(std::shared_ptr<const LlamaModel> model, int max_tokens);
  std::unique_ptr<State> state_;
};

}  // namespace tenon::model
