// The settings of a user: their names, their defaults, and who may give each (setting_table.h).
//
// Example: {"maxTokens": 32, "scope": "word"} sets max_tokens, leaves the scope at its default,
// and gives one problem: "'scope' must be ...".
//
// A setting has the same name wherever it is given: in the user's file, in the client's settings,
// in `--set NAME=VALUE`. A name with a dot may also be written as an object:
// {"completion": {"enabled": false}}. So may all of them be nested under "tenon".
//
// "server" and "trace" are the client's own: how it starts the server, and what it logs of it.
//
// Every setting is optional. One that is unknown or has a wrong value is left as it was and named,
// with the nearest right name, so that one message can tell the user all of them. null counts as
// not given.
// Cost: constant. Thread rule: plain values.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/request/completer.h"

namespace tenon::server {

// "remote.…": a server whose model completes in place of a local one (server/remote/). It is there
// where a URL or a kind is given. The key itself is given by one of three, or there is none.
struct RemoteSettings {
  std::optional<std::string> kind;          // a name of kRemoteKinds
  std::optional<std::string> url;           // "http://127.0.0.1:8080"
  std::optional<std::string> model;         // as the server calls it
  std::optional<std::string> format;        // of the prompt: a known name, or a template
  std::optional<std::string> key;           // never shown
  std::optional<std::string> key_file;      // a file with the key
  std::optional<std::string> key_variable;  // a variable of the environment with the key
  std::optional<std::string> ca_file;  // PEM: who may vouch for the server, beside the system's
  std::chrono::milliseconds silence{30'000};  // "remote.silenceMs": the server may say nothing
  bool grammar = true;  // "remote.grammar": is llama.cpp's server sent grammars?

  [[nodiscard]] bool wanted() const { return kind || url; }
  friend bool operator==(const RemoteSettings&, const RemoteSettings&) = default;
};

inline constexpr std::array<std::string_view, 3> kRemoteKinds = {"llama.cpp", "openai", "ollama"};

struct Settings {
  // "grammars": folders with a languages.json, or grammar files. Their languages come before the
  // installation's.
  std::vector<std::string> grammars;
  // "model": a name, or the path of a model file; absent: tenon's choice
  std::optional<std::string> model;
  std::optional<std::string> adapter;    // "adapter": a folder; absent: that of the named model
  int threads = 0;                       // "threads": for the model; 0: as it sees fit
  std::string engine = "kernels";        // "engine": "kernels" or "torch", what computes the model
  std::string device = "auto";           // "device": of the torch engine, "auto", "cpu" or "cuda"
  RemoteSettings remote;                 // "remote.kind", "remote.url", …
  std::optional<std::string> log_level;  // "log"
  std::optional<std::string> log_file;   // "logFile"
  std::optional<int> cache_mb;           // "cacheMb"
  bool enabled = true;                   // "enabled": off, nothing is completed
  bool list_enabled = true;              // "completion.enabled": items of the completion list
  bool inline_enabled = true;            // "inlineCompletion.enabled": ghost text
  // "languages": {language id: on or off}; "*" means all that are not named
  std::map<std::string, bool> languages;
  int max_tokens = kUsualMaxTokens;  // "maxTokens": 1 to 4096
  // The time until a request is answered, 1 to 600000 ms: "completion.automaticBudgetMs" while
  // typing, "completion.invokedBudgetMs" where a person asks.
  std::chrono::milliseconds automatic_budget{300};
  std::chrono::milliseconds invoked_budget{2000};
  // "scope": "argument", "line", "statement", "block" or "free": how far a completion may go
  Scope scope = Scope::kBlock;
  // "candidates": 1 to 8, the items of an answer to a person's request
  int candidates = 3;
  // "sureness": 0 to 1, where a keystroke's request needs it (server/request/sureness.h)
  double sureness = 0.45;
  float temperature = 0;                              // "temperature": 0 (greedy) to 5
  uint64_t seed = 0;                                  // "seed"
  ConstraintMode constraint = ConstraintMode::kBoth;  // "constraint": "off", "left" or "both"
  // "levels": {language id: a level of its grammar}: the newest version of the language that may be
  // written
  std::map<std::string, std::string> levels;
  // "workAhead": may anything be computed that nobody has asked for?
  bool work_ahead = true;
  // "otherFiles": does the model see stretches of other open files?
  bool other_files = true;
  // "anyLanguage": are documents completed whose language has neither grammar nor syntax? One line
  // then, without a guarantee.
  bool any_language = false;
  // "multiline": may completion items hold line breaks? absent: as the client can
  std::optional<bool> multiline;

  friend bool operator==(const Settings&, const Settings&) = default;

  // Is anything completed in documents of this language?
  [[nodiscard]] bool IsOn(const std::string& language_id) const;
};

// Who may give a setting. A name of a file or a model is the user's and no workspace's; a setting
// needed before a client speaks is the program's: it stands in the user's file or in a flag.
enum class SettingReach : uint8_t { kAnywhere, kUser, kProgram };

struct SettingDescription {
  std::string_view name;
  std::string_view expected;  // the form of its value: "a whole number from 1 to 4096"
  std::string_view about;     // what it does, in one line
  SettingReach reach = SettingReach::kAnywhere;
};

// In the order of the table in docs/settings.md.
[[nodiscard]] std::vector<SettingDescription> AllSettings();
// The value in these settings, as it is written in JSON; null where it is absent. Of a key nothing
// but that there is one. REQUIRES: a name of AllSettings().
[[nodiscard]] nlohmann::json ValueOf(std::string_view name, const Settings& settings);

// Who gives settings. A workspace is what came by workspace/configuration or
// workspace/didChangeConfiguration: there a client does not say whether a value is the user's or
// was found in the folder that is being edited. The program is the user's file and the flags, the
// user initializationOptions.
enum class SettingGiver : uint8_t { kProgram, kUser, kWorkspace };

struct ReadSettings {
  Settings settings;
  std::vector<std::string> names;     // of the settings that were taken
  std::vector<std::string> problems;  // one for each that was not: its name and its right form
};

// `defaults` hold where `values` says nothing. `values` may be null.
[[nodiscard]] ReadSettings SettingsFromJson(const nlohmann::json& values, const Settings& defaults,
                                            SettingGiver giver = SettingGiver::kProgram);

[[nodiscard]] std::optional<ConstraintMode> ConstraintModeFromName(std::string_view name);

}  // namespace tenon::server
