#include "server/settings/setting_values.h"

#include <utility>

#include "server/settings/settings.h"

namespace tenon::server {

using nlohmann::json;

bool ReadTextOrNone(const json& value, std::optional<std::string>& into) {
  if (!value.is_string()) return false;
  into = value.get<std::string>();
  return true;
}

bool ReadText(const json& value, std::optional<std::string>& into) {
  return value.is_string() && !value.get_ref<const std::string&>().empty() &&
         ReadTextOrNone(value, into);
}

bool ReadLine(const json& value, std::optional<std::string>& into) {
  return value.is_string() &&
         value.get_ref<const std::string&>().find_first_of("\r\n") == std::string::npos &&
         ReadText(value, into);
}

bool ReadTexts(const json& value, std::vector<std::string>& into) {
  if (!value.is_array()) return false;
  std::vector<std::string> read;
  for (const json& text : value) {
    if (!text.is_string() || text.get_ref<const std::string&>().empty()) return false;
    read.push_back(text.get<std::string>());
  }
  into = std::move(read);
  return true;
}

std::optional<int64_t> WholeNumberOf(const json& value, int64_t least, int64_t most) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(most))
    return std::nullopt;
  const auto number = value.get<int64_t>();
  return number < least || number > most ? std::nullopt : std::optional(number);
}

bool ReadBudget(const json& value, std::chrono::milliseconds& into) {
  const auto ms = WholeNumberOf(value, 1, 600'000);
  if (ms) into = std::chrono::milliseconds(*ms);
  return ms.has_value();
}

bool ReadSeed(const json& value, uint64_t& into) {
  // Only a number below 0 is not unsigned.
  if (!value.is_number_integer() || (!value.is_number_unsigned() && value.get<int64_t>() < 0))
    return false;
  into = value.get<uint64_t>();
  return true;
}

bool ReadScope(const json& value, Scope& into) {
  const auto scope = value.is_string() ? ScopeNamed(value.get<std::string>()) : std::nullopt;
  if (scope) into = *scope;
  return scope.has_value();
}

bool ReadConstraint(const json& value, ConstraintMode& into) {
  const auto mode =
      value.is_string() ? ConstraintModeFromName(value.get<std::string>()) : std::nullopt;
  if (mode) into = *mode;
  return mode.has_value();
}

json ToJson(std::chrono::milliseconds value) { return value.count(); }

json ToJson(Scope value) { return ToString(value); }

json ToJson(ConstraintMode value) { return ToString(value); }

const char* ToString(ConstraintMode value) {
  switch (value) {
    case ConstraintMode::kOff:
      return "off";
    case ConstraintMode::kLeft:
      return "left";
    case ConstraintMode::kBoth:
      return "both";
  }
  return "both";
}

}  // namespace tenon::server
