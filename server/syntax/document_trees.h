// The syntax trees of the documents that were completed last, so that the next parse of each is
// incremental.
//
// Example: a person types `a` into a file of 10,000 lines. The tree of the text before is here, and
// only the line is read anew.
// Cost: a tree takes about ten times its text, so a few are kept. Thread rule: one thread at a
// time.
#pragma once

#include <list>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/syntax/syntax_tree.h"

namespace tenon::server {

class DocumentTrees {
 public:
  // The tree of `text`, which is kept as the document's tree. Nothing where parsing was stopped or
  // given up (syntax_tree.h). `document` may be empty: nothing is kept.
  std::optional<SyntaxTree> Parse(const std::string& document, const TSLanguage* language,
                                  std::string_view text, const std::stop_token& stop);

 private:
  static constexpr size_t kMaxDocuments = 8;
  struct Kept {
    std::string document;
    const TSLanguage* language;
    SyntaxTree tree;
  };
  std::list<Kept> kept_;  // the latest first
};

}  // namespace tenon::server
