// A language model of one of the families of model_family.h: weights, tokenizer and prompt format
// of one file, or of a folder of Hugging Face's layout.
//
// The model turns a list of token ids into logits: for each token of the vocabulary a number that
// says how likely the token comes next. Each position has a residual vector x. It begins as the
// token's row of the embedding E; each layer adds to it, first from other positions (attention),
// then from itself (feed-forward).
//
//   x = E[token]
//   for each layer:  n = rmsnorm(x);  x += Wo * attention(Wq * n, Wk * n, Wv * n)
//                    m = rmsnorm(x);  x += Wdown * (silu(Wgate * m) ∘ (Wup * m))
//   logits = Whead * rmsnorm(x)       Whead = E where the file has no output matrix of its own
//
// Example: after the ids of `def add(a, b): return a +` the logit of ` b` is large, that of ` def`
// small.
//
// Source: Touvron et al. 2023, "LLaMA"; grouped-query attention: Ainslie et al. 2023; rotary
// positions on neighbouring pairs, in GGUF's order: Su et al. 2021. Weights that the file stores in
// blocks are laid out once in panels (kernels/panel_matrix.h). Weights of floats are packed once
// for oneDNN, in bfloat16 where the processor multiplies it natively; those of a folder become
// blocks of Q8_0 first, unless a precision is asked for. The residual vector, norms
// and softmax are always float32.
//
// A LlamaModel is the weights; an InferenceSession is one text that the model continues.
// Cost: docs/models.md has times. Memory: that of the file and some per cent; 2 bytes a parameter
// of a file of floats (4 in float32).
// Thread rule: immutable and shared. OpenMP, which libtorch and oneDNN would use, is set to one
// thread in each thread that calls Load.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "model/inference/engine.h"
#include "model/inference/kept_panels.h"
#include "model/inference/llama_config.h"
#include "model/inference/read_progress.h"
#include "model/model_error.h"
#include "model/text/text.h"

namespace tenon::model {

struct LoadOptions {
  // 0: all performance cores but one, of two both (processor_cores.h); one with the torch engine
  int threads = 0;
  Precision precision = Precision::kAuto;
  // The folder of a PEFT adapter (model/file/peft_adapter.h), which is computed beside the weights
  // and may bring its own prompt format; empty: none.
  std::string adapter = {};
  // Hears how many bytes of the weights are read, up to all of them. Most are read twice: when they
  // are checked, and when they are laid out. Called by the threads that load, one at a time; may be
  // empty. Of kept panels it hears while their hash is checked; where that is wrong the numbers
  // begin anew.
  ReadProgress on_progress = {};
  // Where panels of weights in blocks may be found, and are kept by KeepPanels.
  PanelShelf panels = {};
  // The torch engine takes floats unless bfloat16 is asked for.
  Engine engine = Engine::kKernels;
  Device device = Device::kAuto;
  // Of the torch engine: a model that needs more memory is refused; absent: it is tried.
  std::optional<uint64_t> available_bytes = {};
};

// The threads that compute a model which is loaded so.
int ThreadsFor(const LoadOptions& options);

class ForwardPass;
class InferenceSession;
class TorchEngine;
struct LlamaWeights;

class LlamaModel : public std::enable_shared_from_this<LlamaModel> {
 public:
  // Reads, checks and packs a GGUF file, in 0.1 to 2 s, or a folder (docs/models.md has figures).
  // Less time where the panels were kept. The file or folder stays mapped.
  // Errors: kFile, kFormat, kUnsupported, as of the parts; kFormat, too, for an adapter of another
  // model; kUnsupported, too, where memory runs out.
  using Loaded = tl::expected<std::shared_ptr<const LlamaModel>, ModelError>;
  static Loaded Load(const std::string& path, const LoadOptions& options);
  ~LlamaModel();
  LlamaModel(const LlamaModel&) = delete;
  LlamaModel& operator=(const LlamaModel&) = delete;

  const LlamaConfig& config() const { return config_; }
  const Tokenizer& tokenizer() const { return tokenizer_; }
  // The prompt that asks this model to fill in the middle.
  const FimFormat& fim_format() const { return fim_format_; }

  // A text to continue, of at most max_tokens (0: as many as the model was trained for). The
  // session shares ownership of the model.
  std::unique_ptr<InferenceSession> NewSession(int max_tokens = 0) const;

  // Keeps the panels for the next process that loads this model, as LoadOptions::panels says; what
  // goes wrong is a note of its. Nothing happens where they were found there, or where the weights
  // have no panels. Takes as long as writing a file of the model's size; any thread may call it,
  // beside sessions that compute. Throws nothing.
  void KeepPanels() const;
  // Are there weights in panels?
  bool has_panels() const;
  // Were all panels found in a file?
  bool found_panels() const;
  // Where it is computed: "cpu", or "cuda:0".
  std::string device() const;

 private:
  friend class InferenceSession;
  // The steps of Load, which catches their exceptions: all but the weights, then the weights as
  // one of the two engines wants them.
  struct Parts;
  static tl::expected<Parts, ModelError> Open(const std::string& path, const LoadOptions& options);
  static Loaded WithKernels(Parts parts, const LoadOptions& options);
  static Loaded WithTorch(Parts parts, const LoadOptions& options);
  LlamaModel(LlamaConfig config, Tokenizer tokenizer, FimFormat fim_format,
             std::unique_ptr<LlamaWeights> weights, PanelShelf shelf, PanelKey key);
  LlamaModel(LlamaConfig config, Tokenizer tokenizer, FimFormat fim_format,
             std::shared_ptr<const TorchEngine> torch);
  // REQUIRES: the model outlives the result.
  std::unique_ptr<ForwardPass> NewForwardPass(int max_tokens) const;

  LlamaConfig config_;
  Tokenizer tokenizer_;
  FimFormat fim_format_;
  std::unique_ptr<LlamaWeights> weights_;     // of the own kernels
  std::shared_ptr<const TorchEngine> torch_;  // the other engine; one of the two is there
  PanelShelf shelf_;
  PanelKey key_;  // of the panels
};

}  // namespace tenon::model
