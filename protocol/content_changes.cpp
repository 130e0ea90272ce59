#include "protocol/content_changes.h"

#include <utility>

#include <fmt/format.h>

namespace tenon::protocol {

using nlohmann::json;

tl::expected<void, ReadError> ApplyContentChanges(const json& changes, TextDocument& document) {
  if (!changes.is_array()) return tl::unexpected(ReadError("'contentChanges' must be an array"));
  for (size_t i = 0; i < changes.size(); ++i) {
    const json& change = changes[i];
    const auto fail = [i](const ReadError& error) {
      return tl::unexpected(fmt::format("contentChanges[{}]: {}", i, error));
    };
    auto text = ReadString(change, "text");
    if (!text) return fail(text.error());
    const json* range_json = Find(change, "range");
    if (range_json == nullptr || range_json->is_null()) {
      document.ReplaceAll(*std::move(text));
      continue;
    }
    const auto range = ReadRange(change, "range");
    if (!range) return fail(range.error());
    document.Replace(*range, *text);
  }
  return {};
}

bool ContainsWholeText(const json& changes) {
  if (!changes.is_array() || changes.empty()) return false;
  const json* range = Find(changes.front(), "range");
  return changes.front().is_object() && (range == nullptr || range->is_null());
}

}  // namespace tenon::protocol
