#include "server/cli/store_command.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "server/bench/bench_subject.h"
#include "server/bench/measurement.h"
#include "server/invocation/progress_bar.h"
#include "tenon/masker.h"

namespace tenon::server {
namespace {

// The steps in their order, and further counts after the first step.
std::vector<nlohmann::json> Describe(const MaskStore& store) {
  const MaskStoreCounts counts = store.Counts();
  std::vector<nlohmann::json> rows;
  for (const auto& step : counts.steps) rows.push_back(CountRow(step.name, step.entries));
  const std::vector<nlohmann::json> sizes = {
      CountRow("vocabulary", store.vocabulary().size()),
      CountRow("lexer_states", store.language().counts().lexer_states),
      CountRow("token_sets", counts.token_sets)};
  rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(std::min<size_t>(1, rows.size())),
              sizes.begin(), sizes.end());
  return rows;
}

// Where the store lies, and how large it is.
void PrintFile(const Invocation& invocation, const MaskStore& store) {
  const std::optional<CacheFile>& file = store.file();
  if (invocation.json()) {
    invocation.PrintJson({{"name", "file"},
                          {"path", file ? nlohmann::json(file->path.string()) : nlohmann::json()},
                          {"bytes", file ? file->bytes : 0},
                          {"from_cache", store.from_cache()}});
  } else if (!file) {
    invocation.Print("the store is not kept\n");
  } else {
    invocation.Print(fmt::format("{} {}, {:.1f} MB\n",
                                 store.from_cache() ? "read from" : "written to",
                                 file->path.string(), static_cast<double>(file->bytes) / 1e6));
  }
}

}  // namespace

int RunStore(const Invocation& invocation, const StoreOptions& options) {
  BenchOptions wanted;
  wanted.what = "store";
  wanted.language = options.language;
  wanted.tokenizer = options.tokenizer;
  Timings grammar("compile_grammar", TimeUnit::kMilliseconds),
      build("compile_store", TimeUnit::kMilliseconds);
  std::optional<MaskStore> store;
  {
    ProgressBar bar(invocation, 3);
    bar.Begin("reading the vocabulary");
    const auto subject = BenchSubject::Read(invocation, wanted);
    if (!subject) return invocation.Fail(subject.error());
    bar.Begin("compiling the grammar");
    const auto language = grammar.Time([&] {
      return Language::Compile(subject->grammar, subject->grammar_path, invocation.cache());
    });
    if (!language) return invocation.Fail(language.error().ToString());
    bar.Begin("building the mask store");
    store = build.Time(
        [&] { return MaskStore::Build(*language, subject->vocabulary, invocation.cache()); });
  }
  if (options.what == "build") {
    PrintRow(invocation, grammar.Row());
    PrintRow(invocation, build.Row());
    PrintFile(invocation, *store);
  }
  for (const nlohmann::json& row : Describe(*store)) {
    if (invocation.json())
      invocation.PrintJson(row);
    else
      invocation.Print(fmt::format("{:40} {:>12}\n", row["name"].get<std::string>(),
                                   row["count"].get<size_t>()));
  }
  return kExitDone;
}

}  // namespace tenon::server
