// The visible text of a completion: its characters without blanks and line ends. Two completions
// are distinct where their visible texts lead to different code.
//
// Example: `f(a, b)` and `f( a,b )` look the same. `f(a` is the beginning of both: a person who
// takes `f(a` can still write the others. So these three are one offer, and `f(b)` is another.
//
//   distinct(a, b)   neither visible text begins with the other
//
// A blank text is the beginning of every text, so it is distinct from none.
// Cost: linear in the texts. Thread rule: pure functions.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "server/request/words.h"

namespace tenon::server {

[[nodiscard]] inline std::string VisibleText(std::string_view text) {
  std::string visible;
  for (const char c : text) {
    if (!IsBlank(std::string_view(&c, 1))) visible += c;
  }
  return visible;
}

[[nodiscard]] inline bool AreDistinct(std::string_view a, std::string_view b) {
  const std::string visible_a = VisibleText(a), visible_b = VisibleText(b);
  return !visible_a.starts_with(visible_b) && !visible_b.starts_with(visible_a);
}

[[nodiscard]] inline bool IsDistinctFromAll(std::string_view text,
                                            std::span<const std::string> others) {
  return std::all_of(others.begin(), others.end(),
                     [text](const std::string& other) { return AreDistinct(text, other); });
}

}  // namespace tenon::server
