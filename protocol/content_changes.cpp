#include "protocol/content_changes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <tl/expected.hpp>

namespace tenon::protocol {
namespace {

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

}  // namespace

bool ContentChanges::BeginWithWholeText() const { return !edits.empty() && !edits.front().range; }

ContentChanges ReadContentChanges(const json* changes) {
  ContentChanges read;
  if (changes == nullptr || !changes->is_array()) {
    read.fault = "'contentChanges' must be an array";
    return read;
  }
  for (const json& each : *changes) {
    auto change = ReadContentChange(each);
    if (!change) {
      read.fault = fmt::format("contentChanges[{}]: {}", read.edits.size(), change.error());
      break;
    }
    read.edits.push_back(*std::move(change));
  }
  return read;
}

void Apply(const ContentChanges& changes, TextDocument& document) {
  for (const ContentChange& change : changes.edits) {
    if (change.range)
      document.Replace(*change.range, change.text);
    else
      document.ReplaceAll(change.text);
  }
}

std::optional<size_t> EndOfLastEdit(const ContentChanges& changes, const TextDocument& document) {
  if (changes.fault || changes.edits.empty() || !changes.edits.back().range) return std::nullopt;
  const ContentChange& last = changes.edits.back();
  // An edit leaves the characters before it as many as they were, so its beginning has the same
  // position after it. An end before its start is read as the swapped range.
  const size_t begin =
      std::min(document.OffsetAt(last.range->start), document.OffsetAt(last.range->end));
  return std::min(begin + last.text.size(), document.text().size());
}

}  // namespace tenon::protocol
