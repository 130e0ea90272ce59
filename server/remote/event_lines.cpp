#include "server/remote/event_lines.h"

#include <algorithm>
#include <array>

#include "server/request/words.h"

namespace tenon::server {

namespace {

// The JSON of a line; empty where the line holds none.
std::string_view EventOf(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  constexpr std::array<std::string_view, 4> kSilent = {":", "event:", "id:", "retry:"};
  for (const std::string_view silent : kSilent) {
    if (line.starts_with(silent)) return {};
  }
  for (const std::string_view named : {"data:", "error:"}) {
    if (line.starts_with(named)) line.remove_prefix(named.size());
  }
  return WithoutBlanksAtBegin(line);
}

}  // namespace

bool EventLines::Append(std::string_view bytes) {
  bytes_.erase(0, read_);
  read_ = 0;
  bytes_ += bytes;
  const size_t last = bytes_.rfind('\n');
  return bytes_.size() - (last == std::string::npos ? 0 : last) <= kMaxLineBytes;
}

void EventLines::End() { ended_ = true; }

std::optional<std::string> EventLines::Next() {
  for (;;) {
    size_t end = bytes_.find('\n', read_);
    if (end == std::string::npos) {
      if (!ended_ || read_ >= bytes_.size()) return std::nullopt;
      end = bytes_.size();
    }
    const std::string_view event = EventOf(std::string_view(bytes_).substr(read_, end - read_));
    std::string found(event);
    read_ = std::min(end + 1, bytes_.size());
    if (!found.empty()) return found;
  }
}

}  // namespace tenon::server
