#include "server/settings/setting_layers.h"

#include <utility>

#include <fmt/format.h>

namespace tenon::server {
namespace {

void Add(const nlohmann::json& values, const std::string& name, SettingGiver giver,
         MergedSettings& merged) {
  ReadSettings read = SettingsFromJson(values, merged.settings, giver);
  merged.settings = std::move(read.settings);
  for (std::string& setting : read.names) merged.origins[std::move(setting)] = name;
  for (const std::string& problem : read.problems)
    merged.problems.push_back(fmt::format("{} ({})", problem, name));
}

}  // namespace

SettingLayers::SettingLayers(Settings defaults) : defaults_(std::move(defaults)) {}

void SettingLayers::Set(SettingSource source, nlohmann::json values, std::string name) {
  layers_.at(static_cast<size_t>(source)) = {std::move(values), std::move(name)};
}

MergedSettings SettingLayers::Merge(const nlohmann::json& folder) const {
  MergedSettings merged{defaults_, {}, problems_};
  for (const SettingSource source : {SettingSource::kUserFile, SettingSource::kInitialization,
                                     SettingSource::kWorkspace, SettingSource::kFlags}) {
    const Layer& layer = layers_.at(static_cast<size_t>(source));
    const bool workspace = source == SettingSource::kWorkspace;
    const bool client = source == SettingSource::kInitialization;
    const SettingGiver giver = workspace ? SettingGiver::kWorkspace
                               : client  ? SettingGiver::kUser
                                         : SettingGiver::kProgram;
    Add(layer.values, layer.name, giver, merged);
    if (workspace) Add(folder, "the folder's settings", giver, merged);
  }
  if (!check_) return merged;
  for (const SettingFault& fault : check_(merged.settings)) {
    const auto origin = merged.origins.find(fault.setting);
    merged.problems.push_back(fmt::format(
        "{} ({})", fault.message, origin == merged.origins.end() ? "default" : origin->second));
  }
  return merged;
}

}  // namespace tenon::server
