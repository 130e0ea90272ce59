#include "server/complete/missing_sign.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

constexpr std::string_view kBlanks = " \t\f\v";

// The lines that lack the sign.
struct Element {
  size_t begin = 0;          // its first character that is no blank
  std::vector<size_t> ends;  // where the sign may go
};

std::string_view LineAt(std::string_view text, size_t offset) {
  const size_t begin = LineBeginAt(text, offset);
  return text.substr(begin, text.find_first_of("\r\n", begin) - begin);
}

// Where the line before the one that begins at `begin` has its first character, blank lines apart;
// npos: there is none.
size_t LineBefore(std::string_view text, size_t begin) {
  const size_t end = WithoutBlanksAtEnd(text.substr(0, begin)).size();
  return end == 0 ? std::string_view::npos
                  : text.find_first_not_of(kBlanks, LineBeginAt(text, end));
}

// The end of the line that ends at `end`, and those before what may be a comment at its end.
std::vector<size_t> EndsOf(std::string_view text, size_t end) {
  const size_t begin = LineBeginAt(text, end);
  const std::string_view line = text.substr(begin, end - begin);
  std::vector<size_t> ends = {end};
  for (const std::string_view mark : {"//", "/*", "#", "--"}) {
    const size_t at = line.find(mark);
    const std::string_view code = line.substr(0, std::min(at, line.size()));
    if (at != std::string_view::npos && !IsBlank(code))
      ends.push_back(begin + WithoutBlanksAtEnd(code).size());
  }
  return ends;
}

// The element that ends in the line above; nothing where the cursor's line has more than blanks.
std::optional<Element> ElementAbove(std::string_view text, size_t cursor) {
  const size_t line = LineBeginAt(text, cursor);
  if (!IsBlank(LineAt(text, cursor)) || line == 0) return std::nullopt;
  size_t begin = LineBefore(text, line);
  if (begin == std::string_view::npos) return std::nullopt;
  std::vector<size_t> ends = EndsOf(text, WithoutBlanksAtEnd(text.substr(0, line)).size());
  const size_t columns = IndentationColumns(LineAt(text, begin));
  if (IndentationColumns(text.substr(line, cursor - line)) != columns) return std::nullopt;
  while (ClosesABracket(LineAt(text, begin)) || IndentationColumns(LineAt(text, begin)) > columns) {
    begin = LineBefore(text, LineBeginAt(text, begin));
    if (begin == std::string_view::npos) return std::nullopt;
  }
  if (IndentationColumns(LineAt(text, begin)) != columns) return std::nullopt;
  return Element{begin, std::move(ends)};
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
