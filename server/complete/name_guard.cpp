#include "server/complete/name_guard.h"

#include <utility>

#include "server/complete/middle_parts.h"
#include "server/request/lines.h"
#include "server/syntax/syntax_tree.h"

namespace tenon::server {

// Do rules concern the middle's names? Its lines alone tell, where they can be read by themselves.
bool NameGuard::MayBreak(std::string_view middle, const std::stop_token& stop) const {
  std::string lines(left_.substr(LineBeginAt(left_, left_.size())));
  const size_t begin = lines.size();
  lines.append(middle);
  const size_t end = lines.size();
  lines.append(right_.substr(0, right_.find('\n')));
  const auto tree = SyntaxTree::Parse(syntax_, lines, nullptr, stop);
  return !tree || tree->error_count() > 0 || names_.Concern(*tree, begin, end);
}

bool NameGuard::IsGood(std::string_view middle, const std::stop_token& stop) {
  if (!MayBreak(middle, stop)) return true;
  std::string text;
  text.reserve(left_.size() + middle.size() + right_.size());
  text.append(left_).append(middle).append(right_);
  auto tree = SyntaxTree::Parse(syntax_, text, last_ ? &*last_ : nullptr, stop);
  if (!tree) return false;
  last_ = std::move(tree);
  return !names_.Breaks(*last_, left_.size(), left_.size() + middle.size());
}

std::string NameGuard::PartWithinNameRules(std::string_view middle, const std::stop_token& stop) {
  return LongestGoodPart(gap_, middle, [&](std::string_view part) { return IsGood(part, stop); });
}

}  // namespace tenon::server
