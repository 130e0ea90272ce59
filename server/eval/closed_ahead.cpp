#include "server/eval/closed_ahead.h"

#include <algorithm>
#include <utility>

#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// The partners among the brackets and quotes of a text, by the first of each.
std::vector<std::pair<size_t, size_t>> PairsIn(std::string_view text) {
  std::vector<std::pair<size_t, size_t>> pairs;
  std::vector<size_t> open;
  for (size_t i = 0; i < text.size(); ++i) {
    if (std::string_view("\"'`").find(text[i]) != std::string_view::npos) {
      const bool apostrophe = text[i] == '\'' && i > 0 && IsWordByte(text[i - 1]);
      const size_t end = apostrophe ? i : EndOfQuoted(text, i);
      if (end == i) continue;
      const bool three = end == i + 1 && text.substr(end + 1).starts_with(text[i]);
      if (!three) pairs.emplace_back(i, end);
      i = three ? end + 1 : end;
    } else if (kOpeningBrackets.find(text[i]) != std::string_view::npos) {
      open.push_back(i);
    } else if (!open.empty() && IsPair(text[open.back()], text[i])) {
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
