// The known name that a wrong name most likely means.
//
// Example: of `maxTokens` and `scope`, `maxtoken` most likely means `maxTokens`.
//
// Two names are as far apart as the fewest bytes that are inserted, removed or replaced to make one
// of the other. A name that holds the wrong one, or is held by it, is nearer than each other name.
//
// Source: V. I. Levenshtein, Binary codes capable of correcting deletions, insertions, and
// reversals, 1966. Cost: the product of the lengths for each name. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

[[nodiscard]] size_t EditDistance(std::string_view a, std::string_view b);

// Empty where no name is known.
[[nodiscard]] std::string NearestName(std::string_view text, const std::vector<std::string>& names);
// "; the nearest is 'NAME'", for the end of a message. Empty where half of the nearest name would
// be wrong: such a text means nothing that is known.
[[nodiscard]] std::string NearestHint(std::string_view text, const std::vector<std::string>& names);

}  // namespace tenon::server
