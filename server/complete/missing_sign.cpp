#include "server/complete/missing_sign.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "server/complete/element_above.h"
#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// What may come at a place: the beginning of a new element, or only what goes on with the last one.
struct MayCome {
  bool name = false, string = false, bracket = false, word = false;

  // `word`: the first of the element.
  static MayCome At(const std::optional<Gap>& gap, const std::string& word) {
    if (!gap) return {};
    // No keyword begins with `q_1`.
    return {gap->Check("q_1"), gap->Check("\""), gap->Check("("),
            !word.empty() && gap->Check(word)};
  }
  [[nodiscard]] bool any() const { return name || string || bracket || word; }
  [[nodiscard]] MayCome Without(const MayCome& other) const {
    return {name && !other.name, string && !other.string, bracket && !other.bracket,
            word && !other.word};
  }
};

// The word at the beginning of a text, with the blank after it; empty where none is.
std::string FirstWord(std::string_view text) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), IsWordByte);
  if (end == text.begin() || end == text.end() || *end != ' ') return {};
  return {text.begin(), end + 1};
}

class Search {
 public:
  Search(std::string_view text, size_t cursor, const ElementAbove& element,
         const GapOpeners::Opener& open)
      : text_(text), right_(text.substr(cursor)), cursor_(cursor), element_(element), open_(open) {}

  // Is the text viable as it is?
  [[nodiscard]] bool Reads() {
    as_it_is_ = open_(text_.substr(0, cursor_), right_);
    return as_it_is_.has_value();
  }
  // Is it viable without the element?
  [[nodiscard]] bool ReadsWithout() {
    without_ = open_(text_.substr(0, element_.begin), right_);
    return without_.has_value();
  }

  // REQUIRES: Reads was asked, ReadsWithout true.
  std::optional<MissingSign> Find() {
    whole_ = as_it_is_ && as_it_is_->Member();
    if (!whole_) word_ = FirstWord(text_.substr(element_.begin, cursor_ - element_.begin));
    here_ = MayCome::At(as_it_is_, word_);
    if (here_.name || IsHead()) return std::nullopt;
    at_begin_ = MayCome::At(without_, word_);
    // What is whole lacks the comma of a list; else the end of a statement is likelier.
    for (const char* sign : whole_ ? std::array{",", ";"} : std::array{";", ","}) {
      if (auto missing = Missing(sign)) return missing;
    }
    if (whole_ || !without_->Member()) return std::nullopt;
    for (const size_t end : element_.ends) {
      const std::string closers = element_.ClosersAt(text_, end);
      if (closers.empty()) continue;
      for (const std::string& sign : {closers, closers + ";"}) {
        if (IsMissing({end, sign})) return MissingSign{end, sign};
      }
    }
    return std::nullopt;
  }

 private:
  // The sign at the first end of the element at which it is missing.
  std::optional<MissingSign> Missing(const std::string& sign) const {
    for (const size_t end : element_.ends) {
      if (IsMissing({end, sign})) return MissingSign{end, sign};
    }
    return std::nullopt;
  }

  bool IsMissing(const MissingSign& sign) const {
    if (here_.string && !LineBeforeEndsWith(sign.text)) return false;
    std::string left(text_.substr(0, cursor_));
    left.insert(sign.offset_bytes, sign.text);
    const auto gap = open_(left, right_);
    const MayCome more = MayCome::At(gap, word_).Without(here_);
    return more.any() && !more.Without(at_begin_).any() && (whole_ || gap->Member());
  }

  // Does the element begin a construct whose block may come at the cursor, as `void f()` does?
  bool IsHead() const {
    std::optional<Gap> gap = as_it_is_;
    return gap && !whole_ && gap->Accept("{") && gap->Accept("}") && gap->Member();
  }

  bool LineBeforeEndsWith(std::string_view sign) const {
    return WithoutBlanksAtEnd(text_.substr(0, element_.begin)).ends_with(sign);
  }

  std::string_view text_, right_;
  size_t cursor_;
  const ElementAbove& element_;
  const GapOpeners::Opener& open_;
  std::optional<Gap> as_it_is_, without_;  // with and without the element
  bool whole_ = false;                     // is the text whole as it is?
  std::string word_;                       // of the element, to ask for
  MayCome here_, at_begin_;                // at the cursor, and at the beginning of the element
};

// In the region around the element's place.
std::optional<MissingSign> FindInRegion(std::string_view text, size_t cursor,
                                        const ElementAbove& element, const GapOpeners& open) {
  const std::string without =
      std::string(text.substr(0, element.begin)).append(text.substr(cursor));
  auto region = open.region_at(without, element.begin);
  if (!region) return std::nullopt;
  region->end += cursor - element.begin;
  const std::string left = region->Left(text, cursor);
  const size_t moved = region->begin, to = region->before.size();
  const auto in_region = [&](size_t offset) { return offset - moved + to; };
  ElementAbove inside{in_region(element.begin), {}};
  for (const size_t end : element.ends) inside.ends.push_back(in_region(end));
  const std::string judged = left + region->Right(text, cursor);
  Search search(judged, left.size(), inside, open.in_region);
  (void)search.Reads();
  auto sign = search.ReadsWithout() ? search.Find() : std::nullopt;
  if (sign) sign->offset_bytes = sign->offset_bytes - to + moved;
  return sign;
}

}  // namespace

std::optional<MissingSign> FindMissingSign(std::string_view text, size_t cursor,
                                           const GapOpeners& open) {
  const auto element = FindElementAbove(text, cursor);
  if (!element) return std::nullopt;
  Search search(text, cursor, *element, open.whole);
  const bool reads = search.Reads();
  if (search.ReadsWithout()) return search.Find();
  return reads ? std::nullopt : FindInRegion(text, cursor, *element, open);
}

void AnswerWithoutSign(CompletionAnswer& answer, const MissingSign& sign) {
  for (CompletionItem& item : answer.items) {
    item.range_begin_bytes -= sign.text.size();
    item.range_end_bytes -= sign.text.size();
    item.missing_sign = sign;
  }
}

}  // namespace tenon::server
