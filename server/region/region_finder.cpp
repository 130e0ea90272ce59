#include "server/region/region_finder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/region/outline_levels.h"
#include "server/region/stand_ins.h"

namespace tenon::server {
namespace {

// A region in an inner construct is better than one in an outer construct where the text that closes
// its gap is shorter by so many bytes: the outer one lacks brackets or holds too many.
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

// One search: the judge's answers, counted.
class Search {
 public:
  Search(std::string_view text, size_t cursor, const RegionFinder::Judge& judge,
         const std::stop_token& stop)
      : text_(text),
        cursor_(cursor),
        judge_(judge),
        stop_(stop),
        open_heads_(OpenHeads(text, cursor)) {}

  // A stretch around the cursor that is not cut: every region has all of it.
  void Keep(const Unit& stretch) { kept_ = stretch; }

  // Nothing better can be found, or nothing more may be asked.
  [[nodiscard]] bool over() const {
    return left_ == 0 || (best_ && best_cost_ < kWorthAnInnerLevel) || stop_.stop_requested();
  }

  bool Fits(const Begin& begin) {
    if (over() || begin.at > std::min(cursor_, kept_.begin)) return false;
    --left_;
    return judge_.left(RegionOf(begin, {cursor_, ""}).Left(text_, cursor_));
  }
  // The bytes that close the gap of this region; nothing: it is none.
  std::optional<uint32_t> Cost(const Begin& begin, const End& end) {
    if (over() || end.at < std::max(cursor_, kept_.end) || !ClosesHeads(begin, end))
      return std::nullopt;
    --left_;
    const Region region = RegionOf(begin, end);
    return judge_.gap(region.Left(text_, cursor_), region.Right(text_, cursor_));
  }
  // The region from `begin` to the farthest end that fits, as the best one where it is. Nearest end
  // first.
  void Try(const Begin& begin, const std::vector<End>& ends) {
    if (ends.empty() || over()) return;
    std::optional<uint32_t> cost = Cost(begin, ends.back());
    size_t best = ends.size() - 1;
    if (!cost) {
      cost = Cost(begin, ends.front());
      if (!cost) return;
      best = 0;
      for (size_t none = ends.size() - 1; best + 1 < none;) {
        const size_t middle = best + (none - best) / 2;
        const auto found = Cost(begin, ends[middle]);
        if (found) cost = found;
        (found ? best : none) = middle;
      }
    }
    if (best_ && *cost + kWorthAnInnerLevel > best_cost_) return;
    best_ = RegionOf(begin, ends[best]);
    best_cost_ = *cost;
  }

  static Region RegionOf(const Begin& begin, const End& end) {
    return {begin.at, end.at, begin.before, end.after};
  }

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] size_t cursor() const { return cursor_; }
  [[nodiscard]] End WholeRight() const { return {text_.size(), "", 0}; }
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
  Unit kept_{std::string_view::npos, 0};
  int left_ = RegionFinder::kMaxJudgements;
  std::optional<Region> best_;
  uint32_t best_cost_ = 0;
};

// The largest of 0 .. count-1 that holds, where what holds for a number holds for all smaller ones.
template <typename Holds>
std::optional<size_t> Largest(size_t count, Holds holds) {
  if (count == 0 || !holds(size_t{0})) return std::nullopt;
  size_t low = 0;
  size_t high = count;  // does not hold
  if (holds(count - 1)) return count - 1;
  while (low + 1 < high) {
    const size_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

std::string LineEndOf(std::string_view text) {
  const size_t newline = text.find('\n');
  return newline != std::string_view::npos && newline > 0 && text[newline - 1] == '\r' ? "\r\n"
                                                                                       : "\n";
}

// The beginning of the line where only blanks lie between it and `offset`, else `offset`.
size_t WithBlanks(std::string_view text, size_t offset) {
  size_t begin = offset;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  return begin == 0 || text[begin - 1] == '\n' ? begin : offset;
}

// May a statement begin here? Where tree-sitter has lost its way, parts of one may look like others.
bool MayBeginStatement(std::string_view text, size_t offset) {
  const size_t last = text.substr(0, offset).find_last_not_of(" \t\f");
  return last == std::string_view::npos ||
         std::string_view("\n\r;{}:").find(text[last]) != std::string_view::npos;
}

// The stand-ins of the containers up to number `last`. `inner`: the indentation inside that one.
StandIns Compose(std::string_view text, size_t cursor, const std::vector<Container>& containers,
                 size_t last, const std::string& inner, const std::string& line_end) {
  StandIns stand_ins(line_end);
  for (size_t i = 0; i <= last; ++i) {
    std::string indentation = inner;
    if (i < last) {
      const auto around =
          std::find_if(containers[i].units.begin(), containers[i].units.end(),
                       [&](const Unit& unit) { return unit.begin < cursor && cursor < unit.end; });
      if (around != containers[i].units.end()) indentation = IndentationAt(text, around->begin);
    }
    stand_ins.Add(*containers[i].rule, indentation);
  }
  return stand_ins;
}

// Begins and ends of regions by the syntax tree of the whole text.
class TreeProposals {
 public:
  TreeProposals(Search& search, const std::vector<Container>& containers)
      : search_(search), containers_(containers), line_end_(LineEndOf(search.text())) {}

  void Try() {
    if (search_.Fits(Begin{})) TryFrom(Begin{});
    for (size_t level = 0; level < containers_.size() && !search_.over(); ++level) {
      if (!containers_[level].whole) break;
      const std::vector<Begin> begins = BeginsOf(level);
      const auto best = Largest(begins.size(), [&](size_t i) { return search_.Fits(begins[i]); });
      if (!best) continue;
      TryFrom(begins[*best]);
      if (*best > 0 && !search_.best()) TryFrom(begins[0]);
    }
  }

 private:
  // Regions from `begin` to the farthest end in each construct, from the outermost in.
  void TryFrom(const Begin& begin) {
    if (begin.at > 0) search_.Try(begin, {search_.WholeRight()});
    for (size_t level = 0; level < containers_.size() && !search_.over(); ++level) {
      if (!containers_[level].whole) break;
      search_.Try(begin, EndsOf(level));
    }
  }

  // Nearest first.
  std::vector<Begin> BeginsOf(size_t level) const {
    const Container& container = containers_[level];
    const std::string& filler = container.rule->filler;
    const std::string_view text = search_.text();
    std::vector<Begin> begins;
    size_t after_left = 0;  // units that begin before the cursor
    while (after_left < container.units.size() &&
           container.units[after_left].begin < search_.cursor())
      ++after_left;
    const auto add = [&](size_t at) {
      const size_t begin = WithBlanks(text, at);
      const bool first_in_line = begin < at || begin == 0 || text[begin - 1] == '\n';
      begins.push_back({begin, Compose(text, search_.cursor(), containers_, level,
                                       IndentationAt(text, at), line_end_)
                                   .Before(first_in_line)});
    };
    const auto add_filled = [&](size_t at, bool left_out) {
      begins.push_back(
          {at, Compose(text, search_.cursor(), containers_, level, "", line_end_).Before(false) +
                   (left_out ? filler : "")});
    };
    if (!filler.empty()) {
      for (size_t i = after_left + 1; i-- > 0;) {
        const size_t at = i == 0 ? container.begin : container.units[i - 1].end;
        if (at <= search_.cursor()) add_filled(at, i > 0);
      }
      return begins;
    }
    for (size_t i = after_left; i-- > 0;) {
      const size_t at = container.units[i].begin;
      if ((level > 0 || i > 0) && MayBeginStatement(text, at)) add(at);
    }
    return begins;
  }

  // Nearest first.
  std::vector<End> EndsOf(size_t level) const {
    const Container& container = containers_[level];
    const StandIns stand_ins = Compose(search_.text(), search_.cursor(), containers_, level,
                                       IndentationAt(search_.text(), search_.cursor()), line_end_);
    const std::string after = stand_ins.After();
    std::vector<End> ends;
    for (const Unit& unit : container.units) {
      if (unit.begin >= search_.cursor())
        ends.push_back({unit.begin, container.rule->filler + after, container.begin});
    }
    if (level > 0 && container.end >= search_.cursor())
      ends.push_back({container.end, after, container.begin});
    return ends;
  }

  Search& search_;
  const std::vector<Container>& containers_;
  std::string line_end_;
};

// Regions in a level, where a skeleton of it is a text without an error around the level.
// `left_is_whole`: all of the left context may be kept.
void TryLevel(Search& search, const OutlineLevel& level, const OutlineSkeleton& skeleton,
              bool left_is_whole, const TSLanguage* language,
              const std::vector<RegionRule>& rules) {
  const auto tree = SyntaxTree::Parse(language, skeleton.text);
  if (!tree) return;
  const std::vector<Container> containers = ContainersAt(tree->root(), skeleton.hole, rules);
  if (containers.empty() || !containers.back().whole) return;
  const StandIns stand_ins =
      Compose(skeleton.text, skeleton.hole, containers, containers.size() - 1,
              IndentationAt(skeleton.text, skeleton.hole - 1), LineEndOf(search.text()));
  const std::string before = stand_ins.Before(true);
  const std::string after = stand_ins.After();
  std::vector<End> ends;
  for (const size_t at : level.ends) ends.push_back({at, after, level.first});
  if (left_is_whole) search.Try(Begin{}, ends);
  const auto found = std::find_if(level.begins.begin(), level.begins.end(), [&](size_t begin) {
    return search.Fits(Begin{begin, before});
  });
  if (found == level.begins.end()) return;
  search.Try(Begin{*found, before}, {search.WholeRight()});
  search.Try(Begin{*found, before}, ends);
}

// Regions by indentation, from the outermost level in.
void TryOutline(Search& search, const TSLanguage* language, const std::vector<RegionRule>& rules) {
  const bool left_is_whole = search.Fits(Begin{});
  for (const OutlineLevel& level : OutlineLevels(search.text(), search.cursor(), "xx")) {
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
  Search search(text, cursor, judge, stop);
  if (const Unit token = TokenOfLinesAt(tree_->root(), cursor, text); token.end > 0)
    search.Keep(token);
  const std::vector<Container> containers = ContainersAt(tree_->root(), cursor, rules_);
  TreeProposals(search, containers).Try();
  TryOutline(search, language_, rules_);
  return search.best();
}

}  // namespace tenon::server
