// The lines of a text, each with its line end; the last one may have none.
//
// Example: `a⏎⏎b` has the lines `a⏎`, `⏎` and `b`.
// Cost: linear in the text. Thread rule: pure functions; the lines are views of the text.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace tenon::server {

// Where the line of a byte begins.
inline size_t LineBeginAt(std::string_view text, size_t offset) {
  return text.substr(0, offset).find_last_of("\r\n") + 1;
}

// The first line and the last one, without their line feeds.
inline std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }
inline std::string_view LastLine(std::string_view text) {
  return text.substr(text.rfind('\n') + 1);
}

// Where the first line that is not blank ends, before its line end; npos: it has none yet.
// Example: of `⏎  a = 1⏎b` it is the end of `⏎  a = 1`.
inline size_t EndOfFirstLine(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n\f");
  return first == std::string_view::npos ? first : text.find_first_of("\r\n", first);
}

// That line, without its line end and the blanks at its beginning.
inline std::string_view FirstLineWithText(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f"), text.size()));
  return text.substr(0, text.find_first_of("\r\n"));
}

inline std::vector<std::string_view> LinesIn(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

}  // namespace tenon::server
