#include "server/request/repetition.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "server/request/comments.h"
#include "server/request/lines.h"
#include "server/request/visible_text.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// Takes the first line out of `text`.
std::string_view TakeLine(std::string_view& text) {
  const size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Does `item` begin with the visible text `rest`, whose last word ends there?
bool BeginsWith(std::string_view item, std::string_view rest) {
  for (const char c : rest) {
    while (!item.empty() && IsBlank(item.substr(0, 1))) item.remove_prefix(1);
    if (item.empty() || item.front() != c) return false;
    item.remove_prefix(1);
  }
  return item.empty() || !IsWordByte(rest.back()) || !IsWordByte(item.front());
}

// A line without the sign that ends a statement or an element. The next line may lack it.
std::string_view WithoutSignAtEnd(std::string_view line) {
  return line.ends_with(',') || line.ends_with(';') ? line.substr(0, line.size() - 1) : line;
}

// The visible text of the last lines that are not blank, at most so many, in their order.
std::vector<std::string> VisibleLinesAtEnd(std::string_view text, size_t most) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < most) {
    const std::string_view line = LastLine(text);
    text.remove_suffix(std::min(line.size() + 1, text.size()));
    if (std::string visible = VisibleText(line); !visible.empty())
      lines.push_back(std::move(visible));
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

bool HasWord(std::string_view text) { return std::any_of(text.begin(), text.end(), IsWordByte); }

// Are the item's lines those of `after`? `begin` and `rest`, visible text of the cursor's line,
// belong to its first line, where that has any text of its own, and to its last.
bool HasLinesOf(std::string_view after, std::string_view item, std::string_view begin,
                std::string_view rest) {
  std::string_view unread = item;
  bool has_word = false;
  for (bool first = true; !unread.empty(); first = false) {
    const std::string own = VisibleText(TakeLine(unread));
    if (own.empty()) continue;
    std::string line(first ? begin : "");
    line.append(own).append(IsBlank(unread) ? rest : "");
    std::string next;
    while (next.empty() && !after.empty()) next = VisibleText(TakeLine(after));
    if (WithoutSignAtEnd(line) != WithoutSignAtEnd(next)) return false;
    has_word |= HasWord(own);
  }
  return has_word;
}

}  // namespace

bool IsInCommentLine(std::string_view left) {
  const std::string_view line = Trimmed(LastLine(left));
  return BeginsAsComment(line) || line.starts_with("{/*");
}

bool RepeatsWhatFollows(std::string_view left, std::string_view item, std::string_view right) {
  std::string_view after = right;
  const std::string rest = VisibleText(TakeLine(after));
  if (HasWord(rest)) return BeginsWith(item, rest);
  if (HasLinesOf(after, item, VisibleText(LastLine(left)), rest)) return true;
  return IsInCommentLine(left) && HasLinesOf(after, item, "", "");
}

bool RepeatsWhatPrecedes(std::string_view left, std::string_view item) {
  const std::vector<std::string> lines = VisibleLinesAtEnd(item, SIZE_MAX);
  if (std::none_of(lines.begin(), lines.end(), HasWord)) return false;
  const std::vector<std::string> above = VisibleLinesAtEnd(left, 2 * lines.size());
  const auto ends_with_them = [&lines](auto begin, auto end) {
    return end - begin >= std::ssize(lines) &&
           std::equal(lines.begin(), lines.end(), end - std::ssize(lines));
  };
  return ends_with_them(above.begin(), above.end()) &&
         !ends_with_them(above.begin(), above.end() - std::ssize(lines));
}

std::optional<size_t> BytesBeforeRepetition(std::string_view text) {
  constexpr size_t kMaxLines = 4;
  std::vector<std::string_view> lines;  // without blanks around them
  for (const std::string_view line : LinesIn(text))
    if (!IsBlank(line)) lines.push_back(Trimmed(line));
  for (size_t period = 1; period <= kMaxLines; ++period) {
    const size_t times = period == 1 ? 3 : 2, repeated = period * times;
    if (lines.size() < repeated) return std::nullopt;
    const auto first = lines.end() - static_cast<ptrdiff_t>(repeated);
    if (!std::equal(first + static_cast<ptrdiff_t>(period), lines.end(), first)) continue;
    if (std::none_of(first, lines.end(), HasWord)) continue;
    const std::string_view last = *(first + static_cast<ptrdiff_t>(period) - 1);
    return static_cast<size_t>(last.data() + last.size() - text.data());
  }
  return std::nullopt;
}

std::optional<size_t> BytesBeforeStutter(std::string_view text) {
  constexpr size_t kMaxPeriod = 40, kLeastTimes = 4, kLeastBytes = 32;
  const std::string_view line = LastLine(text);
  for (size_t period = 2; period <= kMaxPeriod; ++period) {
    const size_t least = std::max(kLeastBytes, period * kLeastTimes);
    if (line.size() < least) return std::nullopt;
    // The text's end, moved by the period, against itself.
    const auto differs = std::mismatch(line.rbegin(), line.rend() - static_cast<ptrdiff_t>(period),
                                       line.rbegin() + static_cast<ptrdiff_t>(period));
    const auto bytes = static_cast<size_t>(differs.first - line.rbegin()) + period;
    const std::string_view stretch = line.substr(line.size() - period);
    const bool is_in_word = std::all_of(stretch.begin(), stretch.end(), IsWordByte);
    if (bytes < least || is_in_word || !HasWord(stretch)) continue;
    return text.size() - bytes + period;
  }
  return std::nullopt;
}

}  // namespace tenon::server
