#include "model/inference/llama_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <future>
#include <optional>
#include <system_error>
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

struct LlamaModel::Parts {
  OpenedModel opened;
  std::optional<PeftAdapter> adapter;
  FimFormat fim_format;

  [[nodiscard]] const PeftAdapter* adapter_or_null() const { return adapter ? &*adapter : nullptr; }
};

tl::expected<LlamaModel::Parts, ModelError> LlamaModel::Open(const std::string& path,
                                                             const LoadOptions& options) {
  // Meanwhile the tokenizer is read, which takes one thread as long.
  std::future<tl::expected<PeftAdapter, ModelError>> read_adapter;
  if (!options.adapter.empty())
    read_adapter = std::async(std::launch::async, PeftAdapter::Open, options.adapter);
  auto opened = OpenModel(path);
  if (!opened) return tl::unexpected(opened.error());
  opened->config.threads = ThreadsFor(options);
  opened->config.precision = PrecisionFor(options, *opened);
  opened->config.quantizes_floats = opened->folder.has_value();
  std::optional<PeftAdapter> adapter;
  if (read_adapter.valid()) {
    auto read = read_adapter.get();
    if (!read) return tl::unexpected(read.error());
    adapter = std::move(*read);
  }
  auto fim_format = FormatOf(*opened, adapter);
  if (!fim_format) return tl::unexpected(fim_format.error());
  return Parts{*std::move(opened), std::move(adapter), *std::move(fim_format)};
}

LlamaModel::Loaded LlamaModel::WithTorch(Parts parts, const LoadOptions& options) {
  auto engine = LoadTorchEngine(parts.opened.file, parts.opened.config, parts.adapter_or_null(),
                                {options.device, options.available_bytes, options.on_progress});
  if (!engine) return tl::unexpected(engine.error());
  return std::shared_ptr<const LlamaModel>(
      new LlamaModel(std::move(parts.opened.config), std::move(parts.opened.tokenizer),
                     std::move(parts.fim_format), std::move(*engine)));
}

LlamaModel::Loaded LlamaModel::WithKernels(Parts parts, const LoadOptions& options) {
  const OpenedModel& opened = parts.opened;
  PanelKey key;
  std::optional<PanelFile> kept;
  if (opened.config.precision == Precision::kBlocks && !options.panels.files.empty()) {
    key = opened.folder ? PanelKeyOf(*opened.folder, PanelLayout())
                        : PanelKeyOf(opened.file, PanelLayout());
    kept = FindKeptPanels(options.panels, key, options.on_progress);
  }
  const ReadProgress on_progress = kept ? ReadProgress() : options.on_progress;
  auto weights = PackLlamaWeights(opened.file, opened.config, parts.adapter_or_null(), on_progress,
                                  std::move(kept));
  if (!weights) return tl::unexpected(weights.error());
  return std::shared_ptr<const LlamaModel>(
      new LlamaModel(std::move(parts.opened.config), std::move(parts.opened.tokenizer),
                     std::move(parts.fim_format),
                     std::make_unique<LlamaWeights>(std::move(*weights)), options.panels, key));
}

LlamaModel::Loaded LlamaModel::Load(const std::string& path, const LoadOptions& options) {
  // oneDNN reports failures, such as a lack of memory, by exceptions.
  try {
    auto parts = Open(path, options);
    if (!parts) return tl::unexpected(parts.error());
    KeepOpenMpInThisThread();
    return options.engine == Engine::kTorch ? WithTorch(*std::move(parts), options)
                                            : WithKernels(*std::move(parts), options);
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
  // Called by a thread of the caller's, where an exception would end the program.
  try {
    std::error_code no_working_folder;
    const auto path = std::filesystem::absolute(weights_->file.path(), no_working_folder);
    model::KeepPanels(shelf_, key_, no_working_folder ? weights_->file.path() : path.string(),
                      weights_->Panels());
  } catch (const std::exception& error) {
    if (!shelf_.note) return;
    shelf_.note(fmt::format("{}: the weights as they are laid out are not kept: {}",
                            weights_->file.path(), error.what()));
  }
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
