#include "model/inference/llama_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "model/inference/inference_session.h"
#include "model/inference/llama_weights.h"
#include "model/inference/tensor_memory.h"

namespace tenon::model {
namespace {

constexpr int kMaxThreads = 64;

int ThreadsFor(const LoadOptions& options) {
  return options.threads > 0 ? std::min(options.threads, kMaxThreads)
                             : ThreadsForCores(CountPerformanceCores());
}

Precision PrecisionFor(const LoadOptions& options, const GgufFile& file) {
  if (options.precision != Precision::kAuto) return options.precision;
  const auto& tensors = file.tensors();
  if (std::any_of(tensors.begin(), tensors.end(), IsStoredInBlocks)) return Precision::kBlocks;
  return HasFastBFloat16() ? Precision::kBFloat16 : Precision::kFloat32;
}

// The prompt that the adapter was trained with, else the file's own.
tl::expected<FimFormat, ModelError> FormatOf(const GgufFile& file,
                                             const std::optional<PeftAdapter>& adapter,
                                             const Tokenizer& tokenizer) {
  if (!adapter || !adapter->fim_template) return FimFormat::Detect(file, tokenizer);
  std::vector<std::string> ends;
  if (adapter->fim_end) ends.push_back(*adapter->fim_end);
  auto format = FimFormat::FromTemplate("adapter", *adapter->fim_template, ends, tokenizer);
  if (format) return format;
  return tl::unexpected(
      ModelError{format.error().code, fmt::format("{}: the adapter does not fit this model: {}",
                                                  adapter->path, format.error().message)});
}

}  // namespace

LlamaModel::LlamaModel(LlamaConfig config, Tokenizer tokenizer, FimFormat fim_format,
                       std::unique_ptr<LlamaWeights> weights)
    : config_(config),
      tokenizer_(std::move(tokenizer)),
      fim_format_(std::move(fim_format)),
      weights_(std::move(weights)) {}

LlamaModel::~LlamaModel() = default;

tl::expected<std::shared_ptr<const LlamaModel>, ModelError> LlamaModel::Load(
    const std::string& path, const LoadOptions& options) {
  // Meanwhile libtorch is loaded. Where that fails the first computation says why.
  const std::jthread tensors([] {
    try {
      LoadTensors();
    } catch (const std::exception&) {
    }
  });
  // oneDNN reports failures, such as a lack of memory, by exceptions.
  try {
    auto file = GgufFile::Open(path);
    if (!file) return tl::unexpected(file.error());
    auto config = ReadLlamaConfig(*file);
    if (!config) return tl::unexpected(config.error());
    config->threads = ThreadsFor(options);
    config->precision = PrecisionFor(options, *file);
    auto tokenizer = Tokenizer::FromGguf(*file);
    if (!tokenizer) return tl::unexpected(tokenizer.error());
    if (tokenizer->size() > static_cast<size_t>(config->vocabulary)) {
      return tl::unexpected(
          ModelError{ModelErrorCode::kFormat,
                     fmt::format("{}: {} tokens, but tensor token_embd.weight has {} rows", path,
                                 tokenizer->size(), config->vocabulary)});
    }
    std::optional<PeftAdapter> adapter;
    if (!options.adapter.empty()) {
      auto opened = PeftAdapter::Open(options.adapter);
      if (!opened) return tl::unexpected(opened.error());
      adapter = std::move(*opened);
    }
    auto fim_format = FormatOf(*file, adapter, *tokenizer);
    if (!fim_format) return tl::unexpected(fim_format.error());
    KeepOpenMpInThisThread();
    auto weights =
        PackLlamaWeights(*file, *config, adapter ? &*adapter : nullptr, options.on_progress);
    if (!weights) return tl::unexpected(weights.error());
    return std::shared_ptr<const LlamaModel>(
        new LlamaModel(*config, std::move(*tokenizer), std::move(*fim_format),
                       std::make_unique<LlamaWeights>(std::move(*weights))));
  } catch (const std::exception& error) {
    return tl::unexpected(
        ModelError{ModelErrorCode::kUnsupported,
                   fmt::format("{}: the weights could not be prepared for this machine: {}; free "
                               "some memory, or try precision f32",
                               path, error.what())});
  }
}

std::unique_ptr<InferenceSession> LlamaModel::NewSession(int max_tokens) const {
  const int capacity = max_tokens > 0 ? std::min(max_tokens, config_.context) : config_.context;
  return std::unique_ptr<InferenceSession>(new InferenceSession(shared_from_this(), capacity));
}

}  // namespace tenon::model
