// The forms that a setting's value may have: a value of JSON, read as a form, and written again.
//
// A reader is a function (value, into) -> bool. It stores a value of its form, or it returns false
// and leaves `into` alone. Example: WholeNumber(1, 4096) takes 64, and refuses 0, 5000, 1.5 and
// "64".
//
// Cost: linear in the value. Thread rule: pure functions.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/request/completer.h"

namespace tenon::server {

// true or false. `into`: bool, or an optional of it.
inline constexpr auto ReadSwitch = [](const nlohmann::json& value, auto& into) {
  if (!value.is_boolean()) return false;
  into = value.get<bool>();
  return true;
};

// A text that is not empty.
[[nodiscard]] bool ReadText(const nlohmann::json& value, std::optional<std::string>& into);
// A text that may be empty.
[[nodiscard]] bool ReadTextOrNone(const nlohmann::json& value, std::optional<std::string>& into);
// A text that is not empty and has no line end.
[[nodiscard]] bool ReadLine(const nlohmann::json& value, std::optional<std::string>& into);
// An array of texts that are not empty.
[[nodiscard]] bool ReadTexts(const nlohmann::json& value, std::vector<std::string>& into);

// 1 to 600,000 milliseconds.
[[nodiscard]] bool ReadBudget(const nlohmann::json& value, std::chrono::milliseconds& into);
// A whole number from 0 to 2^64 - 1.
[[nodiscard]] bool ReadSeed(const nlohmann::json& value, uint64_t& into);
// The number where it is whole and from `least` to `most`.
[[nodiscard]] std::optional<int64_t> WholeNumberOf(const nlohmann::json& value, int64_t least,
                                                   int64_t most);

// The name of a scope: "block".
[[nodiscard]] bool ReadScope(const nlohmann::json& value, Scope& into);
// "off", "left" or "both".
[[nodiscard]] bool ReadConstraint(const nlohmann::json& value, ConstraintMode& into);

// A reader of a whole number. `into`: int, or an optional of it.
[[nodiscard]] inline auto WholeNumber(int64_t least, int64_t most) {
  return [least, most](const nlohmann::json& value, auto& into) {
    const auto number = WholeNumberOf(value, least, most);
    if (number) into = static_cast<int>(*number);
    return number.has_value();
  };
}

// A reader of a number with or without a fraction. `into`: float or double.
[[nodiscard]] inline auto RealNumber(double least, double most) {
  return [least, most]<typename Real>(const nlohmann::json& value, Real& into) {
    if (!value.is_number()) return false;
    const double number = value.get<double>();
    if (!(number >= least && number <= most)) return false;
    into = static_cast<Real>(number);
    return true;
  };
}

// A reader of one of some words, which live longer. `into`: string, or an optional of it.
[[nodiscard]] inline auto OneOf(std::span<const std::string_view> words) {
  return [words](const nlohmann::json& value, auto& into) {
    const bool known = std::any_of(words.begin(), words.end(),
                                   [&value](std::string_view word) { return value == word; });
    if (known) into = value.get<std::string>();
    return known;
  };
}

// A reader of an object that has a value of type T for each language id: {"json": false}.
template <typename T>
[[nodiscard]] bool ReadByLanguage(const nlohmann::json& value, std::map<std::string, T>& into) {
  if (!value.is_object()) return false;
  std::map<std::string, T> read;
  for (const auto& [language, of_language] : value.items()) {
    const T* typed = of_language.template get_ptr<const T*>();
    if (typed == nullptr) return false;
    read[language] = *typed;
  }
  into = std::move(read);
  return true;
}

// The value as JSON; null where it is absent.
template <typename T>
[[nodiscard]] nlohmann::json ToJson(const T& value) {
  return value;
}
template <typename T>
[[nodiscard]] nlohmann::json ToJson(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json();
}
[[nodiscard]] nlohmann::json ToJson(std::chrono::milliseconds value);
[[nodiscard]] nlohmann::json ToJson(Scope value);
[[nodiscard]] nlohmann::json ToJson(ConstraintMode value);

// "off", "left" or "both".
[[nodiscard]] const char* ToString(ConstraintMode value);

}  // namespace tenon::server
