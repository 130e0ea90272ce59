#include "server/region/outline_proposals.h"

#include <algorithm>
#include <utility>

#include "server/request/line_ends.h"
#include "server/syntax/syntax_tree.h"

namespace tenon::server {
namespace {

bool EndsWithComma(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r\n\f");
  return last != std::string_view::npos && text[last] == ',';
}

// Do the stand-ins of a rule begin a block by indentation, as Python's `if 0:` does?
bool BeginsBlockByIndentation(const RegionRule& rule) {
  return rule.before.ends_with('\n') && rule.after.empty() && !FillerLine(rule).empty();
}

// Have two kinds of lists the same brackets and other items, as Python's sets and dictionaries?
bool LookAlike(const RegionRule& a, const RegionRule& b) {
  return !FillerPart(a).empty() && !FillerPart(b).empty() && !a.after.empty() &&
         a.before == b.before && a.after == b.after && a.filler != b.filler;
}

}  // namespace

OutlineProposals::OutlineProposals(RegionSearch& search, const TSLanguage* language,
                                   const std::vector<RegionRule>& rules)
    : search_(search), language_(language), rules_(rules), line_end_(LineEndOf(search.text())) {}

void OutlineProposals::Try() {
  const bool left_is_whole = search_.Fits(RegionBegin{});
  const Unit& kept = search_.kept();
  const auto levels = OutlineLevels(search_.text(), kept.begin, kept.end, "xx");
  for (const OutlineLevel& level : levels) {
    for (const OutlineSkeleton& skeleton : level.skeletons) {
      if (search_.over()) return;
      TryLevel(level, skeleton, left_is_whole);
    }
  }
  for (const OutlineLevel& level : levels) {
    if (search_.best()) return;
    TryBelowHeads(level);
    if (!search_.best()) TryClause(level);
  }
}

// The constructs around a skeleton's word; none where the skeleton has an error around it. A
// skeleton without heads is not parsed: its construct is the file. It is a word alone, which is an
// error in languages whose statements begin with a keyword.
std::vector<Container> OutlineProposals::ContainersOf(const OutlineSkeleton& skeleton) const {
  std::vector<Container> containers;
  if (!skeleton.has_heads) {
    const Unit word{skeleton.hole - 1, skeleton.hole + 1};
    containers.push_back({.rule = &rules_.front(),
                          .units = {word},
                          .begin = 0,
                          .end = skeleton.text.size(),
                          .whole = true});
  } else {
    const auto tree = SyntaxTree::Parse(language_, skeleton.text);
    if (!tree) return {};
    containers = ContainersAt(tree->root(), skeleton.text, skeleton.hole, rules_);
    if (containers.empty() || !containers.back().whole) return {};
  }
  return containers;
}

// Regions in a level. `left_is_whole`: all of the left context may be kept.
void OutlineProposals::TryLevel(const OutlineLevel& level, const OutlineSkeleton& skeleton,
                                bool left_is_whole) {
  auto containers = ContainersOf(skeleton);
  if (containers.empty()) return;
  // A skeleton's list holds a word alone, and may be another list that looks alike. Lines of the
  // file may be some of one statement: the root's further rules stand in for what comes before and
  // after them in it.
  const RegionRule* rule = containers.back().rule;
  for (const RegionRule& other : rules_) {
    const bool in_statement = !skeleton.has_heads && other.node == rules_.front().node;
    const bool tried = &other == rule || (in_statement ? !search_.best() : LookAlike(other, *rule));
    if (!tried) continue;
    auto around = containers;
    around.back().rule = &other;
    TryLevel(level, skeleton,
             Surroundings(skeleton.text, skeleton.hole, std::move(around), line_end_),
             left_is_whole);
  }
}

void OutlineProposals::TryLevel(const OutlineLevel& level, const OutlineSkeleton& skeleton,
                                const Surroundings& surroundings, bool left_is_whole) {
  if (left_is_whole) TryEnds(RegionBegin{}, level, surroundings);
  TryBegins(surroundings.Before(surroundings.containers().size() - 1,
                                IndentationAt(skeleton.text, skeleton.hole - 1), true),
            level, surroundings);
}

// A region that begins with a clause of a statement whose earlier clauses are broken, as
// `except A:`. A statement with its block in the same line, as `try: 0`, stands in for them.
void OutlineProposals::TryClause(const OutlineLevel& level) {
  if (level.begins.empty()) return;
  const OutlineLine first = LineAt(search_.text(), level.begins.front());
  const auto above = first.FilledAbove();
  if (!above || above->columns <= first.columns) return;  // no clause comes before it
  const OutlineSkeleton& skeleton = level.skeletons.front();
  auto containers = ContainersOf(skeleton);
  if (containers.empty()) return;
  const Surroundings surroundings(skeleton.text, skeleton.hole, std::move(containers), line_end_);
  const std::string before =
      surroundings.Before(surroundings.containers().size() - 1, std::string(first.blanks()), false);
  for (const RegionRule& rule : rules_) {
    if (search_.over()) return;
    if (!rule.before.ends_with(":\n") || FillerLine(rule).empty()) continue;
    const std::string head = rule.before.substr(0, rule.before.size() - 1) + " ";
    const RegionBegin begin{first.begin, before + head + std::string(FillerLine(rule)) + line_end_};
    if (search_.Fits(begin)) return TryFrom(begin, level, surroundings);
  }
}

// Regions in a level below the heads themselves, where no stand-ins fit: a constructor has the name
// of its class.
void OutlineProposals::TryBelowHeads(const OutlineLevel& level) {
  const OutlineSkeleton& skeleton = level.skeletons.front();
  auto containers = ContainersOf(skeleton);
  if (!skeleton.has_heads || containers.empty()) return;
  TryBegins(skeleton.Heads(), level,
            Surroundings(skeleton.text, skeleton.hole, std::move(containers), line_end_));
}

// Regions in a level. `before`: the text before them.
void OutlineProposals::TryBegins(const std::string& before, const OutlineLevel& level,
                                 const Surroundings& surroundings) {
  const std::string_view filler = FillerPart(surroundings.rule());
  const auto begin_at = [&](size_t at) -> RegionBegin {
    // The part that the comma before the region belongs to is left out.
    const bool in_list = !filler.empty() && EndsWithComma(search_.text().substr(0, at));
    return {at, in_list ? before + std::string(filler) + "," : before};
  };
  const auto found = std::find_if(level.begins.begin(), level.begins.end(),
                                  [&](size_t begin) { return search_.Fits(begin_at(begin)); });
  if (found != level.begins.end()) TryFrom(begin_at(*found), level, surroundings);
}

// Regions in a level that begin so.
void OutlineProposals::TryFrom(const RegionBegin& begin, const OutlineLevel& level,
                               const Surroundings& surroundings) {
  search_.TryWholeRight(begin);
  TryEnds(begin, level, surroundings);
}

// The stand-ins after end number `number` of a level.
std::string OutlineProposals::AfterEnd(const OutlineLevel& level, const Surroundings& surroundings,
                                       size_t number) const {
  const bool is_last = number + 1 == level.ends.size();
  return (is_last ? "" : std::string(FillerPart(surroundings.rule()))) +
         surroundings.After(surroundings.containers().size() - 1, search_.text(),
                            level.ends[number]);
}

void OutlineProposals::TryEnds(const RegionBegin& begin, const OutlineLevel& level,
                               const Surroundings& surroundings) {
  std::vector<size_t> ends;  // numbers
  LineFinder lines(search_.text());
  for (size_t i = 0; i < level.ends.size(); ++i) {
    if (MayEndIn(surroundings.rule(), search_.text(), search_.cursor(), level.ends[i], lines))
      ends.push_back(i);
  }
  search_.Try(begin, ends.size(), [&](size_t i) -> RegionEnd {
    return {level.ends[ends[i]], AfterEnd(level, surroundings, ends[i]), level.first};
  });
  if (search_.best()) return;
  if (!level.block_ends.empty()) TryBlock(begin, level, surroundings);
  if (!level.opened) return;
  for (const std::string_view filler : FillersInside(*level.opened))
    TryInside(begin, level, surroundings, filler);
}

// Regions that end in the block that the cursor's line begins.
void OutlineProposals::TryBlock(const RegionBegin& begin, const OutlineLevel& level,
                                const Surroundings& surroundings) {
  if (std::none_of(rules_.begin(), rules_.end(), BeginsBlockByIndentation)) return;
  search_.Try(begin, level.block_ends.size(), [&](size_t i) {
    const size_t at = level.block_ends[i];
    RegionEnd end{at, surroundings.After(surroundings.containers().size() - 1, search_.text(), at),
                  level.first};
    end.in_block_of_line = true;
    return end;
  });
}

// Regions that end in the bracket that the gap opens: what is broken further down inside it is
// left out, and the line that closes it follows.
void OutlineProposals::TryInside(const RegionBegin& begin, const OutlineLevel& level,
                                 const Surroundings& surroundings, std::string_view filler) {
  const GapBracket& bracket = *level.opened;
  // Something has to show what the bracket holds: its opening line, the filler or a part of its
  // inside.
  const size_t first = filler.empty() && !bracket.is_there ? 1 : 0;
  if (bracket.ends.size() <= first) return;
  const auto next = std::find_if(level.ends.begin(), level.ends.end(),
                                 [&](size_t end) { return end > bracket.closer; });
  if (next == level.ends.end()) return;
  std::string tail(filler);
  if (!tail.empty()) tail += line_end_;
  tail += search_.text().substr(bracket.closer_line, *next - bracket.closer_line);
  const std::string after =
      AfterEnd(level, surroundings, static_cast<size_t>(next - level.ends.begin()));
  search_.Try(begin, bracket.ends.size() - first, [&](size_t i) -> RegionEnd {
    return {bracket.ends[first + i], after, level.first, tail};
  });
}

// What may stand in for parts inside a bracket, nothing at last.
std::vector<std::string_view> OutlineProposals::FillersInside(const GapBracket& bracket) const {
  std::vector<std::string_view> fillers;
  for (const RegionRule& rule : rules_) {
    const std::string_view filler = FillerPart(rule);
    if (!filler.empty() && rule.after.starts_with(search_.text()[bracket.closer]) &&
        std::find(fillers.begin(), fillers.end(), filler) == fillers.end())
      fillers.push_back(filler);
  }
  fillers.emplace_back();
  return fillers;
}

}  // namespace tenon::server
