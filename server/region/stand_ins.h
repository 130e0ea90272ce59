// Texts that stand in for the constructs around a region, composed from the rules of `%region`.
//
// Example: the cursor is in a loop of a method, and the file is broken elsewhere. The nodes
// around the cursor that have a rule are, from the outside in:
//
//   module   block in class_definition   block in function_definition   block in for_statement
//
// Their stand-ins are composed line by line, each with the indentation of the construct:
//
//   class C:
//       def f():
//           while 0:
//               <the region>
//
// So what may stand in the region is judged as in its true surroundings: `break` in a loop,
// `return` in a function. Texts that close constructs are composed from the inside out.
//
// Cost: linear in the nodes around the cursor. Thread rule: values; pure functions.
#pragma once

#include <cstddef>
#include <string>
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

// A node around the cursor with a rule for its kind.
struct Container {
  const RegionRule* rule = nullptr;
  std::vector<Unit> units;
  size_t begin = 0, end = 0;  // of its content: without the brackets, `<` and `/>` among them,
                              // that enclose it
  bool whole =
      true;  // neither it nor a node around it is an error, lacks a token or ends elsewhere
};

// The containers around `cursor` of `text`, outermost first: kMaxContainers at most.
inline constexpr size_t kMaxContainers = 64;
[[nodiscard]] std::vector<Container> ContainersAt(TSNode root, std::string_view text, size_t cursor,
                                                  const std::vector<RegionRule>& rules);

// Where the first node below the root begins that is no comment; the end of the text without one.
[[nodiscard]] size_t FirstPartOf(TSNode root);

// The node around the token at the cursor, where the token has several lines: a string with its
// quotes, a comment.
struct TokenOfLines {
  Unit unit;  // empty where the token has one line, or is no comment right below an error
  bool in_error = false;  // a token of an error, and no comment: the tree may be wrong about it
};
[[nodiscard]] TokenOfLines TokenOfLinesAt(TSNode root, size_t cursor, std::string_view text);

// The beginning of the line where only blanks lie between it and `offset`, else `offset`.
[[nodiscard]] size_t WithBlanks(std::string_view text, size_t offset);

// The blanks at the beginning of the line of `offset`. Where the line has other text before
// `offset`, one blank more.
[[nodiscard]] std::string IndentationAt(std::string_view text, size_t offset);

// Composes the stand-ins of constructs from the outside in.
class StandIns {
 public:
  explicit StandIns(std::string line_end) : line_end_(std::move(line_end)) {}

  // Adds a construct; what stands inside it has this indentation.
  void Add(const RegionRule& rule, const std::string& inner_indentation);
  // Adds a line to construct number `construct`, behind the region. Example: `if a:\n    |` and,
  // with the indentation of `if`, `0` below it.
  void AddLineBelow(size_t construct, std::string_view blanks, std::string_view line);
  // `first_in_line`: the region begins with the blanks of its line. `line`: a line before it.
  [[nodiscard]] std::string Before(bool first_in_line, std::string_view line = "") const;
  // `first_in_line`: the region ends with a line.
  [[nodiscard]] std::string After(bool first_in_line = false) const;

 private:
  [[nodiscard]] bool AtLineBegin() const { return before_.empty() || before_.back() == '\n'; }
  [[nodiscard]] std::string Lines(std::string_view text) const;

  std::string line_end_;
  std::string before_;
  std::string indentation_;         // of what is added next
  std::vector<std::string> after_;  // outermost first
};

}  // namespace tenon::server
