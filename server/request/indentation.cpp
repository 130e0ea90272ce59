#include "server/request/indentation.h"

namespace tenon::server {
namespace {

constexpr size_t kTabWidth = 8;

// Where the quoted text that begins at `at` ends on its line; `at` where it does not.
size_t EndOfQuoted(std::string_view text, size_t at) {
  for (size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\') ++i;
    if (i < text.size() && text[i] == text[at]) return i;
  }
  return at;
}

}  // namespace

size_t IndentationColumns(std::string_view line) {
  size_t columns = 0;
  for (const char c : line) {
    if (c == '\t')
      columns = columns / kTabWidth * kTabWidth + kTabWidth;
    else if (c == ' ' || c == '\f')
      ++columns;
    else
      break;
  }
  return columns;
}

bool ClosesABracket(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r\n\f");
  return first != std::string_view::npos &&
         kClosingBrackets.find(line[first]) != std::string_view::npos;
}

std::vector<size_t> OpenBrackets(std::string_view text) {
  std::vector<size_t> open;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'' || text[i] == '`') i = EndOfQuoted(text, i);
    if (kOpeningBrackets.find(text[i]) != std::string_view::npos) open.push_back(i);
    const size_t closing = kClosingBrackets.find(text[i]);
    if (closing != std::string_view::npos && !open.empty() &&
        text[open.back()] == kOpeningBrackets[closing])
      open.pop_back();
  }
  return open;
}

}  // namespace tenon::server
