// A stretch of a text that is taken out: the place of a gap, as a user names it.
//
// Example: "4-5" of the text `[1, 2]` leaves the left context `[1, ` and the right context `]`. "4"
// takes nothing out: the gap lies before the `2`.
// Cost: constant. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace tenon::server {

// Bytes of the text.
struct Cut {
  size_t begin = 0;
  size_t end = 0;
};

// "A" or "A-B".
[[nodiscard]] std::optional<Cut> CutFrom(std::string_view at);

// The rest of a text on both sides of a cut. Both refer to the text.
struct Contexts {
  std::string_view left, right;
};
// The error: the text has no such stretch.
[[nodiscard]] tl::expected<Contexts, std::string> TakeOut(const Cut& cut, std::string_view text);

}  // namespace tenon::server
