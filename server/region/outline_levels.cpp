#include "server/region/outline_levels.h"

#include <algorithm>

#include "server/region/line_above.h"
#include "server/region/open_tags.h"
#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

constexpr size_t kMaxBegins = 12;
constexpr size_t kMaxSiblings = 4;

// The heads before a head that may belong to the same construct, first one first.
std::vector<OutlineLine> SiblingsOf(const OutlineLine& head) {
  std::vector<OutlineLine> siblings;
  OutlineLine line = head;
  bool deeper = true;  // the line below has a deeper indentation
  while (siblings.size() < kMaxSiblings) {
    const auto above = line.FilledAbove();
    if (!above || above->columns < head.columns) break;
    line = *above;
    if (line.columns == head.columns && deeper) {
      if (OpenBrackets(line.whole()).empty()) siblings.push_back(line);
    }
    deeper = line.columns > head.columns;
    if (line.columns == head.columns && siblings.empty()) break;
  }
  std::reverse(siblings.begin(), siblings.end());
  return siblings;
}

// A half-typed head as it may be meant: `def f(a`, `def f(a:` and `def f(a)` are all `def f(a):`,
// with `:` as the end of a head that has none.
std::string Mended(const OutlineLine& head, std::string_view end) {
  std::string_view code = WithoutBlanksAtEnd(head.whole());
  if (head.EndsWith(":") || head.EndsWithBracket()) {
    const std::string_view before = WithoutBlanksAtEnd(code.substr(0, code.size() - 1));
    end = code.substr(before.size());
    code = before;
  }
  return std::string(code).append(ClosersOf(code)).append(end);
}

// Beside the heads, in a skeleton.
struct SkeletonKind {
  // Before each head the heads that may belong to its construct, with a word as their blocks:
  // `else:` needs `if x:`.
  bool siblings = false;
  bool elements = false;         // are closed, too
  std::string_view mended = {};  // the heads are, and those without an end have this one
};

// The heads around a level and a word in place of its statements.
OutlineSkeleton SkeletonOf(const std::vector<OutlineLine>& heads, const std::string& indentation,
                           std::string_view word, SkeletonKind kind = {}) {
  OutlineSkeleton skeleton;
  skeleton.has_heads = !heads.empty();
  const auto add = [&](const OutlineLine& line) {
    skeleton.text.append(kind.mended.empty() ? line.whole() : Mended(line, kind.mended)) += '\n';
  };
  const auto add_word = [&](const std::string& blanks) {
    skeleton.hole = skeleton.text.size() + blanks.size() + 1;
    skeleton.text.append(blanks).append(word) += '\n';
  };
  for (const OutlineLine& head : heads) {
    if (kind.siblings) {
      for (const OutlineLine& sibling : SiblingsOf(head)) {
        add(sibling);
        add_word(std::string(sibling.blanks()) + "    ");
      }
    }
    add(head);
  }
  add_word(indentation);
  if (kind.elements) {
    const std::vector<OpenPart> open = OpenPartsOf(skeleton.text);
    for (size_t i = open.size(); i-- > 0;) skeleton.text += open[i].closer;
    return skeleton;
  }
  skeleton.text += ClosersOf(skeleton.text);
  return skeleton;
}

// The ends of a level whose statements have so many `columns`, below `line`. `opened`: the level's
// first line opens a bracket, around the cursor or at it. The line that closes that bracket is no
// end, nor is one that closes the bracket of a later line of the level.
void SetEnds(OutlineLine line, size_t columns, bool opened, OutlineLevel& level) {
  for (size_t lines = 0; lines < kMaxOutlineLines; ++lines) {
    const auto below = line.Below();
    if (!below) {
      level.ends.push_back(line.text.size());
      return;
    }
    line = *below;
    if (line.is_marker && level.ends.size() + 1 < kMaxEnds) level.ends.push_back(line.begin);
    if (line.blank() || line.columns > columns) continue;
    const bool closes = line.columns == columns && line.Closes();
    if ((!closes || !opened) && !GoesOnWithBrace(line.text, line.first))
      level.ends.push_back(line.begin);
    if (line.columns < columns || (closes && !opened)) return;
    opened = line.EndsWithBracket();
    if (level.ends.size() == kMaxEnds) return;
  }
}

// Do deeper lines above belong to a bracket that a line of `columns` opened? Then a blank line of
// the cursor is where the bracket will be closed, and no statement begins there.
bool InBracketOf(const OutlineLine& line, size_t columns) {
  auto above = line.FilledAbove();
  if (!above || above->columns <= columns) return false;
  while (above && above->columns > columns) above = above->FilledAbove();
  return above && above->columns == columns && !above->Closes() && above->EndsWithBracket();
}

// The begins of a level whose statements have so many `columns`: `line` and lines above it.
void SetBegins(OutlineLine line, size_t columns, OutlineLevel& level) {
  if (!line.Closes() && !(line.blank() && InBracketOf(line, columns)))
    level.begins.push_back(line.begin);
  while (level.begins.size() < kMaxBegins) {
    const auto above = line.FilledAbove();
    if (!above || above->columns < columns) return;
    line = *above;
    if (line.columns == columns && !line.Closes()) level.begins.push_back(line.begin);
  }
}

// Do the lines below lie in a bracket that the head opens? Those of `f(a, {` do; `def f(a:` lacks
// a bracket, and they do not.
bool LeavesBracketOpen(const OutlineLine& head) {
  return !head.EndsWith(":") && (head.EndsWithBracket() || !OpenBrackets(head.whole()).empty());
}

// OutlineLevel::skeletons of a level with these heads around it.
std::vector<OutlineSkeleton> SkeletonsOf(std::vector<OutlineLine> heads,
                                         const std::string& indentation, std::string_view word) {
  std::vector<OutlineSkeleton> skeletons;
  for (const bool siblings : {false, true})
    skeletons.push_back(SkeletonOf(heads, indentation, word, {.siblings = siblings}));
  if (std::any_of(heads.begin(), heads.end(), LeavesElementOpen))
    skeletons.push_back(SkeletonOf(heads, indentation, word, {.elements = true}));
  for (const std::string_view end : {":", " {"}) {
    if (std::any_of(heads.begin(), heads.end(),
                    [end](const OutlineLine& head) { return Mended(head, end) != head.whole(); }))
      skeletons.push_back(SkeletonOf(heads, indentation, word, {.mended = end}));
  }
  if (!heads.empty() && !LeavesBracketOpen(heads.back())) {
    heads.pop_back();
    skeletons.push_back(SkeletonOf(heads, indentation, word));
  }
  return skeletons;
}

}  // namespace

std::vector<OutlineLevel> OutlineLevels(std::string_view text, size_t begin, size_t end,
                                        std::string_view word) {
  const OutlineLine here = LineAt(text, begin);
  const OutlineLine last = LineAt(text, end);
  const size_t columns = here.StatementColumns();
  const std::vector<OutlineLine> heads = HeadsAround(here);
  const std::optional<GapBracket> opened = BracketOfGap(text, begin, end);
  std::vector<OutlineLevel> levels;
  for (size_t i = 0; i <= heads.size(); ++i) {
    const bool is_head = i < heads.size();
    const OutlineLine& first = is_head ? heads[i] : here;
    if (is_head && first.Closes()) continue;
    OutlineLevel level;
    level.first = first.begin;
    const size_t at = is_head ? first.columns : columns;
    SetBegins(first, at, level);
    // A label's statement closes no bracket; any other head's may, though the gap opens it.
    const bool is_open = is_head ? !first.EndsWith(":") : opened.has_value();
    SetEnds(last, at, is_open, level);
    if (!is_head) {
      level.opened = opened;
      level.block_ends = EndsInBlockOfGap(text, begin, end);
    }
    const std::string indentation =
        first.blank() ? std::string(at, ' ') : std::string(first.blanks());
    level.skeletons =
        SkeletonsOf({heads.begin(), heads.begin() + static_cast<ptrdiff_t>(i)}, indentation, word);
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace tenon::server
