// Names that their scope may declare once: does a part of a text declare one of them again?
//
// Example in JavaScript: below `const a = f();` the line `const a = g();` reads well, and is an
// error all the same. Which names a scope has is no matter of a grammar, so the syntax tree is
// asked. A query of tree-sitter says which nodes are such names, and where names are kept apart:
//
//   (statement_block) @scope
//   (lexical_declaration (variable_declarator name: (identifier) @once))
//   (function_declaration name: (identifier) @again)
//   (catch_clause parameter: (identifier) @again body: (_) @in)
//
// `@once` is a name that nothing else of its scope declares. `@again` may be declared by others
// that are `@again`, too, but by no `@once`. The scope of a name is the nearest node around it that
// is a `@scope`, or the `@in` of its match: parameters stand outside the body whose names they
// share.
//
// Source: tree-sitter's queries, https://tree-sitter.github.io/tree-sitter/using-parsers/queries.
// Cost: linear in the tree's nodes. Thread rule: immutable; any threads.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <tree_sitter/api.h>
#include <tl/expected.hpp>

#include "server/syntax/syntax_tree.h"

namespace tenon::server {

class SingleNames {
 public:
  // The error says what is wrong with the query, and in which of its lines.
  [[nodiscard]] static tl::expected<SingleNames, std::string> Read(const TSLanguage* language,
                                                                   std::string_view query);

  // Does a text declare any name in its bytes [begin, end)?
  [[nodiscard]] bool Declares(const SyntaxTree& tree, size_t begin_bytes, size_t end_bytes) const;
  // Does it declare one there that its scope has already, or declares again behind them?
  [[nodiscard]] bool DeclaresAgain(const SyntaxTree& tree, size_t begin_bytes,
                                   size_t end_bytes) const;

 private:
  using Query = std::unique_ptr<TSQuery, decltype(&ts_query_delete)>;
  explicit SingleNames(Query query);
  struct Found;
  [[nodiscard]] Found Find(const SyntaxTree& tree) const;

  Query query_;
  uint32_t scope_, once_, again_, in_;  // captures; kNoCapture where the query has none
};

}  // namespace tenon::server
