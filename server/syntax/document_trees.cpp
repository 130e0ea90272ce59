#include "server/syntax/document_trees.h"

#include <algorithm>
#include <utility>

namespace tenon::server {

std::optional<SyntaxTree> DocumentTrees::Parse(const std::string& document,
                                               const TSLanguage* language, std::string_view text,
                                               const std::stop_token& stop) {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.document == document && kept.language == language;
  });
  auto tree =
      SyntaxTree::Parse(language, text, found == kept_.end() ? nullptr : &found->tree, stop);
  if (!tree || document.empty()) return tree;
  if (found != kept_.end()) kept_.erase(found);
  kept_.push_front({document, language, tree->Copy()});
  if (kept_.size() > kMaxDocuments) kept_.pop_back();
  return tree;
}

}  // namespace tenon::server
