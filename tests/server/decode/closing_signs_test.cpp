// Which closing texts are signs alone, and which are brackets.
#include "server/decode/closing_signs.h"

#include <string_view>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

class ClosingSignsTest : public testing::Test {
 protected:
  Gap Open(std::string_view left, std::string_view right = "") const {
    return Gap::Open(*language_, left, right, {});
  }

 private:
  tl::expected<Language, Error> language_ = Language::Compile(
      "start: statement*\nstatement: \"select\" column (\",\" column)* \"from\" WORD | call \";\"\n"
      "column: \"@\" WORD | \"*\"\ncall: WORD \"(\" [WORD] \")\"\nWORD: /[a-z]+/\n%ignore / /\n",
      "columns.lark");
};

TEST_F(ClosingSignsTest, AreBracketsAndOtherSigns) {
  EXPECT_EQ(ClosingSigns(Open("f(a")), ");");
  EXPECT_EQ(ClosingBracketsOf(Open("f(a")), ");");
  EXPECT_EQ(ClosingSigns(Open("select @a, ", " from b")), "*");
  EXPECT_EQ(ClosingBracketsOf(Open("select @a, ", " from b")), std::nullopt);
}

TEST_F(ClosingSignsTest, AreNoWords) {
  EXPECT_EQ(ClosingSigns(Open("select @a ")), std::nullopt);
  EXPECT_EQ(ClosingBracketsOf(Open("select @a ")), std::nullopt);
}

}  // namespace
}  // namespace tenon::server
