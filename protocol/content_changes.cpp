#include "protocol/content_changes.h"

#include <algorithm>
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

std::optional<size_t> EndOfLastEdit(const json& changes, const TextDocument& document) {
  if (!changes.is_array() || changes.empty()) return std::nullopt;
  const json& last = changes.back();
  const json* text = Find(last, "text");
  const auto range = ReadRange(last, "range");
  if (!range || text == nullptr || !text->is_string()) return std::nullopt;
  // An edit leaves the text before it as it was, so its beginning has the same offset after it. An
  // end before its start is read as the swapped range.
  const size_t begin = std::min(document.OffsetAt(range->start), document.OffsetAt(range->end));
  return std::min(begin + text->get_ref<const std::string&>().size(), document.text().size());
}

}  // namespace tenon::protocol
