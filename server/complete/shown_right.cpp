#include "server/complete/shown_right.h"

#include <algorithm>

#include "server/request/words.h"

namespace tenon::server {

std::string_view ShownRight(std::string_view right) {
  constexpr std::string_view kClosing = ")]}\"'`; \t\r";
  const size_t end = std::min(right.find('\n'), right.size());
  const size_t other = right.substr(0, end).find_first_not_of(kClosing);
  return other == std::string_view::npos ? right.substr(end) : right;
}

std::string_view ClosedAhead(std::string_view right) {
  constexpr std::string_view kClosing = ")]\"'`";
  constexpr size_t kMaxBytes = 8;
  const size_t end = std::min(right.find_first_not_of(kClosing), right.size());
  const size_t rest = std::min(right.find_first_not_of(kBlanks, end), right.size());
  const bool ends_line = rest == right.size() || right[rest] == '\n' || right[rest] == '\r';
  return right.substr(0, ends_line && end <= kMaxBytes ? end : 0);
}

}  // namespace tenon::server
