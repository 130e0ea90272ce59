// The settings of a user: the members of `initializationOptions`, read with care.
//
// Example: {"maxTokens": 32, "scope": "word"} sets max_tokens, leaves the scope at its default,
// and gives one problem: "'scope' must be ...".
//
// Every member is optional. A member that is unknown or has a wrong value is left at its default
// and named, so that one message can tell the user all of them.
// Cost: constant. Thread rule: plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/request/completer.h"

namespace tenon::server {

struct Settings {
  // "grammars": folders with a languages.json, or grammar files. Their languages come before the
  // installation's.
  std::vector<std::string> grammars;
  // "model": a name, or the path of a model file; absent: that of the command line
  std::optional<std::string> model;
  int max_tokens = 64;  // "maxTokens": 1 to 4096
  // The time until a request is answered, 1 to 600000 ms: "completion.automaticBudgetMs" while
  // typing, "completion.invokedBudgetMs" where a person asks.
  std::chrono::milliseconds automatic_budget{300};
  std::chrono::milliseconds invoked_budget{2000};
  // "scope": "argument", "line", "statement", "block" or "free": how far a completion may go
  Scope scope = Scope::kBlock;
  float temperature = 0;                              // "temperature": 0 (greedy) to 5
  uint64_t seed = 0;                                  // "seed"
  ConstraintMode constraint = ConstraintMode::kBoth;  // "constraint": "off", "left" or "both"
  // "levels": {language id: a level of its grammar}: the newest version of the language that may be
  // written
  std::map<std::string, std::string> levels;
  // "multiline": may completion items hold line breaks? absent: as the client can
  std::optional<bool> multiline;
};

struct ReadSettings {
  Settings settings;
  std::vector<std::string> problems;  // one for each wrong member: its name and its right form
};

// `defaults` (from the command line) hold where `options` says nothing. `options` may be null.
[[nodiscard]] ReadSettings SettingsFromJson(const nlohmann::json& options,
                                            const Settings& defaults);

[[nodiscard]] std::optional<ConstraintMode> ConstraintModeFromName(std::string_view name);

}  // namespace tenon::server
