#include "server/region/region_finder.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "server/region/outline_levels.h"
#include "server/region/stand_ins.h"
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

// One search: the judge's answers, counted.
class Search {
 public:
  // `kept`: a stretch around the cursor that is not cut. Every region has all of it.
  Search(std::string_view text, size_t cursor, const Unit& kept, const RegionFinder::Judge& judge,
         const std::stop_token& stop)
      : text_(text),
        cursor_(cursor),
        judge_(judge),
        stop_(stop),
        open_heads_(OpenHeads(text, kept.begin, kept.end)),
        kept_(kept) {}

  // Nothing better can be found, or nothing more may be asked.
  [[nodiscard]] bool over() const {
    return judgements_left_ == 0 || (best_ && best_cost_ < kWorthAnInnerLevel) ||
           stop_.stop_requested();
  }

  bool Fits(const Begin& begin) {
    if (over() || begin.at > kept_.begin) return false;
    --judgements_left_;
    return judge_.left(RegionOf(begin, {cursor_, ""}).Left(text_, cursor_));
  }
  // The bytes that close the gap of this region; nothing: it is none.
  std::optional<uint32_t> Cost(const Begin& begin, const End& end) {
    if (over() || end.at < kept_.end || !ClosesHeads(begin, end)) return std::nullopt;
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
  [[nodiscard]] const std::optional<Region>& best() const { return best_; }

 private:
  // Are the brackets that lines above the cursor end with closed?
  [[nodiscard]] bool ClosesHeads(const Begin& begin, const End& end) const {
    return std::all_of(open_heads_.begin(), open_heads_.end(), [&](const OpenHead& head) {
      return head.begin < std::max(begin.at, end.inside) || (head.closer && *head.closer < end.at);
    });
  }

  std::string_view text_;
  size_t cursor_;
  const RegionFinder::Judge& judge_;
  const std::stop_token& stop_;
  std::vector<OpenHead> open_heads_;
  Unit kept_;
  int judgements_left_ = RegionFinder::kMaxJudgements;
  std::optional<Region> best_;
  uint32_t best_cost_ = 0;
};

// The beginning of the line where only blanks lie between it and `offset`, else `offset`.
size_t WithBlanks(std::string_view text, size_t offset) {
  size_t begin = offset;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  return begin == 0 || text[begin - 1] == '\n' ? begin : offset;
}

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
    const bool filled = !container.rule->filler.empty();
    size_t left = 0;  // units that begin before the cursor
    while (left < container.units.size() && container.units[left].begin < search_.cursor()) ++left;
    std::vector<size_t> begins;
    for (size_t i = left + (filled ? 1 : 0); i-- > 0;) {
      const bool fits = filled ? i == 0 || container.units[i - 1].end <= search_.cursor()
                               : (level > 0 || i > 0) &&
                                     MayBeginStatement(search_.text(), container.units[i].begin);
      if (fits) begins.push_back(i);
    }
    return begins;
  }

  Begin BeginAt(size_t level, size_t unit) const {
    const Container& container = containers_[level];
    const std::string_view text = search_.text();
    if (!container.rule->filler.empty()) {
      const std::string before =
          Compose(containers_, indentations_, level, "", line_end_).Before(false);
      if (unit == 0) return {container.begin, before};
      return {container.units[unit - 1].end, before + container.rule->filler};
    }
    const size_t at = container.units[unit].begin;
    const size_t begin = WithBlanks(text, at);
    const bool first_in_line = begin < at || begin == 0 || text[begin - 1] == '\n';
    return {begin, Compose(containers_, indentations_, level, IndentationAt(text, at), line_end_)
                       .Before(first_in_line)};
  }

  void TryEnds(const Begin& begin, size_t level) {
    const Container& container = containers_[level];
    const std::string after =
        Compose(containers_, indentations_, level, indentations_[level], line_end_).After();
    const auto right =  // the first unit behind the cursor
        std::find_if(container.units.begin(), container.units.end(),
                     [&](const Unit& unit) { return unit.begin >= search_.cursor(); });
    const auto units = static_cast<size_t>(container.units.end() - right);
    const bool all = level > 0 && container.end >= search_.cursor();
    search_.Try(begin, units + (all ? 1 : 0), [&](size_t i) -> End {
      if (i == units) return {container.end, after, container.begin};
      return {right[static_cast<ptrdiff_t>(i)].begin, container.rule->filler + after,
              container.begin};
    });
  }

  Search& search_;
  const std::vector<Container>& containers_;
  std::vector<std::string> indentations_;
  std::string line_end_;
};

// What stands in for the constructs around a skeleton's word; nothing where the skeleton has an
// error around it. A skeleton without heads is a file's, and is not asked: a word alone is an
// error in languages whose statements begin with a keyword.
std::optional<StandIns> StandInsOf(const OutlineSkeleton& skeleton, const std::string& line_end,
                                   const TSLanguage* language,
                                   const std::vector<RegionRule>& rules) {
  const std::string inner = IndentationAt(skeleton.text, skeleton.hole - 1);
  if (!skeleton.has_heads) {
    StandIns stand_ins(line_end);
    stand_ins.Add(rules.front(), inner);
    return stand_ins;
  }
  const auto tree = SyntaxTree::Parse(language, skeleton.text);
  if (!tree) return std::nullopt;
  const std::vector<Container> containers = ContainersAt(tree->root(), skeleton.hole, rules);
  if (containers.empty() || !containers.back().whole) return std::nullopt;
  return Compose(containers, IndentationsOf(skeleton.text, skeleton.hole, containers),
                 containers.size() - 1, inner, line_end);
}

// Regions in a level, where a skeleton of it is a text without an error around the level.
// `left_is_whole`: all of the left context may be kept.
void TryLevel(Search& search, const OutlineLevel& level, const OutlineSkeleton& skeleton,
              bool left_is_whole, const TSLanguage* language,
              const std::vector<RegionRule>& rules) {
  const auto found_stand_ins =
      StandInsOf(skeleton, std::string(LineEndOf(search.text())), language, rules);
  if (!found_stand_ins) return;
  const StandIns& stand_ins = *found_stand_ins;
  const std::string before = stand_ins.Before(true);
  const std::string after = stand_ins.After();
  const auto try_from = [&](const Begin& begin) {
    search.Try(begin, level.ends.size(), [&](size_t i) {
      return End{level.ends[i], after, level.first};
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

}  // namespace

std::optional<Region> RegionFinder::Find(std::string_view text, size_t cursor, const Judge& judge,
                                         const std::stop_token& stop) {
  if (rules_.empty()) return std::nullopt;
  auto tree = SyntaxTree::Parse(language_, text, tree_ ? &*tree_ : nullptr, stop);
  if (!tree) return std::nullopt;
  tree_ = std::move(tree);
  const Unit token = TokenOfLinesAt(tree_->root(), cursor, text);
  Search search(text, cursor, token.end > 0 ? token : Unit{cursor, cursor}, judge, stop);
  const std::vector<Container> containers = ContainersAt(tree_->root(), cursor, rules_);
  TreeProposals(search, containers).Try();
  TryOutline(search, language_, rules_);
  return search.best();
}

}  // namespace tenon::server
