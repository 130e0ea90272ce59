// Grammars of gaps as a user of the library meets them.
#include "tenon/middle_grammar.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/constraint/library/test_languages.h"

namespace tenon {
namespace {

TEST(PublicMiddleGrammar, PrintsTheMiddlesOfAGap) {
  const Language lists = Compiled(kLists);
  const auto lark = PrintMiddleGrammar(lists, "[1, ", "]", GrammarFormat::kLark, Strength::kEmit,
                                       "the test's gap");
  ASSERT_TRUE(lark) << lark.error().ToString();
  EXPECT_GT(lark->rules, 0u);
  EXPECT_GT(lark->terminals, 0u);
  EXPECT_NE(lark->text.find("the test's gap"), std::string::npos);
  const auto gbnf = PrintMiddleGrammar(lists, "[1, ", "]", GrammarFormat::kGbnf);
  ASSERT_TRUE(gbnf);
  EXPECT_NE(gbnf->text.find("::="), std::string::npos);
  const auto none = PrintMiddleGrammar(lists, "[,", "]", GrammarFormat::kLark);
  ASSERT_TRUE(none) << none.error().ToString();
  EXPECT_EQ(none->rules, 0u);
  EXPECT_EQ(none->text, "");
}

}  // namespace
}  // namespace tenon
