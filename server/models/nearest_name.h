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
// May a text mean this name? Not where more than half of the name would be wrong. Example:
// `maxtoken` may mean `maxTokens`, and `foo` cannot mean `log`.
[[nodiscard]] bool IsNear(std::string_view text, std::string_view name);
// "; the nearest is 'NAME'", for the end of a message. Empty where the text cannot mean it.
[[nodiscard]] std::string NearestHint(std::string_view text, const std::vector<std::string>& names);

}  // namespace tenon::server
