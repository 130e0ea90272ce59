#include "model/inference/llama_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "model/inference/forward_pass.h"
#include "model/inference/inference_session.h"
#include "model/inference/llama_weights.h"
#include "model/inference/open_model.h"
#include "model/inference/torch_engine.h"

namespace tenon::model {
namespace {

constexpr int kMaxThreads = 64;

Precision PrecisionFor(const LoadOptions& options, const OpenedModel& opened) {
  if (options.engine == Engine::kTorch) {
    return options.precision == Precision::kBFloat16 ? Precision::kBFloat16 : Precision::kFloat32;
  }
  if (options.precision != Precision::kAuto) return options.precision;
  const auto& tensors = opened.file.tensors();
  if (opened.folder || std::any_of(tensors.begin(), tensors.end(), IsStoredInBlocks))
    return Precision::kBlocks;
  return HasFastBFloat16() ? Precision::kBFloat16 : Precision::kFloat32;
}

// The prompt that the adapter was trained with, else the model's own.
tl::expected<FimFormat, ModelError> FormatOf(const OpenedModel& opened,
                                             const std::optional<PeftAdapter>& adapter) {
  if (!adapter || !adapter->fim_template) return opened.fim_format;
  std::vector<std::string> ends;
  if (adapter->fim_end) ends.push_back(*adapter->fim_end);
  auto format = FimFormat::FromTemplate("adapter", *adapter->fim_template, ends, opened.tokenizer);
  if (format) return format;
  return tl::unexpected(
      ModelError{format.error().code, fmt::format("{}: the adapter does not fit this model: {}",
                                                  adapter->path, format.error().message)});
}

}  // namespace

int ThreadsFor(const LoadOptions& options) {
  // Libtorch's threads are OpenMP's: each step waits for one whose core another program has.
  if (options.engine == Engine::kTorch && options.threads == 0) return 1;
  return options.threads > 0 ? std::min(options.threads, kMaxThreads)
                             : ThreadsForCores(CountPerformanceCores());
}

LlamaModel::LlamaModel(LlamaConfig config, Tokenizer tokenizer, FimFormat fim_format,
                       std::unique_ptr<LlamaWeights> weights, PanelShelf shelf, PanelKey key)
    : config_(std::move(config)),
      tokenizer_(std::move(tokenizer)),
      fim_format_(std::move(fim_format)),
      weights_(std::move(weights)),
      shelf_(std::move(shelf)),
      key_(key) {}

LlamaModel::LlamaModel(LlamaConfig config, Tokenizer tokenizer, FimFormat fim_format,
                       std::shared_ptr<const TorchEngine> torch)
    : config_(std::move(config)),
      tokenizer_(std::move(tokenizer)),
      fim_format_(std::move(fim_format)),
      torch_(std::move(torch)) {}

LlamaModel::~LlamaModel() = default;

tl::expected<std::shared_ptr<const LlamaModel>, ModelError> LlamaModel::Load(
    const std::string& path, const LoadOptions& options) {
  // oneDNN reports failures, such as a lack of memory, by exceptions.
  try {
    // Meanwhile the tokenizer is read, which takes one thread as long.
    std::future<tl::expected<PeftAdapter, ModelError>> read_adapter;
    if (!options.adapter.empty())
      read_adapter = std::async(std::launch::async, PeftAdapter::Open, options.adapter);
    auto opened = OpenModel(path);
    if (!opened) return tl::unexpected(opened.error());
    const GgufFile& file = opened->file;
    LlamaConfig& config = opened->config;
    config.threads = ThreadsFor(options);
    config.precision = PrecisionFor(options, *opened);
    config.quantizes_floats = opened->folder.has_value();
    std::optional<PeftAdapter> adapter;
    if (read_adapter.valid()) {
      auto read = read_adapter.get();
      if (!read) return tl::unexpected(read.error());
      adapter = std::move(*read);
    }
    auto fim_format = FormatOf(*opened, adapter);
    if (!fim_format) return tl::unexpected(fim_format.error());
    KeepOpenMpInThisThread();
    if (options.engine == Engine::kTorch) {
      auto engine = LoadTorchEngine(file, config, adapter ? &*adapter : nullptr,
                                    {options.device, options.available_bytes, options.on_progress});
      if (!engine) return tl::unexpected(engine.error());
      return std::shared_ptr<const LlamaModel>(new LlamaModel(
          config, std::move(opened->tokenizer), std::move(*fim_format), std::move(*engine)));
    }
    PanelKey key;
    std::optional<PanelFile> kept;
    if (config.precision == Precision::kBlocks && !options.panels.files.empty()) {
      key = opened->folder ? PanelKeyOf(*opened->folder, PanelLayout())
                           : PanelKeyOf(file, PanelLayout());
      kept = FindKeptPanels(options.panels, key, options.on_progress);
    }
    const ReadProgress on_progress = kept ? ReadProgress() : options.on_progress;
    auto weights =
        PackLlamaWeights(file, config, adapter ? &*adapter : nullptr, on_progress, std::move(kept));
    if (!weights) return tl::unexpected(weights.error());
    return std::shared_ptr<const LlamaModel>(
        new LlamaModel(config, std::move(opened->tokenizer), std::move(*fim_format),
                       std::make_unique<LlamaWeights>(std::move(*weights)), options.panels, key));
  } catch (const std::exception& error) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kUnsupported,
                   fmt::format("{}: the weights could not be prepared for this machine: {}; free "
                               "some memory, or try precision f32",
                               path, error.what())});
  }
}

void LlamaModel::KeepPanels() const {
  if (!weights_ || !weights_->made_panels || shelf_.files.empty()) return;
  const std::string path = std::filesystem::absolute(weights_->file.path()).string();
  model::KeepPanels(shelf_, key_, path, weights_->Panels());
}

bool LlamaModel::has_panels() const { return weights_ && !weights_->Panels().empty(); }

bool LlamaModel::found_panels() const {
  return weights_ && weights_->kept && !weights_->made_panels;
}

std::string LlamaModel::device() const { return torch_ ? torch_->device() : "cpu"; }

std::unique_ptr<ForwardPass> LlamaModel::NewForwardPass(int max_tokens) const {
  return torch_ ? torch_->NewForwardPass(max_tokens)
                : MakeForwardPass(config_, *weights_, max_tokens);
}

std::unique_ptr<InferenceSession> LlamaModel::NewSession(int max_tokens) const {
  const int capacity = max_tokens > 0 ? std::min(max_tokens, config_.context) : config_.context;
  return std::unique_ptr<InferenceSession>(new InferenceSession(shared_from_this(), capacity));
}

}  // namespace tenon::model
