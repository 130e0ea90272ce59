#include "server/eval/closed_ahead.h"

#include <algorithm>
#include <utility>

#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// Where the string of one line ends that begins at `at`; npos: none begins there.
size_t EndOfString(std::string_view text, size_t at) {
  const char quote = text[at];
  if (quote == '\'' && at > 0 && IsWordByte(text[at - 1])) return std::string_view::npos;
  for (size_t i = at + 1; i < text.size() && text[i] != '\n' && text[i] != '\r'; ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      return i;
  }
  return std::string_view::npos;
}

// The partners among the brackets and quotes of a text, by the first of each.
std::vector<std::pair<size_t, size_t>> PairsIn(std::string_view text) {
  std::vector<std::pair<size_t, size_t>> pairs;
  std::vector<size_t> open;
  for (size_t i = 0; i < text.size(); ++i) {
    if (std::string_view("\"'`").find(text[i]) != std::string_view::npos) {
      const size_t end = EndOfString(text, i);
      if (end == std::string_view::npos) continue;
      const bool three = end == i + 1 && text.substr(end + 1).starts_with(text[i]);
      if (!three) pairs.emplace_back(i, end);
      i = three ? end + 1 : end;
    } else if (kOpeningBrackets.find(text[i]) != std::string_view::npos) {
      open.push_back(i);
    } else if (const size_t kind = kClosingBrackets.find(text[i]);
               kind != std::string_view::npos && !open.empty() &&
               text[open.back()] == kOpeningBrackets[kind]) {
      pairs.emplace_back(open.back(), i);
      open.pop_back();
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

ClosedAhead::ClosedAhead(std::string_view text, size_t begin, size_t end) {
  const std::string_view region = text.substr(begin, end - begin);
  for (const auto& [opening, closing] : PairsIn(region)) {
    const std::string_view inside = region.substr(opening + 1, closing - opening - 1);
    const size_t line_end = inside.find('\n');
    std::string closer;
    if (line_end != std::string_view::npos && IsBlank(inside.substr(0, line_end)))
      closer.append(LineEndOf(text)).append(LeadingBlanksAt(text, begin + opening));
    pairs_.push_back({opening, closing, closer + region[closing]});
  }
}

std::string ClosedAhead::After(size_t typed) const {
  std::string closers;
  for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
    if (pair->opening >= typed || typed > pair->closing) continue;
    // Before Enter the closing bracket follows at once.
    const bool entered = typed > pair->opening + 1;
    closers += entered ? pair->closer : pair->closer.substr(pair->closer.size() - 1);
  }
  return closers;
}

}  // namespace tenon::server
