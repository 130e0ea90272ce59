#include "server/region/region_finder.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/region/containers.h"
#include "server/region/missing_brackets.h"
#include "server/region/outline_levels.h"
#include "server/region/outline_lines.h"
#include "server/region/outline_proposals.h"
#include "server/region/region_search.h"
#include "server/region/tree_proposals.h"

namespace tenon::server {
namespace {

// Where the outermost construct around the cursor begins whose head is after the beginning of a
// token, and no deeper than that line; nothing where none is.
std::optional<size_t> ConstructAfter(std::string_view text, size_t cursor, size_t token_begin) {
  const OutlineLine begin = LineAt(text, token_begin);
  const auto levels = OutlineLevels(text, cursor, cursor, "xx");
  for (size_t i = 0; i < std::max(levels.size() - 1, size_t{1}); ++i) {  // the last is no construct
    const OutlineLine head = LineAt(text, levels[i].first);
    if (head.begin > begin.begin && head.columns <= begin.columns) return head.first;
  }
  return std::nullopt;
}

// Does code begin at `begin` that goes on up to the cursor?
bool IsCodeFrom(std::string_view text, size_t cursor, const RegionFinder::Judge& judge,
                size_t begin) {
  const std::string_view left = text.substr(begin, cursor - begin);
  return judge.left(left) && !EndsInToken(left, judge);
}

// Has the comment around the cursor lost its end? It holds the beginning of another one then, as a
// line's first word.
bool HasLostItsEnd(std::string_view text, size_t cursor, const Unit& token) {
  if (!text.substr(token.begin).starts_with("/*")) return false;
  const std::string_view read = text.substr(0, token.end);
  LineFinder lines(text);
  for (size_t at = read.find("/*", cursor); at < read.size(); at = read.find("/*", at + 1))
    if (lines.At(at).first == at) return true;
  return false;
}

// The comment around the cursor, by its lines: the first one begins with `/*`, those below it with
// `*`. The tree may have lost it: in TSX a marker of a conflict begins an element, and what follows
// is the element's text.
Unit CommentByLines(std::string_view text, size_t cursor) {
  auto line = std::optional(LineAt(text, cursor));
  while (line && line->code().starts_with('*')) line = line->Above();
  if (!line || !line->code().starts_with("/*") || line->first >= cursor) return {};
  const size_t end = text.find("*/", line->first);
  if (end < cursor || end == std::string_view::npos) return {};
  return {line->first, end + 2};
}

// The string or comment of several lines around the cursor. In an error the tree may take code
// between two strings for one; the engine, which reads from the file's beginning, does not. Where
// that is broken, too, a string that swallows the head of a construct around the cursor is none.
Unit KeptToken(TSNode root, size_t cursor, std::string_view text,
               const RegionFinder::Judge& judge) {
  TokenOfLines token = TokenOfLinesAt(root, cursor, text);
  if (token.unit.end == 0) token.unit = CommentByLines(text, cursor);
  if (token.unit.end == 0) return {};
  const std::string_view left = text.substr(0, cursor);
  if (HasLostItsEnd(text, cursor, token.unit)) return {};
  if (judge.left(left)) return EndsInToken(left, judge) ? token.unit : Unit{};
  if (token.in_error) return {};
  const auto construct = ConstructAfter(text, cursor, token.unit.begin);
  return construct && IsCodeFrom(text, cursor, judge, *construct) ? Unit{} : token.unit;
}

// The region of a file that can be read up to its end: all of it, and a text that closes what is
// open there. Example: the file ends within the comment of `/* a |`.
std::optional<RegionProposal> RegionOfCutOffFile(std::string_view text, size_t cursor,
                                                 const RegionFinder::Judge& judge) {
  const std::string_view left = text.substr(0, cursor);
  const auto after = judge.closing(text);
  if (!after) return std::nullopt;
  RegionProposal whole{{}, {text.size(), *after}};
  const auto closing = judge.gap(left, whole.region().Right(text, cursor));
  if (!closing || !MayBeClosedBy(whole, text, cursor, closing->text)) return std::nullopt;
  return whole;
}

}  // namespace

std::optional<RegionProposal> RegionFinder::Find(std::string_view text, size_t cursor,
                                                 const Judge& judge, const std::stop_token& stop) {
  if (rules_.empty()) return std::nullopt;
  auto tree = SyntaxTree::Parse(language_, text, tree_ ? &*tree_ : nullptr, stop);
  if (!tree) return std::nullopt;
  tree_ = std::move(tree);
  const bool after_half_typed = ComesAfterHalfTyped(text, cursor);
  const auto search_with = [&](const Unit& kept) -> std::optional<RegionProposal> {
    for (const bool in_line : {true, false}) {
      if (in_line && !after_half_typed) continue;
      for (const bool reads_on : {true, false}) {
        RegionSearch search(text, cursor, kept, FirstPartOf(tree_->root()), judge,
                            {.reads_on = reads_on, .in_line = in_line}, stop);
        TreeProposals(search, ContainersAt(tree_->root(), text, cursor, rules_)).Try();
        OutlineProposals(search, language_, rules_).Try();
        if (search.best()) return search.best();
      }
    }
    return std::nullopt;
  };
  const Unit token = KeptToken(tree_->root(), cursor, text, judge);
  if (judge.bytes_up_to_error == text.size()) {
    if (auto whole = RegionOfCutOffFile(text, cursor, judge)) return whole;
  }
  return search_with(token.end == 0 ? Unit{cursor, cursor} : token);
}

}  // namespace tenon::server
