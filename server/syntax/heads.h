// Heads of constructs without their block, as a syntax tree shows them.
//
// A text [begin, end) of the tree's text is a *head alone* where no block follows it: `case 1:`, or
// `for (a : b)`, which takes the file's next statement for its body. The text may be the end of a
// head that begins left of it in its line: of `if (|` the text `a > b)`. None is alone where the
// next line is deeper, or begins with `{`.
//
// No language is known here: nodes are told by their ends, and bodies by having a name among the
// parts of their node (a field of the grammar, as `body`).
// Source: tree-sitter.github.io/tree-sitter/using-parsers/2-basic-parsing.html, "Node Field Names".
// Cost: linear in the text around the cursor, and before a closing bracket in all text left of it;
// some nodes are walked. Thread rule: pure functions.
#pragma once

#include <cstddef>

#include "server/syntax/syntax_tree.h"

namespace tenon::server {

// Is the byte a token of its own, as a bracket is, and no part of a string?
[[nodiscard]] bool IsToken(const SyntaxTree& tree, size_t offset);
// Is the text a head alone?
[[nodiscard]] bool IsHeadAlone(const SyntaxTree& tree, size_t begin, size_t end);
// Is the text the end of a head that begins left of the text in its line?
[[nodiscard]] bool EndsHeadOfLine(const SyntaxTree& tree, size_t begin, size_t end);

}  // namespace tenon::server
