#include "server/complete/shown_right.h"

#include <algorithm>

namespace tenon::server {

std::string_view ShownRight(std::string_view right) {
  constexpr std::string_view kClosing = ")]}\"'`; \t\r";
  const size_t end = std::min(right.find('\n'), right.size());
  const size_t other = right.substr(0, end).find_first_not_of(kClosing);
  return other == std::string_view::npos ? right.substr(end) : right;
}

}  // namespace tenon::server
