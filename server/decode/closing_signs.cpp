#include "server/decode/closing_signs.h"

#include <string_view>
#include <utility>

#include "server/request/blocks.h"

namespace tenon::server {

namespace {

bool ClosedBy(Gap gap, std::string_view text) { return gap.Accept(text) && gap.Member(); }

// The shortest part of `closing` that closes the gap, too. Before a line end `})` may do where the
// search found `}).`, and `}` where it found `;}`, since a semicolon is inserted there.
std::string ShortestOf(const Gap& gap, std::string closing) {
  if (closing.starts_with(';') && ClosedBy(gap, std::string_view(closing).substr(1)))
    closing.erase(0, 1);
  for (size_t size = 1; size < closing.size(); ++size) {
    const std::string_view beginning = std::string_view(closing).substr(0, size);
    if (ClosedBy(gap, beginning)) return std::string(beginning);
  }
  return closing;
}

}  // namespace

std::optional<std::string> ClosingSigns(const Gap& gap) {
  auto closing = gap.Close();
  if (!closing || !WritesNoWord(closing->text)) return std::nullopt;
  return ShortestOf(gap, std::move(closing->text));
}

std::optional<std::string> ClosingBracketsOf(const Gap& gap) {
  auto closing = ClosingSigns(gap);
  return closing && ClosersAtEnd(*closing) == closing->size() ? closing : std::nullopt;
}

}  // namespace tenon::server
