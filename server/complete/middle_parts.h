// The longest part of a middle that may be offered.
//
// Example: of the middle `a();⏎b(` the guard of a broken file takes `a();` alone. The whole middle
// is tried first, and then its beginnings that end with a line, the longest first.
//
// Cost: four questions at most. Thread rule: that of the gap.
#pragma once

#include <string>
#include <string_view>

#include "server/request/words.h"
#include "tenon/gap.h"

namespace tenon::server {

// Empty where none of the parts is `good`. `gap`: that of the middle, in which nothing is accepted
// yet; a shorter part has to close it, too.
template <typename Good>
[[nodiscard]] std::string LongestGoodPart(const Gap& gap, std::string_view middle, Good good) {
  constexpr int kMaxParts = 4;
  for (int tries = 0; tries < kMaxParts && !IsBlank(middle); ++tries) {
    const auto closes = [&] {
      Gap shorter = gap;
      return shorter.Accept(middle) && shorter.Member();
    };
    if ((tries == 0 || closes()) && good(middle)) return std::string(middle);
    const size_t line_end = middle.find_last_of('\n');
    if (line_end == std::string_view::npos) return {};
    middle = middle.substr(0, line_end);
    if (middle.ends_with('\r')) middle.remove_suffix(1);
  }
  return {};
}

}  // namespace tenon::server
