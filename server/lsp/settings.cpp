#include "server/lsp/settings.h"

#include <functional>
#include <map>
#include <string_view>

#include <fmt/format.h>

namespace tenon::server {
namespace {

using nlohmann::json;

// Each reader stores a good value and answers true, or leaves the settings as they are.
struct Member {
  const char* expected;
  bool (*read)(const json& value, Settings& settings);
};

bool ReadModel(const json& value, Settings& settings) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) return false;
  settings.model = value.get<std::string>();
  return true;
}

bool ReadGrammars(const json& value, Settings& settings) {
  if (!value.is_array()) return false;
  std::vector<std::string> paths;
  for (const json& path : value) {
    if (!path.is_string() || path.get_ref<const std::string&>().empty()) return false;
    paths.push_back(path.get<std::string>());
  }
  settings.grammars = std::move(paths);
  return true;
}

bool ReadMaxTokens(const json& value, Settings& settings) {
  if (!value.is_number_integer()) return false;
  const auto tokens = value.get<int64_t>();
  if (tokens < 1 || tokens > 4096) return false;
  settings.max_tokens = static_cast<int>(tokens);
  return true;
}

bool ReadBudget(const json& value, std::chrono::milliseconds& budget) {
  if (!value.is_number_integer()) return false;
  const auto ms = value.get<int64_t>();
  if (ms < 1 || ms > 600'000) return false;
  budget = std::chrono::milliseconds(ms);
  return true;
}

bool ReadAutomaticBudget(const json& value, Settings& settings) {
  return ReadBudget(value, settings.automatic_budget);
}

bool ReadInvokedBudget(const json& value, Settings& settings) {
  return ReadBudget(value, settings.invoked_budget);
}

bool ReadTemperature(const json& value, Settings& settings) {
  if (!value.is_number()) return false;
  const double temperature = value.get<double>();
  if (!(temperature >= 0 && temperature <= 5)) return false;
  settings.temperature = static_cast<float>(temperature);
  return true;
}

bool ReadSeed(const json& value, Settings& settings) {
  if (!value.is_number_integer() || value.get<int64_t>() < 0) return false;
  settings.seed = value.get<uint64_t>();
  return true;
}

bool ReadConstraint(const json& value, Settings& settings) {
  const auto mode =
      value.is_string() ? ConstraintModeFromName(value.get<std::string>()) : std::nullopt;
  if (mode) settings.constraint = *mode;
  return mode.has_value();
}

bool ReadScope(const json& value, Settings& settings) {
  const auto scope = value.is_string() ? ScopeNamed(value.get<std::string>()) : std::nullopt;
  if (scope) settings.scope = *scope;
  return scope.has_value();
}

bool ReadLevels(const json& value, Settings& settings) {
  if (!value.is_object()) return false;
  std::map<std::string, std::string> levels;
  for (const auto& [language, level] : value.items()) {
    if (!level.is_string()) return false;
    levels[language] = level.get<std::string>();
  }
  settings.levels = std::move(levels);
  return true;
}

bool ReadMultiline(const json& value, Settings& settings) {
  if (!value.is_boolean()) return false;
  settings.multiline = value.get<bool>();
  return true;
}

const std::map<std::string_view, Member>& Members() {
  static const std::map<std::string_view, Member> kMembers = {
      {"model", {"the path of a model file", ReadModel}},
      {"grammars", {"an array of paths of grammar files or folders", ReadGrammars}},
      {"maxTokens", {"a whole number from 1 to 4096", ReadMaxTokens}},
      {"completion.automaticBudgetMs",
       {"a whole number of milliseconds from 1 to 600000", ReadAutomaticBudget}},
      {"completion.invokedBudgetMs",
       {"a whole number of milliseconds from 1 to 600000", ReadInvokedBudget}},
      {"temperature", {"a number from 0 to 5", ReadTemperature}},
      {"seed", {"a whole number from 0", ReadSeed}},
      {"constraint", {"\"off\", \"left\" or \"both\"", ReadConstraint}},
      {"scope", {"\"argument\", \"line\", \"statement\", \"block\" or \"free\"", ReadScope}},
      {"levels",
       {"an object of language ids with the level of each, such as {\"python\": \"since_3_12\"}",
        ReadLevels}},
      {"multiline", {"true or false", ReadMultiline}},
  };
  return kMembers;
}

}  // namespace

std::optional<ConstraintMode> ConstraintModeFromName(std::string_view name) {
  if (name == "off") return ConstraintMode::kOff;
  if (name == "left") return ConstraintMode::kLeft;
  if (name == "both") return ConstraintMode::kBoth;
  return std::nullopt;
}

ReadSettings SettingsFromJson(const json& options, const Settings& defaults) {
  ReadSettings result{defaults, {}};
  if (options.is_null()) return result;
  if (!options.is_object()) {
    result.problems.emplace_back("initializationOptions must be an object");
    return result;
  }
  for (const auto& [name, value] : options.items()) {
    const auto member = Members().find(name);
    if (member == Members().end()) {
      result.problems.push_back(fmt::format("'{}' is not a setting", name));
    } else if (!member->second.read(value, result.settings)) {
      result.problems.push_back(fmt::format("'{}' must be {}", name, member->second.expected));
    }
  }
  return result;
}

}  // namespace tenon::server
