// The beginnings of comments, in whatever language.
//
// No language is known here: `#` begins a comment in Python and a directive in C. A wrong answer
// costs quality, never validity. Example: `-- all users` of SQL begins one, `- 1` does not.
// Cost: a few characters. Thread rule: a pure function.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "server/request/words.h"

namespace tenon::server {

inline constexpr std::array<std::string_view, 4> kCommentMarks = {"//", "/*", "#", "--"};

// Does `text`, without blanks in front, begin as a comment?
[[nodiscard]] constexpr bool BeginsAsComment(std::string_view text) {
  return std::any_of(kCommentMarks.begin(), kCommentMarks.end(),
                     [text](std::string_view mark) { return text.starts_with(mark); });
}

// Where the comment that begins at `at` ends, before its line end; `at` where none begins. A `#` or
// `--` begins one between blanks alone, a `//` not after a `:`. REQUIRES: at < text.size().
[[nodiscard]] constexpr size_t EndOfCommentAt(std::string_view text, size_t at) {
  if (std::string_view("/#-").find(text[at]) == std::string_view::npos) return at;
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("/*")) {
    const size_t end = rest.find("*/", 2);
    return end == std::string_view::npos ? text.size() : at + end + 2;
  }
  const size_t mark_bytes = rest.starts_with("//") || rest.starts_with("--") ? 2 : 1;
  const char before = at == 0 ? '\n' : text[at - 1];
  const bool stands_alone = IsBlank(std::string_view(&before, 1)) &&
                            (rest.size() == mark_bytes || IsBlank(rest.substr(mark_bytes, 1)));
  const bool begins =
      rest.starts_with("//") ? before != ':' : stands_alone && BeginsAsComment(rest);
  return begins ? std::min(text.find('\n', at), text.size()) : at;
}

}  // namespace tenon::server
