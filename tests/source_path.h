// Where tests find the files of the checkout and what its build made.
//
// Example: `SourcePath("grammars/json.lark")` is the shipped grammar of JSON. The folders are
// compiled into source_path.cpp alone: the tests' other objects are the same in every checkout.
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace tenon {

// A file or folder of the checkout, named from its root.
[[nodiscard]] std::string SourcePath(std::string_view below);

// The built tree-sitter parsers, one library a language.
[[nodiscard]] std::string SyntaxesFolder();

}  // namespace tenon
