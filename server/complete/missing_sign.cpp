#include "server/complete/missing_sign.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "server/region/outline_lines.h"
#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// The lines that lack the sign.
struct Element {
  size_t begin = 0;          // its first character that is no blank
  std::vector<size_t> ends;  // where the sign may go
};

// The end of a line, and those before what may be a comment at its end.
std::vector<size_t> EndsOf(const OutlineLine& line) {
  std::vector<size_t> ends = {line.first + WithoutBlanksAtEnd(line.code()).size()};
  for (const std::string_view mark : {"//", "/*", "#", "--"}) {
    const size_t at = line.code().find(mark);
    if (at != std::string_view::npos && at > 0)
      ends.push_back(line.first + WithoutBlanksAtEnd(line.code().substr(0, at)).size());
  }
  return ends;
}

// The element that ends in the line above; nothing where the cursor's line has more than blanks.
std::optional<Element> ElementAbove(std::string_view text, size_t cursor) {
  const OutlineLine here = LineAt(text, cursor);
  auto line = here.FilledAbove();
  if (!here.blank() || here.is_marker || !line) return std::nullopt;
  std::vector<size_t> ends = EndsOf(*line);
  const size_t columns = line->columns;
  if (IndentationColumns(text.substr(here.begin, cursor - here.begin)) != columns)
    return std::nullopt;
  while (line && (line->Closes() || line->columns > columns)) line = line->FilledAbove();
  if (!line || line->columns != columns) return std::nullopt;
  return Element{line->first, std::move(ends)};
}

// What may come at a place: the beginning of a new element, or only what goes on with the last one.
struct Fresh {
  bool name = false, string = false, bracket = false;

  static Fresh At(const Gap& gap) {
    // No keyword begins with this name.
    return gap.viable() ? Fresh{gap.Check("q_1"), gap.Check("\""), gap.Check("(")} : Fresh{};
  }
  [[nodiscard]] bool any() const { return name || string || bracket; }
  [[nodiscard]] Fresh Without(const Fresh& other) const {
    return {name && !other.name, string && !other.string, bracket && !other.bracket};
  }
};

class Search {
 public:
  Search(std::string_view text, size_t cursor, const GapOpener& open)
      : text_(text), right_(text.substr(cursor)), cursor_(cursor), open_(open) {}

  std::optional<MissingSign> Find() {
    const auto element = ElementAbove(text_, cursor_);
    if (!element) return std::nullopt;
    const auto as_it_is = open_(text_.substr(0, cursor_), right_);
    if (!as_it_is) return std::nullopt;
    here_ = Fresh::At(*as_it_is);
    if (here_.name) return std::nullopt;
    const auto at_begin = open_(text_.substr(0, element->begin), right_);
    if (!at_begin) return std::nullopt;
    at_begin_ = Fresh::At(*at_begin);
    whole_ = as_it_is->viable() && as_it_is->Member();
    // What is whole lacks the comma of a list; else the end of a statement is likelier.
    for (const char* sign : whole_ ? std::array{",", ";"} : std::array{";", ","}) {
      if (auto missing = Missing(*element, sign)) return missing;
    }
    if (whole_ || !at_begin->Member()) return std::nullopt;
    const size_t end = element->ends.back();
    const std::string closers = ClosersOf(text_.substr(element->begin, end - element->begin));
    if (closers.empty()) return std::nullopt;
    for (const std::string& sign : {closers, closers + ";"}) {
      if (auto missing = Missing(*element, sign)) return missing;
    }
    return std::nullopt;
  }

 private:
  // The sign at the first end of the element at which it is missing.
  std::optional<MissingSign> Missing(const Element& element, const std::string& sign) const {
    if (here_.string && !LineBeforeEndsWith(element, sign)) return std::nullopt;
    for (const size_t end : element.ends) {
      std::string left(text_.substr(0, end));
      left.append(sign).append(text_.substr(end, cursor_ - end));
      const auto gap = open_(left, right_);
      if (!gap) return std::nullopt;
      const Fresh more = Fresh::At(*gap).Without(here_);
      if (more.any() && !more.Without(at_begin_).any() && (whole_ || gap->Member()))
        return MissingSign{end, sign};
    }
    return std::nullopt;
  }

  bool LineBeforeEndsWith(const Element& element, std::string_view sign) const {
    return WithoutBlanksAtEnd(text_.substr(0, element.begin)).ends_with(sign);
  }

  std::string_view text_, right_;
  size_t cursor_;
  const GapOpener& open_;
  Fresh here_, at_begin_;  // at the cursor, and at the beginning of the element
  bool whole_ = false;     // is the text whole as it is?
};

}  // namespace

std::optional<MissingSign> FindMissingSign(std::string_view text, size_t cursor,
                                           const GapOpener& open) {
  return Search(text, cursor, open).Find();
}

void AnswerWithoutSign(CompletionAnswer& answer, const MissingSign& sign) {
  for (CompletionItem& item : answer.items) {
    item.range_begin_bytes -= sign.text.size();
    item.range_end_bytes -= sign.text.size();
    item.missing_sign = sign;
  }
}

}  // namespace tenon::server
