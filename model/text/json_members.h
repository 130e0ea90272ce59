// Members of parsed JSON, where each may be missing or of another kind.
//
// Example: of {"type": "BPE"}, TextOf(Member(object, "type")) is "BPE", and IsTrue(object, "on") is
// false.
// Inside the room only; included by sources alone. Cost: a look-up. Thread rule: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tenon::model {

// The member, or null where there is none.
inline const nlohmann::json& Member(const nlohmann::json& object, const char* name) {
  static const nlohmann::json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

inline bool IsTrue(const nlohmann::json& object, const char* name) {
  const nlohmann::json& member = Member(object, name);
  return member.is_boolean() && member.get<bool>();
}

// Empty where the value is no text.
inline std::string_view TextOf(const nlohmann::json& value) {
  return value.is_string() ? std::string_view(value.get_ref<const std::string&>())
                           : std::string_view();
}

}  // namespace tenon::model
