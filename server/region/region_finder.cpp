#include "server/region/region_finder.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "server/region/outline_levels.h"
#include "server/region/stand_ins.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"

namespace tenon::server {
namespace {

// A region in an inner construct is better than one in an outer construct where the text that
// closes its gap is shorter by so many bytes: the outer one lacks brackets or holds too many.
constexpr uint32_t kWorthAnInnerLevel = 8;

struct Begin {
  size_t at = 0;
  std::string before;
};

struct End {
  size_t at = 0;
  std::string after;
  size_t inside = 0;  // `after` closes what was opened before this byte
};

// The largest of 0 .. count-1 that holds, where what holds for a number holds for all smaller ones.
// The last call of `holds` that was true was about it.
template <typename Holds>
std::optional<size_t> Largest(size_t count, Holds holds) {
  if (count == 0) return std::nullopt;
  if (holds(count - 1)) return count - 1;
  if (count == 1 || !holds(size_t{0})) return std::nullopt;
  size_t low = 0;
  size_t high = count - 1;  // does not hold
  while (low + 1 < high) {
    const size_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

// The beginning of the line where only blanks lie between it and `offset`, else `offset`.
size_t WithBlanks(std::string_view text, size_t offset) {
  size_t begin = offset;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  return begin == 0 || text[begin - 1] == '\n' ? begin : offset;
}

bool AtLineBegin(std::string_view text, size_t offset) {
  return offset == 0 || text[offset - 1] == '\n';
}

// The closing brackets of `text` that it does not open itself.
size_t Closers(std::string_view text) {
  size_t closers = 0, open = 0;
  for (const char c : text) {
    if (kOpeningBrackets.find(c) != std::string_view::npos) ++open;
    if (kClosingBrackets.find(c) == std::string_view::npos) continue;
    if (open > 0)
      --open;
    else
      ++closers;
  }
  return closers;
}

// One search: the judge's answers, counted.
class Search {
 public:
  // `kept`: a stretch around the cursor that is not cut. Every region has all of it.
  // `first_part`: where the first part of the file begins.
  Search(std::string_view text, size_t cursor, const Unit& kept, size_t first_part,
         const RegionFinder::Judge& judge, const std::stop_token& stop)
      : text_(text),
        cursor_(cursor),
        first_part_(first_part),
        judge_(judge),
        stop_(stop),
        open_heads_(OpenHeads(text, kept.begin, kept.end)),
        closer_of_gap_(CloserOfGap(text, kept.begin, kept.end)),
        kept_(kept) {}

  // Nothing better can be found, or nothing more may be asked.
  [[nodiscard]] bool over() const {
    return judgements_left_ == 0 || (best_ && best_cost_ < kWorthAnInnerLevel) ||
           stop_.stop_requested();
  }

  bool Fits(const Begin& begin) {
    if (over() || begin.at > kept_.begin || !OpensHeads(begin)) return false;
    if (!begin.before.empty() && begin.at <= first_part_) return false;  // nothing is left out
    --judgements_left_;
    return judge_.left(RegionOf(begin, {cursor_, ""}).Left(text_, cursor_));
  }
  // The bytes that close the gap of this region; nothing: it is none.
  std::optional<uint32_t> Cost(const Begin& begin, const End& end) {
    if (over() || end.at < kept_.end || !ClosesHeads(end)) return std::nullopt;
    if (closer_of_gap_ && end.at <= *closer_of_gap_) return std::nullopt;
    --judgements_left_;
    const Region region = RegionOf(begin, end);
    return judge_.gap(region.Left(text_, cursor_), region.Right(text_, cursor_));
  }
  // The region from `begin` to the farthest of `count` ends that fits, as the best one where it is.
  // Nearest end first.
  void Try(const Begin& begin, size_t count, const std::function<End(size_t)>& end_at) {
    std::optional<uint32_t> cost;
    const auto farthest = Largest(count, [&](size_t i) {
      const auto found = Cost(begin, end_at(i));
      if (found) cost = found;
      return found.has_value();
    });
    if (!farthest) return;
    if (best_ && *cost + kWorthAnInnerLevel > best_cost_) return;
    best_ = RegionOf(begin, end_at(*farthest));
    best_cost_ = *cost;
  }
  void TryWholeRight(const Begin& begin) {
    Try(begin, 1, [this](size_t) { return End{text_.size(), "", 0}; });
  }

  static Region RegionOf(const Begin& begin, const End& end) {
    return {begin.at, end.at, begin.before, end.after};
  }

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] size_t cursor() const { return cursor_; }
  [[nodiscard]] const Unit& kept() const { return kept_; }
  [[nodiscard]] size_t first_part() const { return first_part_; }
  [[nodiscard]] const std::optional<Region>& best() const { return best_; }

 private:
  // Do the stand-ins open a bracket for each that a line before the region ends with?
  [[nodiscard]] bool OpensHeads(const Begin& begin) const {
    const auto cut_off = std::count_if(open_heads_.begin(), open_heads_.end(),
                                       [&](const OpenHead& head) { return head.begin < begin.at; });
    return cut_off == 0 || static_cast<size_t>(cut_off) <= OpenBrackets(begin.before).size();
  }
  // Are the brackets that lines above the cursor end with closed? Each by its line in the region,
  // or, where the region ends inside it, by one of the stand-ins'.
  [[nodiscard]] bool ClosesHeads(const End& end) const {
    size_t around = 0;
    for (const OpenHead& head : open_heads_) {
      if (head.begin < end.inside)
        ++around;
      else if (!head.closer || *head.closer >= end.at)
        return false;
    }
    return around == 0 || around <= Closers(end.after);
  }

  std::string_view text_;
  size_t cursor_;
  size_t first_part_;
  const RegionFinder::Judge& judge_;
  const std::stop_token& stop_;
  std::vector<OpenHead> open_heads_;
  std::optional<size_t> closer_of_gap_;
  Unit kept_;
  int judgements_left_ = RegionFinder::kMaxJudgements;
  std::optional<Region> best_;
  uint32_t best_cost_ = 0;
};

// May a statement begin here? Where tree-sitter has lost its way, parts of one may look like
// statements.
bool MayBeginStatement(std::string_view text, size_t offset) {
  const size_t last = text.substr(0, offset).find_last_not_of(" \t\f");
  return last == std::string_view::npos ||
         std::string_view("\n\r;{}:").find(text[last]) != std::string_view::npos;
}

// The indentation inside each container but the last: that of its part with the cursor.
std::vector<std::string> IndentationsOf(std::string_view text, size_t cursor,
                                        const std::vector<Container>& containers) {
  std::vector<std::string> indentations;
  for (const Container& container : containers) {
    const auto around =
        std::find_if(container.units.begin(), container.units.end(),
                     [&](const Unit& unit) { return unit.begin < cursor && cursor < unit.end; });
    indentations.push_back(
        IndentationAt(text, around != container.units.end() ? around->begin : cursor));
  }
  return indentations;
}

// The indentation of the parts of each container that begin a line; nothing where none does.
std::vector<std::optional<size_t>> ColumnsOf(std::string_view text, size_t cursor,
                                             const std::vector<Container>& containers) {
  std::vector<std::optional<size_t>> columns;
  for (const Container& container : containers) {
    columns.emplace_back();
    for (const Unit& unit : container.units) {
      if (columns.size() == 1 && columns.back()) break;  // the file's: that of its first part
      const size_t line = WithBlanks(text, unit.begin);
      if (line > 0 && text[line - 1] != '\n') continue;
      if (columns.back() && unit.begin >= cursor) break;
      columns.back() = IndentationColumns(text.substr(line, unit.begin - line));
    }
  }
  return columns;
}

// The blanks of the first line with code at `end` or behind it; nothing where there is none, and
// where `end` lies within its text.
std::optional<std::string_view> BlanksBelow(std::string_view text, size_t end) {
  size_t first = text.find_first_not_of(" \t\f\r\n", end);
  for (;;) {
    if (first == std::string_view::npos) return std::nullopt;
    const size_t line = WithBlanks(text, first);
    if (line < end || !AtLineBegin(text, line)) return std::nullopt;
    const size_t line_end = std::min(text.find('\n', first), text.size());
    if (!IsConflictMarker(text.substr(line, line_end - line)))
      return text.substr(line, first - line);
    first = text.find_first_not_of(" \t\f\r\n", line_end);
  }
}

// A filler is a line of its own, or a part of a list.
bool IsLine(std::string_view filler) { return filler.ends_with('\n'); }
std::string_view LineOf(std::string_view filler) {
  return IsLine(filler) ? filler.substr(0, filler.size() - 1) : std::string_view();
}
std::string_view PartOf(std::string_view filler) {
  return IsLine(filler) ? std::string_view() : filler;
}

// Adds a line for the text below a region that ends at `end`, with its indentation: a construct
// that the line is a part of has to be open there still.
void AddLineBelow(std::string_view text, size_t end, const std::vector<Container>& containers,
                  const std::vector<std::optional<size_t>>& columns, size_t last,
                  StandIns& stand_ins) {
  const auto blanks = BlanksBelow(text, end);
  if (!blanks) return;
  for (size_t i = last + 1; i-- > 0;) {
    if (!columns[i] || *columns[i] > IndentationColumns(*blanks)) continue;
    const std::string_view line = LineOf(containers[i].rule->filler);
    if (!line.empty()) stand_ins.AddLineBelow(i, *blanks, line);
    return;
  }
}

// The stand-ins of the containers up to number `last`; `inner`: the indentation inside that one.
StandIns Compose(const std::vector<Container>& containers,
                 const std::vector<std::string>& indentations, size_t last,
                 const std::string& inner, const std::string& line_end) {
  StandIns stand_ins(line_end);
  for (size_t i = 0; i < last; ++i) stand_ins.Add(*containers[i].rule, indentations[i]);
  stand_ins.Add(*containers[last].rule, inner);
  return stand_ins;
}

// Begins and ends of regions by the syntax tree of the whole text. They are composed when they are
// asked for: a list may have a hundred thousand items, of which a search looks at twenty.
class TreeProposals {
 public:
  TreeProposals(Search& search, const std::vector<Container>& containers)
      : search_(search),
        containers_(containers),
        indentations_(IndentationsOf(search.text(), search.cursor(), containers)),
        columns_(ColumnsOf(search.text(), search.cursor(), containers)),
        line_end_(LineEndOf(search.text())) {}

  void Try() {
    if (search_.Fits(Begin{})) TryFrom(Begin{});
    for (size_t level = 0; level < containers_.size() && !search_.over(); ++level) {
      if (!containers_[level].whole) break;
      const std::vector<size_t> begins = BeginsOf(level);
      const auto best =
          Largest(begins.size(), [&](size_t i) { return search_.Fits(BeginAt(level, begins[i])); });
      if (!best) continue;
      TryFrom(BeginAt(level, begins[*best]));
      if (*best > 0 && !search_.best()) TryFrom(BeginAt(level, begins[0]));
    }
  }

 private:
  // Regions from `begin` to the farthest end in each construct, from the outermost in.
  void TryFrom(const Begin& begin) {
    if (begin.at > 0) search_.TryWholeRight(begin);
    for (size_t level = 0; level < containers_.size() && !search_.over(); ++level) {
      if (!containers_[level].whole) break;
      TryEnds(begin, level);
    }
  }

  // Numbers of units of a container, nearest to the cursor first. A run that begins with unit i; in
  // a container with a filler the run that begins after unit i-1.
  std::vector<size_t> BeginsOf(size_t level) const {
    const Container& container = containers_[level];
    const bool filled = !PartOf(container.rule->filler).empty();
    size_t left = 0;  // units that begin before the cursor
    while (left < container.units.size() && container.units[left].begin < search_.cursor()) ++left;
    std::vector<size_t> begins;
    for (size_t i = left + (filled ? 1 : 0); i-- > 0;) {
      const bool fits = filled ? i == 0 || container.units[i - 1].end <= search_.cursor()
                               : (level > 0 || (i > 0 && IsOutermost(container.units[i].begin))) &&
                                     MayBeginStatement(search_.text(), container.units[i].begin);
      if (fits) begins.push_back(i);
    }
    return begins;
  }

  // Has the line at `offset` no more indentation than the file's first part? Deeper ones are within
  // a construct, which the tree may have lost.
  bool IsOutermost(size_t offset) const {
    const auto columns = [this](size_t at) {
      return IndentationColumns(IndentationAt(search_.text(), at));
    };
    return columns(offset) <= columns(search_.first_part());
  }

  Begin BeginAt(size_t level, size_t unit) const {
    const Container& container = containers_[level];
    const std::string_view text = search_.text();
    const std::string& filler = container.rule->filler;
    if (!PartOf(filler).empty()) {
      const std::string before =
          Compose(containers_, indentations_, level, "", line_end_).Before(false);
      if (unit == 0) return {container.begin, before};
      return {container.units[unit - 1].end, before + filler};
    }
    const size_t at = container.units[unit].begin;
    const size_t begin = WithBlanks(text, at);
    const bool first_in_line = begin < at || begin == 0 || text[begin - 1] == '\n';
    const StandIns stand_ins =
        Compose(containers_, indentations_, level, IndentationAt(text, at), line_end_);
    return {begin, stand_ins.Before(first_in_line, first_in_line ? LineOf(filler) : "")};
  }

  void TryEnds(const Begin& begin, size_t level) {
    const Container& container = containers_[level];
    const std::string& filler = container.rule->filler;
    const StandIns stand_ins =
        Compose(containers_, indentations_, level, indentations_[level], line_end_);
    const auto end_at = [&](size_t at, std::string_view part) -> End {
      // Before the file's first part its beginning has not been yet: `package p`.
      if (at <= search_.first_part()) part = containers_.front().rule->before;
      StandIns with_line = stand_ins;
      AddLineBelow(search_.text(), at, containers_, columns_, level, with_line);
      return {at, std::string(part) + with_line.After(AtLineBegin(search_.text(), at)),
              container.begin};
    };
    const auto right =  // the first unit behind the cursor
        std::find_if(container.units.begin(), container.units.end(),
                     [&](const Unit& unit) { return unit.begin >= search_.cursor(); });
    const auto units = static_cast<size_t>(container.units.end() - right);
    const bool all = level > 0 && container.end >= search_.cursor();
    search_.Try(begin, units + (all ? 1 : 0), [&](size_t i) -> End {
      if (i == units) return end_at(container.end, "");
      const size_t at = right[static_cast<ptrdiff_t>(i)].begin;
      const size_t line = WithBlanks(search_.text(), at);
      const bool whole_lines = IsLine(filler) && line >= search_.cursor();
      return end_at(whole_lines ? line : at, PartOf(filler));
    });
  }

  Search& search_;
  const std::vector<Container>& containers_;
  std::vector<std::string> indentations_;
  std::vector<std::optional<size_t>> columns_;
  std::string line_end_;
};

struct Surroundings {
  std::vector<Container> containers;
  std::vector<std::optional<size_t>> columns;  // of the parts of each
  StandIns stand_ins;

  [[nodiscard]] std::string_view filler() const { return containers.back().rule->filler; }
};

// What stands in for the constructs around a skeleton's word; nothing where the skeleton has an
// error around it. A skeleton without heads is a file's, and is not asked: a word alone is an
// error in languages whose statements begin with a keyword.
std::optional<Surroundings> SurroundingsOf(const OutlineSkeleton& skeleton,
                                           const std::string& line_end, const TSLanguage* language,
                                           const std::vector<RegionRule>& rules) {
  const std::string inner = IndentationAt(skeleton.text, skeleton.hole - 1);
  if (!skeleton.has_heads) {
    StandIns stand_ins(line_end);
    stand_ins.Add(rules.front(), inner);
    return Surroundings{{Container{&rules.front(), {}, 0, skeleton.text.size(), true}},
                        {IndentationColumns(inner)},
                        stand_ins};
  }
  const auto tree = SyntaxTree::Parse(language, skeleton.text);
  if (!tree) return std::nullopt;
  std::vector<Container> containers = ContainersAt(tree->root(), skeleton.hole, rules);
  if (containers.empty() || !containers.back().whole) return std::nullopt;
  StandIns stand_ins = Compose(containers, IndentationsOf(skeleton.text, skeleton.hole, containers),
                               containers.size() - 1, inner, line_end);
  std::vector<std::optional<size_t>> columns = ColumnsOf(skeleton.text, skeleton.hole, containers);
  return Surroundings{std::move(containers), std::move(columns), std::move(stand_ins)};
}

// Regions in a level, where a skeleton of it is a text without an error around the level.
// `left_is_whole`: all of the left context may be kept.
void TryLevel(Search& search, const OutlineLevel& level, const OutlineSkeleton& skeleton,
              bool left_is_whole, const TSLanguage* language,
              const std::vector<RegionRule>& rules) {
  const auto surroundings =
      SurroundingsOf(skeleton, std::string(LineEndOf(search.text())), language, rules);
  if (!surroundings) return;
  const StandIns& stand_ins = surroundings->stand_ins;
  const std::string before = stand_ins.Before(true, LineOf(surroundings->filler()));
  const auto try_from = [&](const Begin& begin) {
    search.Try(begin, level.ends.size(), [&](size_t i) {
      const bool is_last = i + 1 == level.ends.size();
      StandIns with_line = stand_ins;
      AddLineBelow(search.text(), level.ends[i], surroundings->containers, surroundings->columns,
                   surroundings->containers.size() - 1, with_line);
      const std::string_view part = is_last ? std::string_view() : PartOf(surroundings->filler());
      return End{level.ends[i],
                 std::string(part) + with_line.After(AtLineBegin(search.text(), level.ends[i])),
                 level.first};
    });
  };
  if (left_is_whole) try_from(Begin{});
  const auto found = std::find_if(level.begins.begin(), level.begins.end(), [&](size_t begin) {
    return search.Fits(Begin{begin, before});
  });
  if (found == level.begins.end()) return;
  search.TryWholeRight(Begin{*found, before});
  try_from(Begin{*found, before});
}

// Regions by indentation, from the outermost level in.
void TryOutline(Search& search, const TSLanguage* language, const std::vector<RegionRule>& rules) {
  const bool left_is_whole = search.Fits(Begin{});
  const Unit& kept = search.kept();
  for (const OutlineLevel& level : OutlineLevels(search.text(), kept.begin, kept.end, "xx")) {
    for (const OutlineSkeleton& skeleton : level.skeletons) {
      if (search.over()) return;
      TryLevel(search, level, skeleton, left_is_whole, language, rules);
    }
  }
}

// The string or comment of several lines around the cursor. In an error the tree may take code
// between two strings for one; the engine, which reads from the file's beginning, does not.
Unit KeptToken(TSNode root, size_t cursor, std::string_view text,
               const RegionFinder::Judge& judge) {
  const Unit token = TokenOfLinesAt(root, cursor, text, false);
  if (token.end > 0) return token;
  const Unit in_error = TokenOfLinesAt(root, cursor, text, true);
  return in_error.end > 0 && judge.left(text.substr(0, cursor)) ? in_error : Unit{};
}

}  // namespace

std::optional<Region> RegionFinder::Find(std::string_view text, size_t cursor, const Judge& judge,
                                         const std::stop_token& stop) {
  if (rules_.empty()) return std::nullopt;
  auto tree = SyntaxTree::Parse(language_, text, tree_ ? &*tree_ : nullptr, stop);
  if (!tree) return std::nullopt;
  tree_ = std::move(tree);
  const Unit token = KeptToken(tree_->root(), cursor, text, judge);
  Search search(text, cursor, token.end > 0 ? token : Unit{cursor, cursor},
                FirstPartOf(tree_->root()), judge, stop);
  const std::vector<Container> containers = ContainersAt(tree_->root(), cursor, rules_);
  TreeProposals(search, containers).Try();
  TryOutline(search, language_, rules_);
  return search.best();
}

}  // namespace tenon::server
