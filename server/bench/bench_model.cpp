#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "model/inference/inference.h"
#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"

namespace tenon::server {
namespace {

using model::LlamaModel;
using model::TokenId;

constexpr int kContextTokens = 2048;
constexpr int kPromptTokens[] = {32, 200, 512, 1500};
constexpr int kDecodedTokens = 10;  // behind each prompt

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
  for (int i = 0; i < n; ++i) tokens.push_back(20 + (i * 7919) % (model.config().vocabulary - 20));
  return tokens;
}

// False: the model's context is full.
bool MeasurePrompt(const Invocation& invocation, const BenchOptions& options,
                   const LlamaModel& model, model::InferenceSession& session, int prompt_tokens) {
  const std::vector<TokenId> prompt = PromptOf(model, prompt_tokens);
  Timings prefill("model_prefill", TimeUnit::kMilliseconds),
      decode("model_decode", TimeUnit::kMilliseconds);
  std::vector<double> tokens_per_s;
  for (size_t i = 0; i <= options.runs; ++i) {
    const bool counts = i > 0;  // the first run of a length makes oneDNN's primitives
    Timings unused("", TimeUnit::kMilliseconds);
    session.Truncate(0);
    Timings& prefill_row = counts ? prefill : unused;
    if (!prefill_row.Time([&] { return session.Prefill(prompt, {}).has_value(); })) return false;
    if (counts) tokens_per_s.push_back(prompt_tokens / prefill.last_taken().count());
    for (int k = 0; k < kDecodedTokens; ++k) {
      Timings& decode_row = counts ? decode : unused;
      if (!decode_row.Time([&] { return session.Decode(100 + k).has_value(); })) return false;
    }
  }
  std::sort(tokens_per_s.begin(), tokens_per_s.end());
  prefill.Note("tokens_per_s_p50", tokens_per_s[(tokens_per_s.size() - 1) / 2]);
  for (Timings* row : {&prefill, &decode}) {
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

}  // namespace

int BenchModel(const Invocation& invocation, const BenchOptions& options) {
  model::LoadOptions load;
  load.threads = invocation.options().threads;
  load.adapter = invocation.options().adapter;
  for (const auto& [name, precision] : kPrecisions)
    if (options.precision == name) load.precision = precision;
  const BusyCore busy(options.busy);
  Timings loading("model_load", TimeUnit::kMilliseconds);
  std::shared_ptr<const LlamaModel> model;
  for (size_t i = 0; i < std::max<size_t>(3, options.runs / 4); ++i) {
    auto loaded = loading.Time([&] { return LlamaModel::Load(invocation.options().model, load); });
    if (!loaded) return invocation.Fail(loaded.error().message);
    model = std::move(*loaded);
  }
  PrintHead(invocation);
  for (const auto& [name, precision] : kPrecisions)
    if (model->config().precision == precision) loading.Note("precision", name);
  loading.Note("threads", model->config().threads);
  PrintRow(invocation, loading.Row());
  const auto session = model->NewSession(kContextTokens);
  for (const int prompt_tokens : kPromptTokens) {
    if (!MeasurePrompt(invocation, options, *model, *session, prompt_tokens))
      return invocation.Fail(
          "the model's context is full: it holds fewer tokens than the benchmark's prompts");
  }
  return kExitDone;
}

}  // namespace tenon::server
