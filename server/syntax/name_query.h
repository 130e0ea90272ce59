// Rules for the names that a text declares: does a part of the text break one of them?
//
// Example in JavaScript: below `const a = f();` the line `const a = g();` reads well, and is an
// error all the same. Which names a scope has is no matter of a grammar, so the syntax tree is
// asked. A query of tree-sitter says which nodes are such names, and where names are kept apart:
//
//   (statement_block) @scope
//   (lexical_declaration (variable_declarator name: (identifier) @once))
//   (function_declaration name: (identifier) @again)
//   (catch_clause parameter: (identifier) @again body: (_) @in)
//   (class_declaration name: (_) @same body: (_ (constructor_declaration name: (_) @same)))
//
// `@once` is a name that nothing else of its scope declares. `@again` may be declared by others
// that are `@again`, too, but by no `@once`. The scope of a name is the nearest node around it that
// is a `@scope`, or the `@in` of its match: parameters stand outside the body whose names they
// share. The names that a match calls `@same` are the same: a constructor has its class's.
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

class NameQuery {
 public:
  // The error says what is wrong with the query, and in which of its lines.
  [[nodiscard]] static tl::expected<NameQuery, std::string> Read(const TSLanguage* language,
                                                                 std::string_view query);

  // Does any rule concern the bytes [begin, end) of a text?
  [[nodiscard]] bool Concern(const SyntaxTree& tree, size_t begin_bytes, size_t end_bytes) const;
  // Is a name in these bytes declared once more in its scope, before or after them, or is it
  // another than those that have to be the same?
  [[nodiscard]] bool Breaks(const SyntaxTree& tree, size_t begin_bytes, size_t end_bytes) const;

 private:
  using Query = std::unique_ptr<TSQuery, decltype(&ts_query_delete)>;
  explicit NameQuery(Query query);
  struct Found;
  [[nodiscard]] Found Find(const SyntaxTree& tree) const;

  Query query_;
  uint32_t scope_, once_, again_, in_, same_;  // captures; kNoCapture where the query has none
};

}  // namespace tenon::server
