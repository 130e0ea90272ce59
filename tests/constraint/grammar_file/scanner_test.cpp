#include "constraint/grammar_file/scanner.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace tenon::constraint {
namespace {

std::string Scanned(std::string_view text) {
  ErrorSink errors("g.lark");
  std::string all;
  for (const ScannedLexeme& lexeme : Scan(text, errors))
    all += (all.empty() ? "" : ", ") + lexeme.Describe();
  return errors.failed() ? errors.error().ToString() : all;
}

// The example of the header.
TEST(Scanner, CutsALineIntoLexemes) {
  EXPECT_EQ(Scanned("item: NAME \"#\"i? // a name\n"),
            "the rule name 'item', ':', the terminal name 'NAME', a literal, '?', the end of the "
            "line, the end of the line, the end of the file");
}

TEST(Scanner, LineEndsInParenthesesAndBeforeABarAreBlank) {
  EXPECT_EQ(Scanned("a: (B\nC)\n  | D"),
            "the rule name 'a', ':', '(', the terminal name 'B', the terminal name 'C', ')', '|', "
            "the terminal name 'D', the end of the line, the end of the file");
}

TEST(Scanner, NamesThePlaceOfAnError) {
  EXPECT_EQ(Scanned("a: 'b'\n"),
            "g.lark:1:4: a literal stands in double quotes, not in single ones");
}

}  // namespace
}  // namespace tenon::constraint
