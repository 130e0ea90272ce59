// How a text ends its lines, and other text written so.
//
// Example: `a = 1\r\n` ends its lines with "\r\n", so the completion `if b:\n  c` becomes
// `if b:\r\n  c` there. A text of one line counts as ending with "\n".
//
// Cost: LineEndOf up to the first line's end, WithLineEnds linear. Thread rule: pure functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace tenon::server {

// "\n", "\r\n" or "\r", as the first line ends. A part of `text`, or a constant.
[[nodiscard]] constexpr std::string_view LineEndOf(std::string_view text) {
  const size_t at = text.find_first_of("\r\n");
  if (at == std::string_view::npos) return "\n";
  const bool pair = text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
  return text.substr(at, pair ? 2 : 1);
}

[[nodiscard]] inline std::string WithLineEnds(std::string_view text, std::string_view line_end) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' && text[i] != '\n') {
      out += text[i];
      continue;
    }
    out += line_end;
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') ++i;
  }
  return out;
}

}  // namespace tenon::server
