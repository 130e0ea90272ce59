#include "server/settings/settings.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "server/models/nearest_name.h"
#include "server/settings/setting_table.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr std::string_view kSection = "tenon";

// Is the name the first part of a setting's name, such as "completion"?
bool IsPart(std::string_view name) {
  return std::any_of(SettingTable().begin(), SettingTable().end(),
                     [name](const SettingEntry& entry) {
                       const std::string_view full = entry.description.name;
                       return full.size() > name.size() && full.substr(0, name.size()) == name &&
                              full[name.size()] == '.';
                     });
}

// A VS Code extension keeps `tenon.server.path` and `tenon.trace.server` beside our settings.
bool IsTheClients(std::string_view name) {
  return name == "server" || name == "trace" || name.starts_with("server.") ||
         name.starts_with("trace.");
}

// The values by their whole names: {"tenon": {"completion": {"enabled": false}}} gives
// "completion.enabled".
void Flatten(const json& object, const std::string& before, std::map<std::string, json>& flat) {
  for (const auto& [part, value] : object.items()) {
    std::string name = before + part;
    if (name.starts_with("tenon.")) name.erase(0, kSection.size() + 1);
    if (FindSetting(name) == nullptr && value.is_object() && IsPart(name))
      Flatten(value, name + ".", flat);
    else
      flat[std::move(name)] = value;
  }
}

// The settings below a first part: of "completion", "enabled, automaticBudgetMs, …".
std::string PartsOf(std::string_view name) {
  std::string parts;
  for (const SettingEntry& entry : SettingTable()) {
    const std::string_view full = entry.description.name;
    if (full.size() <= name.size() || !full.starts_with(name) || full[name.size()] != '.') continue;
    parts += (parts.empty() ? "" : ", ") + std::string(full.substr(name.size() + 1));
  }
  return parts;
}

std::string Unknown(const std::string& name) {
  constexpr size_t kMaxNameBytes = 100;  // of a name that is looked up, and told
  if (name.size() > kMaxNameBytes)
    return fmt::format("a name of {} bytes is not a setting", name.size());
  if (IsPart(name)) return fmt::format("'{}' must be an object with {}", name, PartsOf(name));
  if (const SettingEntry* whole = FindSetting(name.substr(0, name.find('.')))) {
    return fmt::format("'{}' is not a setting; '{}' must be {}", name, whole->description.name,
                       whole->description.expected);
  }
  std::vector<std::string> names;
  for (const SettingEntry& entry : SettingTable()) names.emplace_back(entry.description.name);
  return fmt::format("'{}' is not a setting{}", name, NearestHint(name, names));
}

// The setting's problem, or nothing where it was taken.
std::optional<std::string> Take(const std::string& name, const json& value, SettingGiver giver,
                                Settings& settings) {
  const SettingEntry* entry = FindSetting(name);
  if (entry == nullptr) return Unknown(name);
  const SettingReach reach = entry->description.reach;
  const bool refused = (giver == SettingGiver::kWorkspace && reach != SettingReach::kAnywhere) ||
                       (giver == SettingGiver::kUser && reach == SettingReach::kProgram);
  if (refused && value == entry->write(settings)) return std::nullopt;
  if (refused && reach == SettingReach::kProgram) {
    return fmt::format(
        "'{}' is not taken from here, it {}; it belongs into the user's file or --set", name,
        name.starts_with("remote.") ? "says where code is sent"
                                    : "is needed before a client speaks");
  }
  if (refused) {
    return fmt::format(
        "'{}' is not taken from here, where a workspace could name it; it belongs into the user's "
        "file, initializationOptions or --set, and holds from the next start on",
        name);
  }
  if (!entry->read(value, settings))
    return fmt::format("'{}' must be {}", name, entry->description.expected);
  return std::nullopt;
}

}  // namespace

bool Settings::IsOn(const std::string& language_id) const {
  if (!enabled) return false;
  auto found = languages.find(language_id);
  if (found == languages.end()) found = languages.find("*");
  return found == languages.end() || found->second;
}

std::vector<SettingDescription> AllSettings() {
  std::vector<SettingDescription> all;
  for (const SettingEntry& entry : SettingTable()) all.push_back(entry.description);
  return all;
}

json ValueOf(std::string_view name, const Settings& settings) {
  return FindSetting(name)->write(settings);
}

std::optional<ConstraintMode> ConstraintModeFromName(std::string_view name) {
  if (name == "off") return ConstraintMode::kOff;
  if (name == "left") return ConstraintMode::kLeft;
  if (name == "both") return ConstraintMode::kBoth;
  return std::nullopt;
}

ReadSettings SettingsFromJson(const json& values, const Settings& defaults, SettingGiver giver) {
  ReadSettings result{defaults, {}, {}};
  if (values.is_null()) return result;
  if (!values.is_object()) {
    result.problems.emplace_back("settings must be an object");
    return result;
  }
  std::map<std::string, json> flat;
  Flatten(values, "", flat);
  if (const auto section = flat.find(std::string(kSection));
      section != flat.end() && section->second.is_object()) {
    const json nested = std::move(section->second);
    flat.erase(section);
    Flatten(nested, "", flat);
  }
  for (const auto& [name, value] : flat) {
    if (value.is_null() || IsTheClients(name)) continue;
    if (auto problem = Take(name, value, giver, result.settings))
      result.problems.push_back(*std::move(problem));
    else
      result.names.push_back(name);
  }
  return result;
}

}  // namespace tenon::server
