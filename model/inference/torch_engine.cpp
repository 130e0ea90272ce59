#include "model/inference/torch_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/inference/adapter_fit.h"
#include "model/inference/fused_attention.h"
#include "model/inference/loadable_module.h"
#include "model/inference/model_family.h"
#include "model/kernels/kernels.h"

namespace tenon::model {
namespace {

// The adapter's changes by the name of the tensor.
std::map<std::string, std::vector<MatrixChange>> ChangesByTensor(const PeftAdapter* adapter,
                                                                 const LlamaConfig& config) {
  std::map<std::string, std::vector<MatrixChange>> changes;
  for (int layer = 0; adapter != nullptr && layer < config.layers; ++layer) {
    for (int i = 0; i < kProjectionCount; ++i) {
      const auto projection = static_cast<Projection>(i);
      changes[GgufNameInLayer(layer, MatrixOf(projection))] =
          ChangesOf(*adapter, config, layer, {projection});
    }
  }
  return changes;
}

// The tensors of the family that the file has, each with the adapter's changes. Their numbers are
// read when the module wants them. The result views file, config and read.
std::vector<TorchSource::Tensor> TensorsOf(const GgufFile& file, const LlamaConfig& config,
                                           const PeftAdapter* adapter, ReadBytes& read) {
  auto changes = ChangesByTensor(adapter, config);
  std::vector<TorchSource::Tensor> tensors;
  for (const FamilyTensor& known : FamilyTensors(config)) {
    const GgufTensor* tensor = file.FindTensor(known.gguf_name);
    if (tensor == nullptr) continue;  // an optional one
    const auto numbers = [&file, &config, &read, tensor] {
      std::vector<float> all = NumbersOf(*tensor, config);
      file.ForgetPages(*tensor);
      read.Add(tensor->data.size());
      return all;
    };
    const bool is_matrix = known.rows > 0;
    tensors.push_back(
        {known.gguf_name, known.rows, known.columns, numbers,
         is_matrix ? std::move(changes[known.gguf_name]) : std::vector<MatrixChange>()});
  }
  return tensors;
}

// All weights, and the largest matrix once more as floats while it is read.
uint64_t BytesNeeded(const GgufFile& file, const LlamaConfig& config) {
  const uint64_t width = config.precision == Precision::kBFloat16 ? 2 : sizeof(float);
  uint64_t numbers = 0, largest = 0;
  for (const GgufTensor& tensor : file.tensors()) {
    numbers += tensor.elements();
    largest = std::max<uint64_t>(largest, tensor.elements());
  }
  return numbers * width + 2 * largest * sizeof(float);
}

}  // namespace

tl::expected<std::shared_ptr<const TorchEngine>, ModelError> LoadTorchEngine(
    const GgufFile& given, const LlamaConfig& config_of_file, const PeftAdapter* adapter,
    const TorchOptions& options) {
  static const LoadableModule kModule("libtenon_torch.so");
  const auto has_gpu = kModule.Find<bool()>("tenon_torch_has_gpu");
  const auto make = kModule.Find<TorchEngine*(TorchSource&)>("tenon_torch_engine");
  if (has_gpu == nullptr || make == nullptr) {
    return Refuse(given, ModelErrorCode::kUnsupported,
                  "this installation of tenon has no libtorch; use the engine 'kernels', or build "
                  "tenon from its sources");
  }
  if (options.device == Device::kCuda && !has_gpu()) {
    return Refuse(given, ModelErrorCode::kUnsupported,
                  "this installation's libtorch has no CUDA, or no GPU is there; use the device "
                  "'cpu'");
  }
  if (auto checked = CheckLlamaTensors(given, config_of_file); !checked)
    return tl::unexpected(checked.error());
  std::optional<GgufFile> split;
  LlamaConfig config = config_of_file;
  if (config.traits.has_fused_attention) {
    auto done = SplitAttention(given, config);
    if (!done) return tl::unexpected(done.error());
    split = *std::move(done);
    config.traits.has_fused_attention = false;
  }
  const GgufFile& file = split ? *split : given;
  if (adapter != nullptr) {
    if (auto fits = CheckAdapter(*adapter, config); !fits) return tl::unexpected(fits.error());
  }
  const bool on_gpu = options.device != Device::kCpu && has_gpu();
  const uint64_t need = BytesNeeded(file, config);
  if (!on_gpu && options.available_bytes && need > *options.available_bytes) {
    return Refuse(file, ModelErrorCode::kUnsupported,
                  fmt::format("the torch engine needs {} MB of memory for the weights, and {} MB "
                              "are available; use the engine 'kernels', or a smaller model",
                              need / 1'000'000, *options.available_bytes / 1'000'000));
  }
  uint64_t bytes = 0;
  for (const GgufTensor& tensor : file.tensors()) bytes += 2 * tensor.data.size();
  ReadBytes read(bytes, options.on_progress);  // checked, then read
  {
    WorkerPool pool(config.threads, KeepOpenMpInThisThread);
    if (auto finite = CheckFinite(given, pool, read); !finite)
      return tl::unexpected(finite.error());
  }
  TorchSource source;
  source.config = config;
  source.device = options.device;
  source.rope_frequency = RopeFrequencies(file, config);
  source.window_rope_frequency = WindowRopeFrequencies(config);
  if (adapter != nullptr) source.embedding_change = EmbeddingChangeOf(*adapter);
  source.tensors = TensorsOf(file, config, adapter, read);
  return std::shared_ptr<const TorchEngine>(make(source));
}

}  // namespace tenon::model
