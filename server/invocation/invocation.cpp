#include "server/invocation/invocation.h"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <limits>
#include <optional>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>

#include "protocol/json_rpc.h"
#include "protocol/json_text.h"
#include "server/languages/language_settings.h"
#include "server/remote/remote_completer.h"
#include "server/settings/settings_file.h"
#include "server/syntax/syntax_registry.h"

namespace tenon::server {
namespace {

// A log file that is full, `tenon.log`, becomes `tenon.1.log`, and that `tenon.2.log`.
constexpr size_t kLogFileBytes = size_t{5} << 20;
constexpr size_t kOldLogFiles = 3;

// Writing to a pipe without a reader waits for one.
bool IsPipe(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_fifo(path, ignored);
}

}  // namespace

Invocation::Invocation(const ProcessContext& process, CommonOptions options)
    : process_(process), options_(std::move(options)), settings_(ReadSettings()) {
  const Settings settings = settings_.Merge().settings;
  options_.model = settings.model;
  options_.adapter = settings.adapter;
  options_.threads = settings.threads;
  options_.engine = settings.engine;
  options_.device = settings.device;
  options_.log_level = settings.log_level;
  options_.log_file = settings.log_file;
  if (settings.cache_mb) options_.cache_mb = *settings.cache_mb;
  settings_.SetCheck([this](Settings& checked) { return TakeOutFaults(checked); });
}

std::filesystem::path Invocation::settings_file() const {
  return options_.config ? std::filesystem::path(*options_.config)
                         : process_.config_folder / "config.toml";
}

SettingLayers Invocation::ReadSettings() const {
  SettingLayers layers;
  const std::filesystem::path path = settings_file();
  // A path that depends on the folder that the program was started in is a workspace's.
  if (options_.config || path.is_absolute()) {
    auto file = ReadSettingsFile(path, options_.config.has_value());
    if (!file) layers.AddProblem(file.error());
    layers.Set(SettingSource::kUserFile, file.value_or(nullptr), path.string());
  }
  nlohmann::json flags = nlohmann::json::object();
  for (const std::string& setting : options_.set) {
    const size_t equals = std::min(setting.find('='), setting.size());
    if (equals == setting.size()) {
      layers.AddProblem(fmt::format("--set '{}' must be NAME=VALUE", setting));
      continue;
    }
    const std::string text = setting.substr(equals + 1);
    // What is no JSON is a text: --set scope=line.
    flags[setting.substr(0, equals)] = protocol::ParseJson(text).value_or(nlohmann::json(text));
  }
  if (options_.model) flags["model"] = *options_.model;
  if (options_.adapter) flags["adapter"] = *options_.adapter;
  if (options_.threads) flags["threads"] = *options_.threads;
  if (options_.engine) flags["engine"] = *options_.engine;
  if (options_.device) flags["device"] = *options_.device;
  if (options_.log_level) flags["log"] = *options_.log_level;
  if (options_.log_file) flags["logFile"] = *options_.log_file;
  if (options_.cache_mb) flags["cacheMb"] = *options_.cache_mb;
  layers.Set(SettingSource::kFlags, std::move(flags), "flags");
  return layers;
}

void Invocation::PrintJson(const nlohmann::json& value) const {
  process_.out << protocol::Dump(value) << '\n' << std::flush;
}

void Invocation::Print(std::string_view text) const { process_.out << text << std::flush; }

int Invocation::AnswerLines(const AnswerLine& answer) const {
  const auto answer_line =
      [&answer](const Line& line) -> tl::expected<nlohmann::json, std::string> {
    if (line.too_long)
      return tl::unexpected(fmt::format("a line has more than {} bytes", kMaxLineBytes));
    const auto request = protocol::ParseJson(line.text);
    if (request && request->is_object()) return answer(*request);
    return tl::unexpected("a request is a JSON object on one line" +
                          (request ? std::string() : ": " + request.error()));
  };
  while (const auto line = ReadLine(process_.in)) {
    if (line->text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto answered = answer_line(*line);
    PrintJson(answered ? *answered : nlohmann::json{{"error", answered.error()}});
    if (line->too_long) process_.in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  if (process_.in.bad()) return Fail("standard input cannot be read; is it a folder?");
  return kExitDone;
}

int Invocation::Fail(std::string_view message, int status) const {
  if (json())
    PrintJson({{"error", message}});
  else
    process_.err << "tenon: " << message << '\n';
  return status;
}

tl::expected<Invocation::Registry, std::string> Invocation::ShippedLanguages() const {
  if (shipped_) return shipped_;
  std::optional<std::filesystem::path> wanted;
  if (options_.grammars) wanted = *options_.grammars;
  auto loaded = LanguageRegistry::Load(FindGrammarFolder(wanted, process_.executable), cache());
  if (loaded) shipped_ = *loaded;
  return loaded;
}

tl::expected<Invocation::Registry, std::string> Invocation::LanguagesWith(
    const std::vector<std::string>& grammars) const {
  auto shipped = ShippedLanguages();
  if (!shipped || grammars.empty()) return shipped;
  if (languages_ && languages_of_ == grammars) return languages_;
  auto with = (*shipped)->With(grammars);
  if (!with) return with;
  languages_ = *with;
  languages_of_ = grammars;
  return with;
}

tl::expected<Invocation::Registry, std::string> Invocation::Languages() const {
  return LanguagesWith(settings_.Merge().settings.grammars);
}

std::vector<SettingFault> Invocation::TakeOutFaults(Settings& settings) const {
  if (settings.levels.empty() && settings.grammars.empty()) return {};
  const auto shipped = ShippedLanguages();
  if (!shipped) return {};
  std::vector<SettingFault> faults = TakeOutWrongGrammars(**shipped, settings);
  const auto languages = LanguagesWith(settings.grammars);
  if (!languages) return faults;
  for (SettingFault& fault : TakeOutWrongLevels(**languages, settings))
    faults.push_back(std::move(fault));
  return faults;
}

std::vector<std::filesystem::path> Invocation::SyntaxFolders() const {
  return server::SyntaxFolders(process_.models_folder.parent_path() / "syntax",
                               process_.executable);
}

ModelsAtHand Invocation::Models() const {
  return ReadModelsAtHand(FindModelRegistry(process_.executable), process_.models_folder,
                          process_.config_folder, process_.available_memory_bytes());
}

tl::expected<ModelChoice, std::string> Invocation::Model(
    const std::optional<std::string>& wanted, std::shared_ptr<spdlog::logger> log) const {
  if (!log) log = MakeLog("warn").value_or(nullptr);
  const ModelsAtHand at_hand = Models();
  auto choice = at_hand.Choice(wanted ? wanted : options_.model);
  if (choice && options_.adapter) choice->adapter = *options_.adapter;
  if (choice) {
    const ModelCheck check = CheckOf(*choice);
    if (check.Known() == ModelVerdict::kDamaged) return tl::unexpected(check.DamageMessage());
  }
  if (!log) return choice;
  for (const std::string& problem : at_hand.problems) log->warn("{}", problem);
  if (!choice) return choice;
  log->info("model {}: {}, {}", choice->name, choice->path.string(), choice->why);
  if (choice->adapter && !choice->adapter->empty())
    log->info("adapter {}", choice->adapter->string());
  if (choice->passed_over)
    log->warn("{}; {} runs instead: {}", *choice->passed_over, choice->name, choice->why);
  if (!choice->fits) {
    log->warn("{} needs {} of memory, and {} are available", choice->path.string(),
              Megabytes(choice->memory_bytes), Megabytes(at_hand.available_bytes.value_or(0)));
  }
  return choice;
}

ModelCheck Invocation::CheckOf(const ModelChoice& choice) const {
  return ModelCheck(choice, panel_folders().known_hashes);
}

PanelFolders Invocation::panel_folders() const {
  const std::filesystem::path& state = process_.state_folder;
  return {
      .models = process_.models_folder,
      .cache = process_.panels_folder,
      .known_hashes = state.is_absolute() ? state / "model_hashes.json" : std::filesystem::path()};
}

model::PanelShelf Invocation::PanelShelfFor(const ModelChoice& choice,
                                            std::shared_ptr<spdlog::logger> log) const {
  if (options_.no_cache) return {};
  const PanelFolders folders = panel_folders();
  RemoveOrphanedPanelFiles(folders);
  return PanelShelfOf(choice.path, folders, [log = std::move(log)](const std::string& note) {
    if (log) log->info("{}", note);
  });
}

CompleterOptions Invocation::CompleterOptionsFor(const ModelChoice& choice,
                                                 std::shared_ptr<spdlog::logger> log) const {
  CompleterOptions options;
  options.model_path = choice.path.string();
  options.adapter = choice.adapter.value_or("").string();
  options.syntax_folders = SyntaxFolders();
  options.panels = PanelShelfFor(choice, std::move(log));
  options.threads = options_.threads.value_or(0);
  options.engine = *options_.engine;
  options.device = *options_.device;
  options.available_bytes = process_.available_memory_bytes();
  return options;
}

std::unique_ptr<Completer> Invocation::NewRemoteCompleter(
    const RemoteSettings& settings, std::shared_ptr<const LanguageRegistry> languages) const {
  RemoteOptions options{EngineOf(settings, process_.environment)};
  options.syntax_folders = SyntaxFolders();
  return MakeRemoteCompleter(std::move(options), std::move(languages));
}

tl::expected<std::unique_ptr<Completer>, std::string> Invocation::NewCompleter(
    std::shared_ptr<const LanguageRegistry> languages) const {
  const RemoteSettings remote = settings_.Merge().settings.remote;
  if (remote.wanted()) return NewRemoteCompleter(remote, std::move(languages));
  const auto model = Model();
  if (!model) return tl::unexpected(model.error());
  return process_.make_completer(CompleterOptionsFor(*model, MakeLog("warn").value_or(nullptr)),
                                 std::move(languages));
}

tl::expected<std::string, std::string> Invocation::TokenizerPath(
    const std::optional<std::string>& wanted) const {
  if (wanted) return *wanted;
  return Model().map([](const ModelChoice& choice) { return choice.path.string(); });
}

const Cache& Invocation::cache(std::shared_ptr<spdlog::logger> log) const {
  if (cache_) return *cache_;
  if (!log) log = MakeLog("warn").value_or(nullptr);
  const auto note = [log](std::string_view text) {
    if (log) log->info("{}", text);
  };
  const std::filesystem::path folder =
      options_.no_cache ? std::filesystem::path() : process_.cache_folder;
  return cache_.emplace(
      folder,
      CacheOptions{options_.cache_mb.value_or(CacheOptions{}.most_bytes >> 20) << 20, note});
}

tl::expected<std::string, std::string> Invocation::LanguageOf(
    const LanguageRegistry& languages, const std::optional<std::string>& wanted,
    const std::string& path) {
  if (wanted) return *wanted;
  if (path.empty()) {
    return tl::unexpected(fmt::format("a request with a \"text\" alone needs its \"language\" ({})",
                                      fmt::join(languages.Ids(), ", ")));
  }
  if (auto id = languages.IdForPath(path)) return *std::move(id);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return tl::unexpected(fmt::format("{}: is a folder; name a file", path));
  return tl::unexpected(fmt::format("{}: no language has this suffix; name one by --language ({})",
                                    path, fmt::join(languages.Ids(), ", ")));
}

tl::expected<std::shared_ptr<spdlog::logger>, std::string> Invocation::MakeLog(
    std::string_view default_level) const {
  std::shared_ptr<spdlog::sinks::sink> sink;
  if (options_.log_file && IsPipe(*options_.log_file)) {
    return tl::unexpected(
        fmt::format("{}: is a pipe; give --log-file the path of a file", *options_.log_file));
  }
  try {
    if (options_.log_file)
      sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(*options_.log_file,
                                                                    kLogFileBytes, kOldLogFiles);
    else
      sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(process_.err, true);
  } catch (const spdlog::spdlog_ex&) {  // how spdlog says that a file cannot be opened
    return tl::unexpected(
        fmt::format("{}: cannot be written; give --log-file a path that can", *options_.log_file));
  }
  auto log = std::make_shared<spdlog::logger>("tenon", std::move(sink));
  log->set_level(spdlog::level::from_str(options_.log_level.value_or(std::string(default_level))));
  log->flush_on(spdlog::level::info);
  log->set_pattern("%H:%M:%S.%e %l %v");
  return log;
}

}  // namespace tenon::server
