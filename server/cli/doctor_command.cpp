#include "server/cli/doctor_command.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "model/inference/inference.h"
#include "model/kernels/kernels.h"
#include "server/cli/model_command.h"
#include "server/daemon/daemon_query.h"
#include "server/remote/remote_engine.h"
#include "server/syntax/syntax_registry.h"

namespace tenon::server {
namespace {

using nlohmann::json;

struct Findings {
  json facts = json::object();
  std::string screen;
  std::vector<std::string> problems;
};

void LookAtModel(const Invocation& invocation, const ModelChoice& choice, Findings& findings) {
  const std::string path = choice.path.string();
  const auto info = model::ReadModelInfo(path);
  if (!info) {
    findings.facts["model"] = {{"path", path}, {"found", false}, {"runs", false}};
    findings.screen += fmt::format("model     {}: not usable\n", path);
    findings.problems.push_back(fmt::format(
        "{}; tools/setup fetches the default model, --model names another", info.error().message));
    return;
  }
  const ModelCheck check = invocation.CheckOf(choice);
  const ModelVerdict verdict = check.Known();
  findings.facts["model"] = {{"path", path},
                             {"name", choice.name},
                             {"found", true},
                             {"runs", info->runs && verdict != ModelVerdict::kDamaged},
                             {"why", choice.why},
                             {"fim_format", info->fim_format},
                             {"file", ToString(verdict)}};
  findings.screen +=
      fmt::format("model     {}\n          {} {}, {:.0f} million parameters, {} prompts: {}\n",
                  path, info->architecture, info->name, static_cast<double>(info->parameters) / 1e6,
                  info->fim_format, info->runs ? "runs" : "does not run");
  findings.screen += fmt::format("          file: {}\n", ToString(verdict));
  if (verdict == ModelVerdict::kDamaged) findings.problems.push_back(check.DamageMessage());
  if (!info->runs)
    findings.problems.push_back(fmt::format("the model does not run: {}", info->why_not));
}

// All models, then the one that runs.
void LookAtModels(const Invocation& invocation, Findings& findings) {
  const ModelsAtHand at_hand = invocation.Models();
  const auto choice = at_hand.Choice(invocation.options().model);
  const std::vector<json> rows = ModelRows(at_hand, choice);
  findings.facts["models"] = rows;
  findings.screen += fmt::format("models    {}\n", at_hand.folder.string());
  findings.screen += ModelTable(rows, "        ");
  if (at_hand.available_bytes) {
    findings.facts["available_bytes"] = *at_hand.available_bytes;
    findings.screen +=
        fmt::format("memory    {} are available\n", Megabytes(*at_hand.available_bytes));
  }
  for (const std::string& problem : at_hand.problems) findings.problems.push_back(problem);
  if (!choice) {
    findings.facts["model"] = {{"path", nullptr}, {"found", false}, {"runs", false}};
    findings.screen += "model     none\n";
    findings.problems.push_back(choice.error());
    return;
  }
  LookAtModel(invocation, *choice, findings);
  if (choice->passed_over) {
    findings.facts["model"]["passed_over"] = *choice->passed_over;
    findings.problems.push_back(
        fmt::format("{}, so {} runs; end other programs, or choose it by 'tenon model use {}'",
                    *choice->passed_over, choice->name, choice->name));
  }
  if (!choice->fits) {
    findings.problems.push_back(fmt::format(
        "{} needs {} of memory, and {} are available; take a smaller model or end other programs",
        choice->path.string(), Megabytes(choice->memory_bytes),
        Megabytes(at_hand.available_bytes.value_or(0))));
  }
}

// The server that completes, asked now.
void LookAtRemote(const Invocation& invocation, const RemoteSettings& settings,
                  Findings& findings) {
  constexpr std::chrono::milliseconds kPatience{5'000};
  const auto engine = EngineOf(settings, invocation.process().environment);
  if (!engine) {
    findings.facts["remote"] = {{"runs", false}};
    findings.screen += "remote    not usable\n";
    findings.problems.push_back(engine.error());
    return;
  }
  const HttpUrl& url = engine->client->url();
  const Deadline deadline(kPatience, [] { return std::chrono::steady_clock::now(); });
  const auto state = StateOf(*engine, deadline);
  findings.facts["remote"] = {
      {"kind", engine->kind},      {"url", url.ToString()},
      {"model", engine->model},    {"key", !engine->key.empty()},
      {"runs", state.has_value()}, {"state", state ? *state : state.error()}};
  findings.screen += fmt::format("remote    {} at {}{}\n          {}\n", engine->kind,
                                 url.ToString(), engine->key.empty() ? "" : ", with a key",
                                 state ? *state : std::string("cannot be used now"));
  if (!state) findings.problems.push_back(state.error());
  if (!url.tls && !url.is_loopback()) {
    findings.screen += fmt::format(
        "          code goes to {} without TLS: others on the way can read it\n", url.host);
  }
}

void LookAtGrammars(const Invocation& invocation, Findings& findings) {
  const auto languages = invocation.Languages();
  if (!languages) {
    findings.facts["grammars"] = json::array();
    findings.screen += "grammars  none\n";
    findings.problems.push_back(languages.error());
    return;
  }
  findings.facts["grammars"] = json::array();
  findings.screen += fmt::format("grammars  {}\n", (*languages)->folder().string());
  for (const std::string& id : (*languages)->GrammarIds()) {
    const auto begun = std::chrono::steady_clock::now();
    const auto language = (*languages)->Get(id);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begun;
    findings.facts["grammars"].push_back({{"language", id},
                                          {"path", (*languages)->GrammarPath(id).string()},
                                          {"compiles", language.has_value()},
                                          {"compile_ms", took.count()},
                                          {"from_cache", language && language->from_cache()}});
    const char* how = language && language->from_cache() ? "read from the cache" : "compiled";
    findings.screen += fmt::format(
        "          {:12} {}\n", id,
        language ? fmt::format("{} in {:.0f} ms", how, took.count()) : "does not compile");
    if (!language)
      findings.problems.push_back(
          fmt::format("the grammar of {} does not compile: {}", id, language.error()));
  }
}

// What each language gets. The syntax serves those that have no grammar.
void LookAtSyntaxes(const Invocation& invocation, Findings& findings) {
  findings.facts["languages"] = json::array();
  const auto languages = invocation.Languages();
  if (!languages) return;  // LookAtGrammars has said so
  const SyntaxRegistry syntaxes(*languages, invocation.SyntaxFolders());
  std::vector<std::string> with_regions, with_syntax;
  for (const std::string& id : (*languages)->Ids()) {
    const bool grammar = (*languages)->HasGrammar(id);
    const auto loaded = syntaxes.Get(id);
    const bool named = !(*languages)->Syntax(id).empty();
    if (named && !loaded) {
      findings.problems.push_back(
          fmt::format("{}; tools/build builds those of tenon, and {} is for your own",
                      loaded.error(), invocation.SyntaxFolders().front().string()));
    }
    if (const auto names = syntaxes.NamesOf(id); loaded && !names)
      findings.problems.push_back(names.error());
    const auto compiled = (*languages)->Get(id);
    const bool regions = loaded && compiled && !compiled->regions().empty();
    const char* guarantee = grammar ? "file" : loaded ? "syntax" : "none";
    findings.facts["languages"].push_back({{"language", id},
                                           {"guarantee", guarantee},
                                           {"region", regions},
                                           {"syntax", loaded.has_value()}});
    if (regions) with_regions.push_back(id);
    if (!grammar && loaded) with_syntax.push_back(id);
  }
  findings.screen += fmt::format(
      "languages guarantee file: {}\n          region, where the file is broken: {}\n          "
      "guarantee syntax: {}\n",
      fmt::join((*languages)->GrammarIds(), ", "), fmt::join(with_regions, ", "),
      fmt::join(with_syntax, ", "));
}

// After the grammars, whose files there are counted, too.
void LookAtCache(const Invocation& invocation, Findings& findings) {
  const std::filesystem::path& folder = invocation.cache().folder();
  if (folder.empty()) {
    findings.facts["cache"] = {
        {"path", nullptr}, {"files", 0}, {"bytes", 0}, {"most_bytes", 0}, {"writable", false}};
    findings.screen += "cache     none: languages are compiled anew in every run\n";
    return;
  }
  const Cache::Contents contents = invocation.cache().contents();
  const bool writable = access(folder.c_str(), W_OK) == 0;
  findings.facts["cache"] = {{"path", folder.string()},
                             {"files", contents.files},
                             {"bytes", contents.bytes},
                             {"most_bytes", invocation.cache().most_bytes()},
                             {"writable", writable}};
  findings.screen +=
      fmt::format("cache     {}: {} files, {:.1f} of at most {:.0f} MB\n", folder.string(),
                  contents.files, static_cast<double>(contents.bytes) / 1e6,
                  static_cast<double>(invocation.cache().most_bytes()) / 1e6);
  if (writable) return;
  findings.problems.push_back(
      fmt::format("{}: cannot be written, so languages are compiled anew in every run; make it "
                  "writable, or let "
                  "XDG_CACHE_HOME name "
                  "another folder",
                  folder.string()));
}

// What the user's file and the flags say.
void LookAtSettings(const Invocation& invocation, Findings& findings) {
  const MergedSettings merged = invocation.settings().Merge();
  const std::filesystem::path file = invocation.settings_file();
  std::error_code ignored;
  const bool found = std::filesystem::exists(file, ignored);
  json values = json::array();
  findings.screen +=
      fmt::format("settings  {}{}\n", file.string(), found ? "" : ": none, which is fine");
  for (const SettingDescription& setting : AllSettings()) {
    const std::string name(setting.name);
    const auto origin = merged.origins.find(name);
    const json value = ValueOf(name, merged.settings);
    const std::string from = origin == merged.origins.end() ? "default" : origin->second;
    values.push_back({{"name", name}, {"value", value}, {"from", from}});
    if (origin != merged.origins.end())
      findings.screen += fmt::format("          {} = {}, from {}\n", name, value.dump(), from);
  }
  findings.facts["settings"] = {
      {"file", file.string()}, {"found", found}, {"values", std::move(values)}};
  for (const std::string& problem : merged.problems) findings.problems.push_back(problem);
  if (const auto log = invocation.MakeLog("warn"); !log) findings.problems.push_back(log.error());
}

// The memory that a process takes now; nothing where it cannot be seen.
std::optional<uint64_t> ResidentBytes(int64_t pid) {
  std::ifstream statm(fmt::format("/proc/{}/statm", pid));
  uint64_t total_pages = 0, resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return std::nullopt;
  return resident_pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// The user's daemons: one for each build and model that editors use now.
void LookAtDaemons(const Invocation& invocation, Findings& findings) {
  findings.facts["daemons"] = json::array();
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(invocation.process().runtime_folder, ignored)) {
    if (entry.path().extension() != ".sock") continue;
    auto about = AskDaemon(entry.path());
    if (!about || !about->is_object()) continue;
    const auto pid = about->value("pid", int64_t{0});
    const auto clients = about->value("clients", int64_t{1}) - 1;  // without this question
    const uint64_t bytes = ResidentBytes(pid).value_or(0);
    (*about)["clients"] = clients;
    (*about)["resident_bytes"] = bytes;
    findings.screen += fmt::format("daemon    process {}, {} clients, {}\n          {}\n", pid,
                                   clients, Megabytes(bytes), about->value("model", std::string()));
    findings.facts["daemons"].push_back(*std::move(about));
  }
  if (findings.facts["daemons"].empty())
    findings.screen += "daemon    none runs; the next 'tenon --stdio' starts one\n";
}

std::string EngineWords(const CommonOptions& options, const RemoteSettings& remote) {
  if (remote.wanted()) return "remote: nothing is computed here";
  if (options.engine == model::NameOf(model::Engine::kKernels))
    return "tenon's own kernels, on the processor";
  return fmt::format("libtorch's operators, on the device '{}'", *options.device);
}

}  // namespace

int RunDoctor(const Invocation& invocation) {
  Findings findings;
  findings.facts["version"] = invocation.process().version;
  findings.facts["program"] = invocation.process().executable.string();
  findings.screen = fmt::format("tenon     {}, {}\n", invocation.process().version,
                                invocation.process().executable.string());
  LookAtSettings(invocation, findings);
  const RemoteSettings remote = invocation.settings().Merge().settings.remote;
  if (remote.wanted())
    LookAtRemote(invocation, remote, findings);
  else
    LookAtModels(invocation, findings);
  LookAtGrammars(invocation, findings);
  LookAtSyntaxes(invocation, findings);
  LookAtCache(invocation, findings);
  LookAtDaemons(invocation, findings);
  const int cores = model::CountPerformanceCores();
  model::LoadOptions how;
  how.threads = invocation.options().threads.value_or(0);
  how.engine = model::EngineOf(*invocation.options().engine).value_or(model::Engine::kKernels);
  const int threads = model::ThreadsFor(how);
  findings.facts["threads"] = threads;
  findings.facts["engine"] = *invocation.options().engine;
  findings.facts["device"] = *invocation.options().device;
  findings.facts["performance_cores"] = cores;
  findings.screen +=
      fmt::format("threads   {} for the model; performance cores: {}\n", threads, cores);
  findings.screen += "engine    " + EngineWords(invocation.options(), remote) + "\n";
  findings.facts["problems"] = findings.problems;
  findings.screen += findings.problems.empty() ? "\nnothing is wrong\n" : "\nwrong:\n";
  for (const std::string& problem : findings.problems)
    findings.screen += fmt::format("  - {}\n", problem);
  if (invocation.json())
    invocation.PrintJson(findings.facts);
  else
    invocation.Print(findings.screen);
  return findings.problems.empty() ? kExitDone : kExitFailed;
}

}  // namespace tenon::server
