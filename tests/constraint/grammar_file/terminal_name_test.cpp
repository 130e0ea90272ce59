#include "constraint/grammar_file/terminal_name.h"

#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace tenon::constraint {
namespace {

TEST(TerminalName, NamesLiteralsAfterTheirCharacters) {
  const std::pair<std::string_view, std::string_view> names[] = {{"(", "LPAR"},
                                                                 {",", "COMMA"},
                                                                 {"**=", "STAR_STAR_EQUAL"},
                                                                 {"...", "DOT_DOT_DOT"},
                                                                 {"if", "IF"},
                                                                 {"is_a", "IS_A"},
                                                                 {"else if", "ELSE_SPACE_IF"},
                                                                 {"a-b", "A_MINUS_B"},
                                                                 {"\xc3\xa9", "U00E9"},
                                                                 {"_", "UNDERSCORE"},
                                                                 {"__x", "LITERAL___X"},
                                                                 {"\n", "NEWLINE"},
                                                                 {"9", "LITERAL_9"}};
  for (const auto& [literal, name] : names) EXPECT_EQ(TerminalName(literal), name) << literal;
}

}  // namespace
}  // namespace tenon::constraint
