#include "protocol/lsp_types.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "protocol/json_rpc.h"

namespace tenon::protocol {
namespace {

using nlohmann::json;

// A number from 0 on. One that is larger than we can hold is read as "far after the end".
std::optional<uint32_t> ReadUnsigned(const json& object, std::string_view member) {
  const json* value = Find(object, member);
  if (value == nullptr || !value->is_number_unsigned()) return std::nullopt;
  return static_cast<uint32_t>(
      std::min<uint64_t>(value->get<uint64_t>(), std::numeric_limits<uint32_t>::max()));
}

}  // namespace

const json* Find(const json& object, std::string_view member) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(member));
  return found == object.end() ? nullptr : &*found;
}

const json* FindPath(const json& object, std::string_view path) {
  const json* at = &object;
  while (at != nullptr && !path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    at = Find(*at, path.substr(0, slash));
    path.remove_prefix(std::min(path.size(), slash + 1));
  }
  return at;
}

bool IsTrue(const json& object, std::string_view path) {
  const json* value = FindPath(object, path);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

tl::expected<std::string, ReadError> ReadString(const json& object, std::string_view path) {
  const json* value = FindPath(object, path);
  if (value == nullptr || !value->is_string())
    return tl::unexpected(fmt::format("'{}' must be a string", path));
  return value->get<std::string>();
}

tl::expected<Position, ReadError> ReadPosition(const json& object, std::string_view member) {
  const json* value = Find(object, member);
  if (value != nullptr) {
    const std::optional<uint32_t> line = ReadUnsigned(*value, "line");
    const std::optional<uint32_t> character = ReadUnsigned(*value, "character");
    if (line && character) return Position{*line, *character};
  }
  return tl::unexpected(
      fmt::format("'{}' must be a position: 'line' and 'character', whole numbers from 0", member));
}

tl::expected<Range, ReadError> ReadRange(const json& object, std::string_view member) {
  const json* value = Find(object, member);
  if (value == nullptr) return tl::unexpected(fmt::format("'{}' must be a range", member));
  const auto start = ReadPosition(*value, "start");
  if (!start) return tl::unexpected(fmt::format("in '{}': {}", member, start.error()));
  const auto end = ReadPosition(*value, "end");
  if (!end) return tl::unexpected(fmt::format("in '{}': {}", member, end.error()));
  return Range{*start, *end};
}

json MakeShowMessage(MessageType type, std::string_view text) {
  return MakeNotification("window/showMessage",
                          {{"type", static_cast<int>(type)}, {"message", text}});
}

json ToJson(Position position) {
  return {{"line", position.line}, {"character", position.character}};
}

json ToJson(Range range) { return {{"start", ToJson(range.start)}, {"end", ToJson(range.end)}}; }

}  // namespace tenon::protocol
