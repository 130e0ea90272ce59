#include "server/syntax/heads.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// The leaf that ends there.
TSNode LeafBefore(const SyntaxTree& tree, size_t end) {
  return ts_node_descendant_for_byte_range(tree.root(), static_cast<uint32_t>(end - 1),
                                           static_cast<uint32_t>(end));
}

// Is the bracket at the end of the text no partner of any, as in `stop)` of a shell's `case`?
bool ClosesNothing(std::string_view text, size_t begin, size_t end) {
  const std::vector<size_t> own = LoneBracketsOf(text.substr(begin, end - begin)).closing;
  if (own.empty() || begin + own.back() != end - 1) return false;
  const std::vector<size_t> around = OpenBrackets(text.substr(0, begin));
  return around.empty() || !IsPair(text[around.back()], text[end - 1]);
}

// Where the line after a head begins with text, if the text that ends at `end` may be one. Nothing:
// it is none, or is not alone.
std::optional<size_t> NextAfterHead(const SyntaxTree& tree, size_t end) {
  const std::string_view text = tree.text();
  const char last = text[end - 1];
  const size_t next = std::min(text.find_first_not_of(kBlanksAndLineEnds, end), text.size());
  if ((last != ')' && last != ':') || text.find('\n', end) > next) return std::nullopt;
  if (next < text.size() &&
      (text[next] == '{' || IndentationColumnsAt(text, next) > IndentationColumnsAt(text, end - 1)))
    return std::nullopt;
  return IsToken(tree, end - 1) ? std::optional(next) : std::nullopt;
}

// The innermost of the nodes around the text's last token that begin at `from` or after it and go
// on at `next`: of a head and its body, or of several statements. Null: there is none.
TSNode NodeThatGoesOn(const SyntaxTree& tree, size_t from, size_t end, size_t next) {
  TSNode node = LeafBefore(tree, end);
  while (!ts_node_is_null(node) && ts_node_start_byte(node) >= from) {
    if (ts_node_end_byte(node) > next) return node;
    node = ts_node_parent(node);
  }
  return {};
}

}  // namespace

bool IsToken(const SyntaxTree& tree, size_t offset) {
  return std::string_view(ts_node_type(LeafBefore(tree, offset + 1))) ==
         tree.text().substr(offset, 1);
}

bool IsHeadAlone(const SyntaxTree& tree, size_t begin, size_t end) {
  const auto next = NextAfterHead(tree, end);
  if (!next) return false;
  if (tree.text()[end - 1] == ':' || ClosesNothing(tree.text(), begin, end)) return true;
  return !ts_node_is_null(NodeThatGoesOn(tree, begin, end, *next));
}

bool EndsHeadOfLine(const SyntaxTree& tree, size_t begin, size_t end) {
  const auto next = NextAfterHead(tree, end);
  if (!next) return false;
  const TSNode node = NodeThatGoesOn(tree, LineBeginAt(tree.text(), begin), end, *next);
  if (ts_node_is_null(node)) return false;
  for (uint32_t i = 0; i < ts_node_child_count(node); ++i) {
    const TSNode child = ts_node_child(node, i);
    if (ts_node_start_byte(child) >= end && !ts_node_is_extra(child))
      return ts_node_field_name_for_child(node, i) != nullptr;
  }
  return false;
}

}  // namespace tenon::server
