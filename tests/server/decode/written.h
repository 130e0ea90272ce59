// Middles of a small language that are written up to a place.
//
// Example: After("f(", "a", ");") is the middle `a` in `f(|);`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "server/decode/written_middle.h"
#include "server/request/lines.h"

namespace tenon::server {

// Statements of calls, lists and texts, and blocks; `where` is no name.
inline constexpr std::string_view kStatements = R"toy(
start: s*
s: sum ("where" sum)? ";" | "case" NAME ":" | "{" s* "}"
sum: value | sum "+" value
value: NAME | STRING | NAME "(" args ")" | NAME "(" ")" | "(" sum ")" | "[" args "]"
args: sum | args "," sum
NAME: /[a-z_]+/
STRING: /"[^"\n]*"/
SPACE: /[ \n]+/
COMMENT: /#[^\n]*/
%ignore SPACE
%ignore COMMENT
%delimited STRING
)toy";

// Sums of names and quoted texts.
inline constexpr std::string_view kSums = R"toy(
start: value | start "+" value | start ":" value
value: NAME | STRING | "(" start ")"
NAME: /[a-z]+/
STRING: /"[^"\n]*"/
%ignore / +/
%delimited STRING
)toy";

// The cursor's surroundings between these texts.
inline CursorText Between(std::string_view left, std::string_view right) {
  CursorText cursor;
  cursor.left_line = LastLine(left);
  cursor.right_line = FirstLine(right);
  const std::string_view next = FirstLineWithText(right);
  cursor.next_text = next;
  return cursor;
}

// With a token a byte.
inline WrittenMiddle Begun(std::string_view left, std::string_view right, CursorText cursor,
                           Goal goal = Goal::kJoin, uint32_t tokens = kUnlimitedTokens) {
  const auto language = Language::Compile(kStatements, "statements.lark");
  EXPECT_TRUE(language) << language.error().message;
  Gap gap = Gap::Open(*language, left, right);
  EXPECT_TRUE(gap.viable()) << left << '|' << right;
  return WrittenMiddle(Budget(gap, tokens), goal, std::move(cursor));
}

inline WrittenMiddle After(std::string_view left, std::string_view middle, std::string_view right) {
  WrittenMiddle written = Begun(left, right, Between(left, right));
  EXPECT_TRUE(middle.empty() || written.Accept(middle)) << middle;
  return written;
}

// The middle of that gap; "(none)" where there is no gap.
inline std::string TextOf(const std::optional<Gap>& end) { return end ? end->middle() : "(none)"; }

}  // namespace tenon::server
