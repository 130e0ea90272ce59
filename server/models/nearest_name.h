// The known name that a wrong name most likely means.
//
// Example: of `maxTokens` and `scope`, `maxtoken` most likely means `maxTokens`.
//
// The name with the fewest edits of bytes is the nearest (edit_distance.h). A name that holds the
// wrong one, or is held by it, is nearer than each other name.
//
// Cost: the product of the lengths for each name. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

// Empty where no name is known.
[[nodiscard]] std::string NearestName(std::string_view text, const std::vector<std::string>& names);
// "; the nearest is 'NAME'", for the end of a message. Empty where half of the nearest name would
// be wrong: such a text means nothing that is known.
[[nodiscard]] std::string NearestHint(std::string_view text, const std::vector<std::string>& names);

}  // namespace tenon::server
