#include "server/complete/element_above.h"

#include <utility>

#include "server/region/outline_lines.h"
#include "server/request/comments.h"
#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

std::vector<size_t> EndsOf(const OutlineLine& line) {
  std::vector<size_t> ends = {line.first + WithoutBlanksAtEnd(line.code()).size()};
  for (const std::string_view mark : kCommentMarks) {
    const size_t at = line.code().find(mark);
    if (at != std::string_view::npos && at > 0)
      ends.push_back(line.first + WithoutBlanksAtEnd(line.code().substr(0, at)).size());
  }
  return ends;
}

}  // namespace

std::string ElementAbove::ClosersAt(std::string_view text, size_t end) const {
  return ClosersOf(text.substr(begin, end - begin));
}

std::optional<ElementAbove> FindElementAbove(std::string_view text, size_t cursor) {
  const OutlineLine here = LineAt(text, cursor);
  auto line = here.FilledAbove();
  if (!here.blank() || here.is_marker || !line) return std::nullopt;
  std::vector<size_t> ends = EndsOf(*line);
  const size_t columns = line->columns;
  if (IndentationColumns(text.substr(here.begin, cursor - here.begin)) != columns)
    return std::nullopt;
  if (const auto next = here.FilledBelow();
      next && next->code().starts_with('{') && !line->EndsWith("]}"))
    return std::nullopt;
  while (line && (line->Closes() || line->columns > columns)) line = line->FilledAbove();
  if (!line || line->columns != columns) return std::nullopt;
  return ElementAbove{line->first, std::move(ends)};
}

}  // namespace tenon::server
