// Positions, ranges and messages of LSP to and from JSON, and careful reading of objects that came
// from outside.
//
// Source: LSP 3.18, "Basic JSON Structures", window/showMessage. Every reader says in its error
// which member of which object is wrong.
// Cost: constant. Thread rule: pure functions; no exception leaves them.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "protocol/position.h"

namespace tenon::protocol {

// A pointer to the member, or null when `object` is no object or lacks it.
[[nodiscard]] const nlohmann::json* Find(const nlohmann::json& object, std::string_view member);
// Walks members by their names, separated by '/':
// FindPath(params, "capabilities/general/positionEncodings").
[[nodiscard]] const nlohmann::json* FindPath(const nlohmann::json& object, std::string_view path);
// True where the path leads to the value true.
[[nodiscard]] bool IsTrue(const nlohmann::json& object, std::string_view path);

using ReadError = std::string;  // names the member and its right form

[[nodiscard]] tl::expected<std::string, ReadError> ReadString(const nlohmann::json& object,
                                                              std::string_view path);
[[nodiscard]] tl::expected<Position, ReadError> ReadPosition(const nlohmann::json& object,
                                                             std::string_view member);
[[nodiscard]] tl::expected<Range, ReadError> ReadRange(const nlohmann::json& object,
                                                       std::string_view member);

enum class MessageType : int { kError = 1, kWarning = 2 };
// The notification window/showMessage.
[[nodiscard]] nlohmann::json MakeShowMessage(MessageType type, std::string_view text);

[[nodiscard]] nlohmann::json ToJson(Position position);
[[nodiscard]] nlohmann::json ToJson(Range range);

}  // namespace tenon::protocol
