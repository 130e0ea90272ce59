// Time of the model's stages: loading, prefill, decode. One JSON object a line: {"name", "unit", "p50", ...}.
//
//   tenon_model_bench MODEL.gguf [--precision auto|f32|bf16] [--threads N] [--runs N] [--busy]
//
// --busy keeps one core occupied meanwhile, as an editor's own language server or a build does. "cpu_ms_p50" is the
// processor time of all threads, which other programs on the machine hardly change.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "model/inference/inference.h"

namespace {

using tenon::model::LlamaModel;
using tenon::model::TokenId;
using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double ProcessorMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

void PrintRow(const std::string& name, const std::string& unit, std::vector<double> values,
              const nlohmann::json& more) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<size_t>(share * static_cast<double>(values.size() - 1))];
  };
  nlohmann::json row = {{"name", name},    {"unit", unit},   {"p50", at(0.5)},        {"p90", at(0.9)},
                        {"p99", at(0.99)}, {"max", at(1.0)}, {"count", values.size()}};
  row.update(more);
  std::printf("%s\n", row.dump().c_str());
}

// A prompt of n tokens; the text does not matter for the time.
std::vector<TokenId> PromptOf(const LlamaModel& model, int n) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < n; ++i) tokens.push_back(20 + (i * 7919) % (model.config().vocabulary - 20));
  return tokens;
}

int Measure(const std::string& path, const tenon::model::LoadOptions& options, int runs, nlohmann::json more) {
  std::vector<double> load_ms;
  std::shared_ptr<const LlamaModel> model;
  for (int i = 0; i < std::max(3, runs / 4); ++i) {
    const auto start = Clock::now();
    auto loaded = LlamaModel::Load(path, options);
    if (!loaded) {
      std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
      return 1;
    }
    load_ms.push_back(MillisecondsSince(start));
    model = std::move(*loaded);
  }
  more["precision"] = model->config().precision == tenon::model::Precision::kBFloat16 ? "bf16" : "f32";
  more["threads"] = model->config().threads;
  PrintRow("model_load", "ms", load_ms, more);

  auto session = model->NewSession(2048);
  for (const int n : {32, 200, 600, 1500}) {
    const std::vector<TokenId> prompt = PromptOf(*model, n);
    std::vector<double> tokens_per_s, decode_ms, prefill_cpu_ms, decode_cpu_ms;
    for (int i = 0; i <= runs; ++i) {
      session->Truncate(0);
      double cpu_before = ProcessorMilliseconds();
      const auto start = Clock::now();
      if (!session->Prefill(prompt, {})) return 1;
      // The first run of a length makes oneDNN's primitives.
      if (i > 0) {
        tokens_per_s.push_back(1e3 * n / MillisecondsSince(start));
        prefill_cpu_ms.push_back(ProcessorMilliseconds() - cpu_before);
      }
      for (int k = 0; k < 10; ++k) {
        cpu_before = ProcessorMilliseconds();
        const auto before = Clock::now();
        if (!session->Decode(100 + k)) return 1;
        if (i > 0) {
          decode_ms.push_back(MillisecondsSince(before));
          decode_cpu_ms.push_back(ProcessorMilliseconds() - cpu_before);
        }
      }
    }
    more["context_tokens"] = n;
    more["cpu_ms_p50"] = Median(prefill_cpu_ms);
    PrintRow("model_prefill", "tokens/s", tokens_per_s, more);
    more["cpu_ms_p50"] = Median(decode_cpu_ms);
    PrintRow("model_decode", "ms", decode_ms, more);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Time of the model's stages");
  std::string path, precision = "auto";
  tenon::model::LoadOptions options;
  int runs = 10;
  bool busy = false;
  app.add_option("model", path, "GGUF file")->required();
  app.add_option("--precision", precision)->check(CLI::IsMember({"auto", "f32", "bf16"}));
  app.add_option("--threads", options.threads);
  app.add_option("--runs", runs)->check(CLI::Range(1, 1000));
  app.add_flag("--busy", busy, "keep one core occupied meanwhile");
  CLI11_PARSE(app, argc, argv);
  options.precision = precision == "f32"    ? tenon::model::Precision::kFloat32
                      : precision == "bf16" ? tenon::model::Precision::kBFloat16
                                            : tenon::model::Precision::kAuto;
  std::atomic<bool> stop{false};
  std::thread load;
  if (busy) {
    load = std::thread([&stop] {
      while (!stop.load(std::memory_order_relaxed)) {
      }
    });
  }
  const int status = Measure(path, options, runs, {{"busy_core", busy}});
  stop = true;
  if (load.joinable()) load.join();
  return status;
}
