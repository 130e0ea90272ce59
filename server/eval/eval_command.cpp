#include "server/eval/eval_command.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>

#include "protocol/json_rpc.h"
#include "server/bench/measurement.h"
#include "server/eval/gaps.h"
#include "server/eval/page.h"
#include "server/eval/record_file.h"
#include "server/eval/summary.h"
#include "server/eval/typing.h"
#include "server/files/file_descriptor.h"
#include "server/invocation/progress_bar.h"
#include "server/models/model_folder.h"
#include "server/settings/setting_values.h"
#include "server/settings/settings.h"

namespace tenon::server {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// A gap or region that is to be asked about: its name, and the asking.
struct Question {
  json name;
  std::function<json(const Asker&)> ask;
};

// In the order off, left, both, each once.
tl::expected<std::vector<ConstraintMode>, std::string> ConstraintsOf(const EvalOptions& options) {
  std::vector<ConstraintMode> modes;
  for (const std::string& name : options.constraints) {
    const auto mode = ConstraintModeFromName(name);
    if (!mode)
      return tl::unexpected(fmt::format("--constraint {}: must be off, left or both", name));
    modes.push_back(*mode);
  }
  std::sort(modes.begin(), modes.end());
  modes.erase(std::unique(modes.begin(), modes.end()), modes.end());
  return modes;
}

// REQUIRES: each is the name of a kind.
std::vector<GapKind> KindsOf(const EvalOptions& options) {
  std::vector<GapKind> kinds;
  for (const GapKind kind : kGapKinds) {
    if (std::find(options.kinds.begin(), options.kinds.end(), ToString(kind)) !=
        options.kinds.end())
      kinds.push_back(kind);
  }
  return kinds;
}

// Whatever decides the records.
json SettingsOf(const Invocation& invocation, const EvalOptions& options,
                const std::vector<ConstraintMode>& constraints,
                const std::vector<std::string>& languages, const ModelChoice& model) {
  std::error_code error;
  const uint64_t model_bytes = ModelBytes(model.path);
  json settings = {{"eval", options.what},
                   {"folder", fs::weakly_canonical(options.folder, error).string()},
                   {"languages", languages},
                   {"seed", options.seed},
                   {"max_tokens", options.max_tokens},
                   {"model", model.path.string()},
                   {"model_bytes", model_bytes > 0 ? json(model_bytes) : json()},
                   {"adapter", model.adapter.value_or("").string()},
                   {"threads", invocation.options().threads.value_or(0)},
                   {"engine", *invocation.options().engine},
                   {"version", invocation.process().version}};
  if (options.budget_ms) settings["budget_ms"] = *options.budget_ms;
  if (options.pause_ms && options.what == "typing") settings["pause_ms"] = *options.pause_ms;
  if (options.candidates > 1) settings["candidates"] = options.candidates;
  if (options.sureness > 0) settings["sureness"] = options.sureness;
  for (const ConstraintMode constraint : constraints)
    settings["constraints"].push_back(ToString(constraint));
  if (options.open > 0) settings["open"] = {options.open, options.other_files};
  if (options.what == "gaps") {
    settings["gaps"] = options.gaps;
    if (options.kinds != EvalOptions().kinds) settings["kinds"] = options.kinds;
  } else {
    settings["regions"] = options.regions;
    settings["lines"] = options.lines;
    if (options.auto_close) settings["auto_close"] = true;
  }
  return settings;
}

// Everything that will be asked, in order. The error names what is wrong.
tl::expected<std::vector<Question>, std::string> QuestionsOf(
    Corpus& corpus, const LanguageRegistry& languages, const EvalOptions& options,
    const std::vector<ConstraintMode>& constraints) {
  std::vector<Question> questions;
  if (options.what == "typing") {
    const auto plan = PlanRegions(corpus, options.regions, options.lines, options.seed);
    if (!plan) return tl::unexpected(plan.error());
    for (PlannedRegion region : *plan) {
      region.open = corpus.Beside(*region.file, options.open);
      questions.push_back(
          {NameOf(region), [region, constraints, closes = options.auto_close](const Asker& asker) {
             return TypeAgain(asker, region, constraints, closes);
           }});
    }
    return questions;
  }
  const auto plan = PlanGaps(corpus, options.gaps, KindsOf(options), options.seed);
  if (!plan) return tl::unexpected(plan.error());
  for (PlannedGap gap : *plan) {
    gap.open = corpus.Beside(*gap.file, options.open);
    const auto language = languages.Get(gap.file->language);
    if (!language) return tl::unexpected(language.error());
    questions.push_back({NameOf(gap), [gap, language = *language, constraints](const Asker& asker) {
                           return AskAboutGap(asker, gap, language, constraints);
                         }});
  }
  return questions;
}

// The name that a record begins with.
std::string NameIn(const json& record) {
  return protocol::Dump(
      {record.value("language", ""), record.value("path", ""), record.value("at", json())});
}

// The records of all questions, in their order: those of earlier runs, and answers to the rest.
tl::expected<std::vector<json>, std::string> AskAll(const Invocation& invocation,
                                                    const std::vector<Question>& questions,
                                                    const Asker& asker, RecordFile& file) {
  std::map<std::string, json> known;
  for (const json& record : file.earlier()) known[NameIn(record)] = record;
  const auto is_known = [&known](const Question& question) {
    return known.contains(NameIn(question.name));
  };
  const auto finished = std::count_if(questions.begin(), questions.end(), is_known);
  ProgressBar bar(invocation, questions.size() - static_cast<size_t>(finished),
                  ProgressBar::Steps::kEqual);
  std::vector<json> records;
  for (const Question& question : questions) {
    if (is_known(question)) {
      records.push_back(known[NameIn(question.name)]);
      continue;
    }
    bar.Begin(question.name["path"].get<std::string>());
    records.push_back(question.ask(asker));
    if (auto kept = file.Append(records.back()); !kept) return tl::unexpected(kept.error());
  }
  return records;
}

std::string Percent(const json& share) {
  return share.is_number() ? fmt::format("{:.1f}", 100 * share.get<double>()) : "-";
}

// The columns "p50 ms" and "p95 ms".
std::string Times(const json& ms) {
  return ms.is_object()
             ? fmt::format("{:>7.0f} {:>7.0f}", ms["p50"].get<double>(), ms["p95"].get<double>())
             : fmt::format("{:>7} {:>7}", "-", "-");
}

void PrintGaps(const Invocation& invocation, const json& groups) {
  invocation.Print(
      fmt::format("{:12} {:7} {:10} {:>6} {:>7} {:>10} {:>9} {:>7} {:>11} {:>7} {:>7}\n",
                  "language", "kind", "constraint", "gaps", "exact %", "similarity", "answered%",
                  "valid %", "nats a byte", "p50 ms", "p95 ms"));
  for (const json& group : groups) {
    const json& nats = group["nats_a_byte"];
    invocation.Print(fmt::format(
        "{:12} {:7} {:10} {:>6} {:>7} {:>10.3f} {:>9} {:>7} {:>11} {}\n",
        group["language"].get<std::string>(), group["kind"].get<std::string>(),
        group["constraint"].get<std::string>(), group["count"].get<size_t>(),
        Percent(group["exact"]), group["similarity"].get<double>(), Percent(group["answered"]),
        Percent(group["valid"]), nats.is_number() ? fmt::format("{:.3f}", nats.get<double>()) : "-",
        Times(group["ms"])));
  }
}

void PrintTyping(const Invocation& invocation, const json& groups) {
  invocation.Print(fmt::format("{:12} {:10} {:>7} {:>8} {:>7} {:>13} {:>9} {:>7} {:>7}\n",
                               "language", "constraint", "regions", "requests", "saved %",
                               "right prefix %", "answered%", "p50 ms", "p95 ms"));
  for (const json& group : groups) {
    invocation.Print(fmt::format(
        "{:12} {:10} {:>7} {:>8} {:>7} {:>14} {:>9} {}\n", group["language"].get<std::string>(),
        group["constraint"].get<std::string>(), group["count"].get<size_t>(),
        group["requests"].get<size_t>(), Percent(group["saved"]), Percent(group["right_prefix"]),
        Percent(group["answered"]), Times(group["ms"])));
  }
}

// The model that is measured; of a remote engine where it is.
tl::expected<ModelChoice, std::string> EngineChoice(const Invocation& invocation) {
  const RemoteSettings remote = invocation.settings().Merge().settings.remote;
  if (!remote.wanted()) return invocation.Model();
  ModelChoice choice;
  choice.name = remote.model.value_or("");
  choice.path = remote.url.value_or("");
  return choice;
}

// The files that the results go to must be writable before hours are spent.
tl::expected<void, std::string> TryToWrite(const EvalOptions& options) {
  for (const auto& [option, path] :
       {std::pair("--json", options.json_file), std::pair("--html", options.html_file)}) {
    if (!path) continue;
    // Without O_NONBLOCK the opening of a pipe waits for its reader.
    constexpr int kMode = 0666;
    const FileDescriptor file(
        open(path->c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, kMode));
    if (file.open()) continue;
    return tl::unexpected(fmt::format("{}: cannot be written ({}); give {} a path that can", *path,
                                      std::generic_category().message(errno), option));
  }
  return {};
}

tl::expected<void, std::string> WriteFile(const std::optional<std::string>& path,
                                          const std::string& text) {
  if (!path) return {};
  std::ofstream out(*path, std::ios::binary);
  if (out << text << std::flush) return {};
  return tl::unexpected(fmt::format("{}: could not be written whole; is the disk full?", *path));
}

json ResultOf(const std::string& what, json settings, json machine, std::vector<json> records) {
  return {{"eval", what},
          {"settings", std::move(settings)},
          {"machine", std::move(machine)},
          {"groups", what == "gaps" ? SummariseGaps(records) : SummariseTyping(records)},
          {"latencies_ms", LatenciesOf(records)},
          {"records", std::move(records)}};
}

// Can the record of a file be read wherever results are?
bool IsResult(const std::string& what, const json& record) {
  try {
    (void)NameIn(record);
    (void)PageOf(ResultOf(what, json::object(), json::object(), {record}));
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

AskingTerms TermsOf(const EvalOptions& options) {
  AskingTerms terms{.max_tokens = options.max_tokens,
                    .candidates = options.candidates,
                    .sureness = options.sureness,
                    .other_files = options.other_files};
  if (options.budget_ms) terms.time_budget = std::chrono::milliseconds(*options.budget_ms);
  if (options.pause_ms) terms.pause = std::chrono::milliseconds(*options.pause_ms);
  return terms;
}

// Prints the groups of a result, and writes the whole of it to the files that were named. Returns
// the exit status.
int TellResult(const Invocation& invocation, const EvalOptions& options, const json& result) {
  if (invocation.json()) {
    for (const json& group : result["groups"]) invocation.PrintJson(group);
  } else if (options.what == "gaps") {
    PrintGaps(invocation, result["groups"]);
  } else {
    PrintTyping(invocation, result["groups"]);
  }
  for (const auto& written : {WriteFile(options.json_file, protocol::Dump(result) + "\n"),
                              WriteFile(options.html_file, PageOf(result))}) {
    if (!written) return invocation.Fail(written.error());
  }
  return kExitDone;
}

}  // namespace

int RunEval(const Invocation& invocation, const EvalOptions& options) {
  const auto constraints = ConstraintsOf(options);
  if (!constraints) return invocation.Fail(constraints.error(), kExitWrongUsage);
  const auto languages = invocation.Languages();
  if (!languages) return invocation.Fail(languages.error());
  const auto choice = EngineChoice(invocation);
  if (!choice) return invocation.Fail(choice.error());
  auto corpus = Corpus::In(options.folder, *languages, options.languages, options.seed);
  if (!corpus) return invocation.Fail(corpus.error());
  if (auto writable = TryToWrite(options); !writable) return invocation.Fail(writable.error());
  json settings = SettingsOf(invocation, options, *constraints, corpus->languages(), *choice);
  auto file = RecordFile::Open(options.resume_file, settings, [&options](const json& record) {
    return IsResult(options.what, record);
  });
  if (!file) return invocation.Fail(file.error());

  const auto made = invocation.NewCompleter(*languages);
  if (!made) return invocation.Fail(made.error());
  const std::unique_ptr<Completer>& completer = *made;
  const auto questions = QuestionsOf(*corpus, **languages, options, *constraints);
  if (!questions) return invocation.Fail(questions.error());
  if (questions->empty()) {
    return invocation.Fail(
        fmt::format("{}: no valid file of 500 to 60,000 bytes of a known language; known are {}",
                    options.folder, fmt::join((*languages)->GrammarIds(), ", ")));
  }
  const CompleterStatus status = completer->WaitUntilLoaded();
  if (status.state == CompleterState::kFailed) return invocation.Fail(status.message);
  const Asker asker(*completer, TermsOf(options), [] { return std::chrono::steady_clock::now(); });
  auto records = AskAll(invocation, *questions, asker, *file);
  if (!records) return invocation.Fail(records.error());

  json machine = MachineRow(invocation);
  machine.erase("name");
  return TellResult(
      invocation, options,
      ResultOf(options.what, std::move(settings), std::move(machine), *std::move(records)));
}

}  // namespace tenon::server
