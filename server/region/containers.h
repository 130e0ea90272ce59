// The constructs around a cursor that have a rule of `%region`, by the syntax tree, and their
// parts.
//
// Example, with the cursor as `|`:
//
//   class C:
//       a = 1
//       def f(self):
//           for x in self:
//               |
//
// The nodes around the cursor that have a rule are, from the outside in:
//
//   module   block in class_definition   block in function_definition   block in for_statement
//
// Each is a *container*. The units of the second one are `a = 1` and `def f(self): …`.
//
// The tree may be wrong where the text is: a container says whether it, or a node around it, is an
// error.
//
// Cost: linear in the children of the nodes around the cursor. Thread rule: values; pure functions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <tree_sitter/api.h>

#include "tenon/language.h"

namespace tenon::server {

// A part of a construct: a statement, a member, a list item.
struct Unit {
  size_t begin = 0, end = 0;  // bytes
  bool is_error = false;      // of the tree
};

// A node around the cursor that has a rule for its kind.
struct Container {
  const RegionRule* rule = nullptr;
  std::vector<Unit> units;
  // Of its content, without the brackets that enclose it; `<` and `/>` are brackets, too.
  size_t begin = 0, end = 0;
  // Neither the node nor one around it is an error, lacks a token, or ends with the bracket of
  // another statement.
  bool whole = true;
};

// The containers around `cursor` of `text`, outermost first: kMaxContainers at most.
inline constexpr size_t kMaxContainers = 64;
[[nodiscard]] std::vector<Container> ContainersAt(TSNode root, std::string_view text, size_t cursor,
                                                  const std::vector<RegionRule>& rules);

// Where the first node below the root begins that is no comment; the end of the text without one.
[[nodiscard]] size_t FirstPartOf(TSNode root);

// A token of several lines around the cursor: a string with its quotes, or a comment.
struct TokenOfLines {
  // Empty where the token at the cursor has one line, or is a string right below an error.
  Unit unit;
  // A string within an error: the tree may have taken code between two strings for it.
  bool in_error = false;
};
[[nodiscard]] TokenOfLines TokenOfLinesAt(TSNode root, size_t cursor, std::string_view text);

}  // namespace tenon::server
