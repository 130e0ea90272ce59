// The torch engine: the computation of forward_pass.h by libtorch's operators, on a processor or a
// GPU.
//
// Each step of the formulas in llama_model.h is one call of an operator, on whole matrices, with
// the weights as floats or bfloat16. So the engine is short enough to be read beside the formulas,
// and the fast kernels are compared with it. It runs wherever libtorch runs, on a GPU too.
//
//                     own kernels                       torch engine
//   weights           blocks as the file has them       floats or bfloat16
//   activations       8-bit integers                    as the weights
//   an adapter        computed beside the weights       added to the weights once
//   a token (135M)    7 ms                              half a second
//
// Libtorch and the libraries that it needs take 0.7 s of the processor and 200 MB to load. So the
// engine is a module, libtenon_torch.so, which lies in lib/tenon of an installation and is loaded
// where this engine runs. The module knows no file formats: it asks for the numbers of one tensor
// at a time.
//
// Source of the operators: https://pytorch.org/cppdocs, namespace at.
// Cost: weights take 4 or 2 bytes each, in the memory of the device.
// Thread rule: an engine is immutable, any threads; a pass of its belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/file.h"
#include "model/inference/engine.h"
#include "model/inference/forward_pass.h"
#include "model/inference/llama_config.h"
#include "model/inference/llama_weights.h"
#include "model/inference/low_rank_layer.h"
#include "model/inference/read_progress.h"
#include "model/model_error.h"

namespace tenon::model {

class TorchEngine {
 public:
  virtual ~TorchEngine() = default;
  // max_tokens: the most positions of a text. REQUIRES: the engine outlives the result.
  [[nodiscard]] virtual std::unique_ptr<ForwardPass> NewForwardPass(int max_tokens) const = 0;
  // "cpu" or "cuda:0".
  [[nodiscard]] virtual std::string device() const = 0;
};

// A model as the module reads it.
struct TorchSource {
  struct Tensor {
    std::string name;  // as in a GGUF file
    int64_t rows = 0;  // 0: a vector
    int64_t columns = 0;
    // A row by row. Called once, in the order of the tensors.
    std::function<std::vector<float>()> read;
    // The adapter's, to be added.
    std::vector<MatrixChange> changes;
  };
  LlamaConfig config;                                         // precision: kFloat32 or kBFloat16
  std::vector<double> rope_frequency, window_rope_frequency;  // as in LlamaWeights
  std::vector<Tensor> tensors;
  AddedRows embedding_change;
  Device device = Device::kAuto;
};

struct TorchOptions {
  Device device = Device::kAuto;
  // On the processor; absent: not known.
  std::optional<uint64_t> available_bytes = {};
  ReadProgress on_progress = {};
};

// Reads and checks the weights of `file`, for config.precision, kFloat32 or kBFloat16; the adapter
// may be nullptr. Errors: those of PackLlamaWeights; kUnsupported, this installation has no
// libtorch, or not for the device, or the memory is too small. May throw libtorch's exceptions and
// std::bad_alloc.
tl::expected<std::shared_ptr<const TorchEngine>, ModelError> LoadTorchEngine(
    const GgufFile& file, const LlamaConfig& config, const PeftAdapter* adapter,
    const TorchOptions& options);

}  // namespace tenon::model
