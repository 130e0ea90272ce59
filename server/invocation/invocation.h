// One run of the program: the options that every command shares, and how results and failures are
// told.
//
// Example: `tenon check a.json --json` is an invocation with json() true. The command prints its
// result by PrintJson, and a failure by Fail: {"error": ...} here, a line on `err` without --json.
// Thread rule: the main thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/logger.h>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/files/read_file.h"
#include "server/files/read_line.h"
#include "server/invocation/process_context.h"
#include "server/models/model_check.h"
#include "server/models/model_choice.h"
#include "server/models/panel_files.h"
#include "server/settings/setting_layers.h"
#include "tenon/cache.h"

namespace tenon::server {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitWrongUsage = 2;

struct CommonOptions {
  bool json = false;
  std::optional<std::string> log_level;  // error, warn, info, debug, off
  std::optional<std::string> log_file;
  std::optional<std::string> grammars;  // a folder with languages.json
  std::optional<std::string> model;     // a name or a path; absent: the choice of the machine
  std::optional<std::string> adapter;   // a folder, '' for none; absent: that of the named model
  std::optional<int> threads;           // 0: as the engine sees fit; an Invocation has one
  // Names of model/inference/engine.h; an Invocation always has them.
  std::optional<std::string> engine;
  std::optional<std::string> device;
  bool no_cache = false;              // languages are compiled anew, and not kept
  std::optional<size_t> cache_mb;     // of all that is kept
  std::optional<std::string> config;  // the user's file of settings, in place of the usual one
  std::vector<std::string> set;       // settings, NAME=VALUE
};

// Why options make no request, and the exit status that says so.
struct OptionFault {
  std::string message;
  int status = kExitWrongUsage;
};

class Invocation {
 public:
  // Options that were not given are those of the user's file.
  Invocation(const ProcessContext& process, CommonOptions options);
  Invocation(const Invocation&) = delete;
  Invocation& operator=(const Invocation&) = delete;

  [[nodiscard]] const ProcessContext& process() const { return process_; }
  [[nodiscard]] const CommonOptions& options() const { return options_; }
  [[nodiscard]] bool json() const { return options_.json; }
  // The settings of the user's file and of the flags. The invocation outlives them: its languages
  // check their values.
  [[nodiscard]] const SettingLayers& settings() const { return settings_; }
  [[nodiscard]] std::filesystem::path settings_file() const;

  // One line of result, flushed.
  void PrintJson(const nlohmann::json& value) const;
  void Print(std::string_view text) const;
  // Answers requests from `in`, a JSON object on each line, by one line each: the value that
  // `answer` returns, or {"error": …}. Blank lines get no answer. Returns the exit status: a
  // failure where `in` cannot be read.
  using AnswerLine =
      std::function<tl::expected<nlohmann::json, std::string>(const nlohmann::json& request)>;
  [[nodiscard]] int AnswerLines(const AnswerLine& answer) const;
  // Tells the fault, on `err` or as {"error": …}, and returns `status`.
  [[nodiscard]] int Fail(std::string_view message, int status = kExitFailed) const;
  [[nodiscard]] int Fail(const OptionFault& fault) const {
    return Fail(fault.message, fault.status);
  }

  using Registry = std::shared_ptr<const LanguageRegistry>;
  // The languages of --grammars, else of the installation. The error names the file that is wrong.
  [[nodiscard]] tl::expected<Registry, std::string> ShippedLanguages() const;
  // The same and those of these paths, as the setting `grammars` names them. The registry of the
  // last paths is kept.
  [[nodiscard]] tl::expected<Registry, std::string> LanguagesWith(
      const std::vector<std::string>& grammars) const;
  // The same with the setting `grammars` of the user's file and the flags.
  [[nodiscard]] tl::expected<Registry, std::string> Languages() const;
  // Where tree-sitter's modules are looked for.
  [[nodiscard]] std::vector<std::filesystem::path> SyntaxFolders() const;
  // The models that are known, installed and chosen, read anew.
  [[nodiscard]] ModelsAtHand Models() const;
  // The model of `wanted`, a name or a path, else of --model, else the choice without one. `log`,
  // else a log of its own, is told which model that is, and warned where memory is short. The error
  // names the remedy. A model whose file is known to be damaged is an error.
  [[nodiscard]] tl::expected<ModelChoice, std::string> Model(
      const std::optional<std::string>& wanted = std::nullopt,
      std::shared_ptr<spdlog::logger> log = nullptr) const;
  // Is the file of a model the right one? What is known about that is kept among the state of the
  // program.
  [[nodiscard]] ModelCheck CheckOf(const ModelChoice& choice) const;
  // Where the panels of a model may be kept; notes go to `log`, which may be null.
  [[nodiscard]] PanelFolders panel_folders() const;
  // The same for a model that will be loaded. Nothing is kept with --no-cache.
  [[nodiscard]] model::PanelShelf PanelShelfFor(const ModelChoice& choice,
                                                std::shared_ptr<spdlog::logger> log) const;
  // How the flags and the user's file want the model to complete; notes about its panels go to
  // `log`, which may be null.
  [[nodiscard]] CompleterOptions CompleterOptionsFor(const ModelChoice& choice,
                                                     std::shared_ptr<spdlog::logger> log) const;
  // The engine that completes: the remote one, where the user's file or the flags name one, else
  // the model of Model. It begins to load at once. The error names the remedy.
  [[nodiscard]] tl::expected<std::unique_ptr<Completer>, std::string> NewCompleter(
      std::shared_ptr<const LanguageRegistry> languages) const;
  // The remote engine alone. REQUIRES: settings.wanted().
  [[nodiscard]] std::unique_ptr<Completer> NewRemoteCompleter(
      const RemoteSettings& settings, std::shared_ptr<const LanguageRegistry> languages) const;
  // The file of a vocabulary: `wanted`, else the model's.
  [[nodiscard]] tl::expected<std::string, std::string> TokenizerPath(
      const std::optional<std::string>& wanted) const;
  // Compiled languages, kept from run to run unless --no-cache says otherwise. Its notes go to
  // `log`, else to a log of its own.
  [[nodiscard]] const Cache& cache(std::shared_ptr<spdlog::logger> log = nullptr) const;
  // `wanted`, else by the path's suffix. The error says how to name one. An empty path: a request
  // of AnswerLines has a text alone, and must name its language.
  [[nodiscard]] static tl::expected<std::string, std::string> LanguageOf(
      const LanguageRegistry& languages, const std::optional<std::string>& wanted,
      const std::string& path);
  // To --log-file, else to `err`. The error: the file cannot be written.
  [[nodiscard]] tl::expected<std::shared_ptr<spdlog::logger>, std::string> MakeLog(
      std::string_view default_level) const;

 private:
  [[nodiscard]] SettingLayers ReadSettings() const;
  // What the languages say of the settings; nothing where there are none.
  [[nodiscard]] std::vector<SettingFault> TakeOutFaults(Settings& settings) const;

  const ProcessContext& process_;
  CommonOptions options_;
  SettingLayers settings_;
  // Made when first wanted.
  mutable std::optional<Cache> cache_;
  mutable Registry shipped_;
  mutable Registry languages_;                     // `shipped_` with `languages_of_`
  mutable std::vector<std::string> languages_of_;  // paths of the setting `grammars`
};

}  // namespace tenon::server
