// The line above a byte, as a witness for a region that begins or ends there.
//
// Example: no region begins at `int h() {` below, since the line above belongs to it.
//
//   @Override
//   int h() {
//
// Nothing here knows a language (outline_lines.h). Cost: linear in the line above and in the blank
// lines between. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "server/region/outline_lines.h"

namespace tenon::server {

// Does a brace at `offset` begin a line, and belong to the line above? Example:
//
//   class A extends B|
//   {
[[nodiscard]] bool GoesOnWithBrace(std::string_view text, size_t offset);

// Is the line above that of `offset` an annotation or decorator of the part that begins there?
[[nodiscard]] bool ComesAfterAnnotation(std::string_view text, size_t offset);

// Does the line right above that of `offset` hold code, and end no statement?
[[nodiscard]] bool LineAboveGoesOn(std::string_view text, size_t offset);

// Is no statement open at `offset`, where statements end with `;`? A `;` comes before, or a blank
// line or a comment, or a comment begins there. Nobody knows yet how the cursor's line will end:
// it counts for nothing. `here`: the line of `offset`.
[[nodiscard]] bool StatementEndsAbove(const OutlineLine& here, size_t cursor, size_t offset);

// The last bracket that the line above that of `offset` opens within and leaves open: a line that
// begins at `offset` lies in it. Example: `[` of `a = [1,`. Nothing of a comment's line, or of one
// that ends with a bracket or with `:`.
[[nodiscard]] std::optional<char> BracketLeftOpenAbove(std::string_view text, size_t offset);

}  // namespace tenon::server
