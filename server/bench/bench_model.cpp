#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "model/inference/inference.h"
#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"

namespace tenon::server {
namespace {

using model::LlamaModel;
using nlohmann::json;

constexpr int kContextTokens = 2048;
constexpr int kPromptTokens[] = {32, 200, 512, 1500};
constexpr int kBriefPromptTokens = 512;
constexpr int kDecodedTokens = 10;  // after each prompt
// Tokens that are computed at once, the drawn one and its draft.
constexpr size_t kDecodedAtOnce[] = {1, 2, 4, 8};

// Keeps one core occupied while it lives, as an editor's own language server or a build does.
class BusyCore {
 public:
  explicit BusyCore(bool busy) {
    if (!busy) return;
    thread_ = std::jthread([](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
      }
    });
  }

 private:
  std::jthread thread_;
};

// A prompt of n tokens; the text does not matter for the time.
std::vector<TokenId> PromptOf(const LlamaModel& model, int n) {
  std::vector<TokenId> tokens;
  const auto most = static_cast<uint32_t>(model.config().vocabulary - 20);
  for (uint32_t i = 0; i < static_cast<uint32_t>(n); ++i) tokens.push_back({20 + i * 7919 % most});
  return tokens;
}

// Of one length of prompt.
struct PromptTimes {
  Timings prefill{"model_prefill", TimeUnit::kMilliseconds};
  std::vector<Timings> decode{std::size(kDecodedAtOnce),
                              Timings("model_decode", TimeUnit::kMilliseconds)};
  std::vector<double> tokens_per_s;
};

constexpr const char* kContextFull =
    "the model's context is full: it holds fewer tokens than the benchmark's prompts";

// Nothing: the model's context is full.
std::optional<PromptTimes> MeasurePrompt(const LlamaModel& model, model::InferenceSession& session,
                                         int prompt_tokens, size_t runs) {
  const std::vector<TokenId> prompt = PromptOf(model, prompt_tokens);
  PromptTimes times;
  for (size_t i = 0; i <= runs; ++i) {
    const bool counts = i > 0;  // the first run of a length makes oneDNN's primitives
    Timings unused("", TimeUnit::kMilliseconds);
    session.Truncate(0);
    Timings& prefill_row = counts ? times.prefill : unused;
    if (!prefill_row.Time([&] { return session.Prefill(prompt, {}).has_value(); }))
      return std::nullopt;
    if (counts) times.tokens_per_s.push_back(prompt_tokens / times.prefill.last_taken().count());
    for (size_t at_once = 0; at_once < std::size(kDecodedAtOnce); ++at_once) {
      const std::vector<TokenId> draft(kDecodedAtOnce[at_once] - 1, TokenId{30});
      session.Truncate(prompt.size());
      for (uint32_t k = 0; k < kDecodedTokens; ++k) {
        Timings& row = counts ? times.decode[at_once] : unused;
        if (!row.Time([&] { return session.Decode(TokenId{100 + k}, draft).has_value(); }))
          return std::nullopt;
      }
    }
  }
  std::sort(times.tokens_per_s.begin(), times.tokens_per_s.end());
  return times;
}

// False: the model's context is full.
bool PrintPrompt(const Invocation& invocation, const BenchOptions& options, const LlamaModel& model,
                 model::InferenceSession& session, int prompt_tokens) {
  auto times = MeasurePrompt(model, session, prompt_tokens, options.runs);
  if (!times) return false;
  const std::vector<double>& rates = times->tokens_per_s;
  times->prefill.Note("tokens_per_s_p50", rates[(rates.size() - 1) / 2]);
  std::vector<Timings*> rows = {&times->prefill};
  for (size_t i = 0; i < times->decode.size(); ++i) {
    times->decode[i].Note("tokens", kDecodedAtOnce[i]);
    rows.push_back(&times->decode[i]);
  }
  for (Timings* row : rows) {
    row->Note("context_tokens", prompt_tokens);
    row->Note("busy_core", options.busy);
    PrintRow(invocation, row->Row());
  }
  return true;
}

// The names of --precision but "auto".
constexpr std::pair<const char*, model::Precision> kPrecisions[] = {
    {"f32", model::Precision::kFloat32},
    {"bf16", model::Precision::kBFloat16},
    {"blocks", model::Precision::kBlocks}};

model::LoadOptions LoadOptionsOf(const Invocation& invocation, const ModelChoice& choice) {
  const CommonOptions& common = invocation.options();
  model::LoadOptions load;
  load.threads = common.threads.value_or(0);
  load.adapter = choice.adapter.value_or("").string();
  load.panels = invocation.PanelShelfFor(choice, nullptr);
  load.engine = model::EngineOf(*common.engine).value_or(model::Engine::kKernels);
  load.device = model::DeviceOf(*common.device).value_or(model::Device::kAuto);
  load.available_bytes = invocation.process().available_memory_bytes();
  return load;
}

}  // namespace

int BenchModel(const Invocation& invocation, const BenchOptions& options) {
  const auto choice = invocation.Model();
  if (!choice) return invocation.Fail(choice.error());
  model::LoadOptions load = LoadOptionsOf(invocation, *choice);
  for (const auto& [name, precision] : kPrecisions)
    if (options.precision == name) load.precision = precision;
  const BusyCore busy(options.busy);
  Timings loading("model_load", TimeUnit::kMilliseconds);
  std::shared_ptr<const LlamaModel> model;
  for (size_t i = 0; i < std::max<size_t>(3, options.runs / 4); ++i) {
    auto loaded = loading.Time([&] { return LlamaModel::Load(choice->path.string(), load); });
    if (!loaded) return invocation.Fail(loaded.error().message);
    model = std::move(*loaded);
  }
  PrintHead(invocation);
  for (const auto& [name, precision] : kPrecisions)
    if (model->config().precision == precision) loading.Note("precision", name);
  loading.Note("threads", model->config().threads);
  loading.Note("engine", *invocation.options().engine);
  loading.Note("device", model->device());
  loading.Note("found_panels", model->found_panels());
  PrintRow(invocation, loading.Row());
  const auto session = model->NewSession(kContextTokens);
  for (const int prompt_tokens : kPromptTokens) {
    if (!PrintPrompt(invocation, options, *model, *session, prompt_tokens))
      return invocation.Fail(kContextFull);
  }
  return kExitDone;
}

int BenchModelBriefly(const Invocation& invocation, const ModelChoice& choice, size_t runs) {
  const auto loaded = LlamaModel::Load(choice.path.string(), LoadOptionsOf(invocation, choice));
  if (!loaded) return invocation.Fail(loaded.error().message);
  const LlamaModel& model = **loaded;
  const auto session = model.NewSession(kBriefPromptTokens + kDecodedTokens +
                                        static_cast<int>(model::InferenceSession::kMaxDecoded));
  auto times = MeasurePrompt(model, *session, kBriefPromptTokens, runs);
  if (!times) return invocation.Fail(kContextFull);
  PrintHead(invocation);
  std::vector<json> rows = {ValuesRow(fmt::format("prompt_{}", kBriefPromptTokens), "tokens/s",
                                      std::move(times->tokens_per_s))};
  for (size_t i = 0; i < times->decode.size(); ++i) {
    rows.push_back(times->decode[i].Row());
    rows.back()["name"] =
        i == 0 ? std::string("decode") : fmt::format("decode_{}", kDecodedAtOnce[i]);
  }
  for (json& row : rows) {
    row["model"] = choice.name.empty() ? choice.path.string() : choice.name;
    row["threads"] = model.config().threads;
    PrintRow(invocation, row);
  }
  return kExitDone;
}

}  // namespace tenon::server
