#include "server/region/line_above.h"

#include <vector>

#include "server/region/outline_lines.h"
#include "server/request/indentation.h"

namespace tenon::server {

bool GoesOnWithBrace(std::string_view text, size_t offset) {
  if (offset >= text.size() || text[offset] != '{') return false;
  const auto above = LineAt(text, offset).FilledAbove();
  return above &&
         text.substr(above->end, offset - above->end).find_first_not_of(" \t\r\n") ==
             std::string_view::npos &&
         !above->EndsStatement() && !above->EndsWith(",([");
}

bool ComesAfterAnnotation(std::string_view text, size_t offset) {
  const auto above = LineAt(text, offset).FilledAbove();
  return above && text[above->first] == '@' && !above->EndsStatement();
}

bool LineAboveGoesOn(std::string_view text, size_t offset) {
  const auto above = LineAt(text, offset).Above();
  return above && !above->blank() && !above->IsComment() && !above->EndsStatement();
}

bool StatementEndsAbove(std::string_view text, size_t cursor, size_t offset) {
  const OutlineLine here = LineAt(text, offset);
  if (offset > here.first) {
    const size_t last = text.substr(0, offset).find_last_not_of(" \t\f");
    return text[last] == ';';
  }
  const auto above = here.Above();
  if (!above || here.is_marker || here.IsComment()) return true;
  const bool has_cursor = above->begin <= cursor && cursor <= above->end;
  return (!has_cursor && (above->blank() || above->IsComment())) ||
         (above->end > cursor && above->EndsWith(";"));
}

std::optional<char> BracketLeftOpenAbove(std::string_view text, size_t offset) {
  const OutlineLine here = LineAt(text, offset);
  const auto above = here.FilledAbove();
  if (!above || offset > here.first || above->EndsWithBracket() || above->EndsWith(":") ||
      above->IsComment())
    return std::nullopt;
  const std::string_view line = above->code();
  const std::vector<size_t> open = OpenBrackets(line);
  return open.empty() ? std::nullopt : std::optional(line[open.back()]);
}

}  // namespace tenon::server
