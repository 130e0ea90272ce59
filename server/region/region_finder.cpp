#include "server/region/region_finder.h"

#include <string>
#include <utility>

#include "server/region/containers.h"
#include "server/region/outline_levels.h"
#include "server/region/outline_proposals.h"
#include "server/region/region_search.h"
#include "server/region/tree_proposals.h"

namespace tenon::server {
namespace {

// Does the head of the outermost construct around the cursor begin code that goes on up to the
// cursor?
bool IsCodeFromItsHead(std::string_view text, size_t cursor, const RegionFinder::Judge& judge,
                       size_t head) {
  const std::string_view left = text.substr(head, cursor - head);
  return judge.left(left) && !EndsInToken(left, judge);
}

// The string or comment of several lines around the cursor. In an error the tree may take code
// between two strings for one; the engine, which reads from the file's beginning, does not. Where
// that is broken, too, a string that swallows the head of the cursor's construct is none.
Unit KeptToken(TSNode root, size_t cursor, std::string_view text,
               const RegionFinder::Judge& judge) {
  const TokenOfLines token = TokenOfLinesAt(root, cursor, text);
  if (token.unit.end == 0) return {};
  const std::string_view left = text.substr(0, cursor);
  if (judge.left(left)) return EndsInToken(left, judge) ? token.unit : Unit{};
  if (token.in_error) return {};
  const size_t head = OutlineLevels(text, cursor, cursor, "xx").front().first;
  return token.unit.begin < head && IsCodeFromItsHead(text, cursor, judge, head) ? Unit{}
                                                                                 : token.unit;
}

// The region of a cursor in a string or comment that has no end: the whole file, and a text that
// closes what is open at its end. Example: the file ends within the comment of `/* a |`.
std::optional<RegionProposal> RegionOfUnfinishedToken(std::string_view text, size_t cursor,
                                                      const RegionFinder::Judge& judge) {
  const std::string_view left = text.substr(0, cursor);
  if (!judge.left(left) || !EndsInToken(left, judge) || !EndsInToken(text, judge))
    return std::nullopt;
  const auto after = judge.closing(text);
  if (!after) return std::nullopt;
  RegionProposal whole{{}, {text.size(), *after}};
  if (!judge.gap(left, whole.region().Right(text, cursor))) return std::nullopt;
  return whole;
}

}  // namespace

std::optional<RegionProposal> RegionFinder::Find(std::string_view text, size_t cursor,
                                                 const Judge& judge, const std::stop_token& stop) {
  if (rules_.empty()) return std::nullopt;
  auto tree = SyntaxTree::Parse(language_, text, tree_ ? &*tree_ : nullptr, stop);
  if (!tree) return std::nullopt;
  tree_ = std::move(tree);
  const auto search_with = [&](const Unit& kept) -> std::optional<RegionProposal> {
    for (const bool reads_on : {true, false}) {
      RegionSearch search(text, cursor, kept, FirstPartOf(tree_->root()), judge, reads_on, stop);
      TreeProposals(search, ContainersAt(tree_->root(), text, cursor, rules_)).Try();
      OutlineProposals(search, language_, rules_).Try();
      if (search.best()) return search.best();
    }
    return std::nullopt;
  };
  const Unit token = KeptToken(tree_->root(), cursor, text, judge);
  if (token.end == 0) {
    if (auto whole = RegionOfUnfinishedToken(text, cursor, judge)) return whole;
    return search_with({cursor, cursor});
  }
  return search_with(token);
}

}  // namespace tenon::server
