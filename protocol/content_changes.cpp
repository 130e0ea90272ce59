#include "protocol/content_changes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tenon::protocol {

using nlohmann::json;

tl::expected<ContentChange, ReadError> ReadContentChange(const json& change) {
  auto text = ReadString(change, "text");
  if (!text) return tl::unexpected(std::move(text.error()));
  ContentChange read{std::nullopt, *std::move(text)};
  const json* range_json = Find(change, "range");
  if (range_json == nullptr || range_json->is_null()) return read;
  auto range = ReadRange(change, "range");
  if (!range) return tl::unexpected(std::move(range.error()));
  read.range = *range;
  return read;
}

tl::expected<void, ReadError> ApplyContentChanges(const json& changes, TextDocument& document) {
  if (!changes.is_array()) return tl::unexpected(ReadError("'contentChanges' must be an array"));
  for (size_t i = 0; i < changes.size(); ++i) {
    auto change = ReadContentChange(changes[i]);
    if (!change) return tl::unexpected(fmt::format("contentChanges[{}]: {}", i, change.error()));
    if (change->range)
      document.Replace(*change->range, change->text);
    else
      document.ReplaceAll(std::move(change->text));
  }
  return {};
}

bool ContainsWholeText(const json& changes) {
  if (!changes.is_array() || changes.empty()) return false;
  const auto first = ReadContentChange(changes.front());
  return first && !first->range;
}

std::optional<size_t> EndOfLastEdit(const json& changes, const TextDocument& document) {
  if (!changes.is_array() || changes.empty()) return std::nullopt;
  const auto last = ReadContentChange(changes.back());
  if (!last || !last->range) return std::nullopt;
  // An edit leaves the text before it as it was, so its beginning has the same offset after it. An
  // end before its start is read as the swapped range.
  const size_t begin =
      std::min(document.OffsetAt(last->range->start), document.OffsetAt(last->range->end));
  return std::min(begin + last->text.size(), document.text().size());
}

}  // namespace tenon::protocol
