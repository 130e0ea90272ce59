// The beginnings of comments, in whatever language.
//
// No language is known here: `#` begins a comment in Python and a directive in C. A wrong answer
// costs quality, never validity. Example: `-- all users` of SQL begins one, `- 1` does not.
// Cost: a few characters. Thread rule: a pure function.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace tenon::server {

inline constexpr std::array<std::string_view, 4> kCommentMarks = {"//", "/*", "#", "--"};

// Does `text`, without blanks in front, begin as a comment?
[[nodiscard]] constexpr bool BeginsAsComment(std::string_view text) {
  return std::any_of(kCommentMarks.begin(), kCommentMarks.end(),
                     [text](std::string_view mark) { return text.starts_with(mark); });
}

}  // namespace tenon::server
