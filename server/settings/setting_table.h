// The one table of all settings: the name of each, its form, what it does, who may give it, and
// how its value is read into Settings and written from there.
//
// Example: the entry of "maxTokens" takes "a whole number from 1 to 4096" from anybody; read(64,
// s) sets s.max_tokens, and write(s) is 64 again. A new setting is a member of Settings and an
// entry of this table.
//
// Cost: made once; a name is found by a walk over all. Thread rule: immutable.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/settings/settings.h"

namespace tenon::server {

struct SettingEntry {
  SettingDescription description;
  // Stores a value of the right form and returns true; else leaves the settings as they are.
  std::function<bool(const nlohmann::json& value, Settings& settings)> read;
  std::function<nlohmann::json(const Settings& settings)> write;
};

// In the order of the table in docs/settings.md.
[[nodiscard]] const std::vector<SettingEntry>& SettingTable();
// Null where no setting has this name.
[[nodiscard]] const SettingEntry* FindSetting(std::string_view name);

}  // namespace tenon::server
