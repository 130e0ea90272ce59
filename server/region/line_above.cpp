#include "server/region/line_above.h"

#include <vector>

#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// Does a line begin a statement, where the one above leaves a bracket open? In the bracket an item
// would end with a comma, and a sign come between two values. A decorator begins one, too.
bool BeginsAnew(const OutlineLine& line, const OutlineLine& above) {
  const std::string_view code = above.code();
  if (!MayEndStatement(code)) return false;
  return line.blank() || line.IsComment() || line.code().front() == '@' ||
         IsWordByte(line.code().front());
}

}  // namespace

bool GoesOnWithBrace(std::string_view text, size_t offset) {
  if (offset >= text.size() || text[offset] != '{') return false;
  const auto above = LineAt(text, offset).FilledAbove();
  return above && IsBlank(text.substr(above->end, offset - above->end)) &&
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

bool StatementEndsAbove(const OutlineLine& here, size_t cursor, size_t offset) {
  if (offset > here.first) {
    const size_t last = here.text.substr(0, offset).find_last_not_of(" \t\f");
    return here.text[last] == ';';
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
  if (open.empty()) return std::nullopt;
  const char bracket = line[open.back()];
  const bool deeper = here.columns > above->columns;
  if (bracket != '{' && !deeper && (above->EndsWith(";") || BeginsAnew(here, *above)))
    return std::nullopt;
  return bracket;
}

}  // namespace tenon::server
