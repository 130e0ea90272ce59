#include "constraint/grammar/definition.h"

#include <gtest/gtest.h>

#include "constraint/grammar_file/reader.h"

namespace tenon::constraint {
namespace {

// The example of the header.
TEST(Grammar, DumpPrintsEveryRule) {
  const auto grammar =
      ReadGrammar("start: NAME (\",\" NAME)* [\",\"#given]\nNAME: /[a-z]+/\n", "g.lark");
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  EXPECT_EQ(grammar->terminals.size(), 2u);
  EXPECT_EQ(grammar->lr_terminals.size(), 3u);
  EXPECT_EQ(grammar->Dump(),
            "start: start\n"
            "start -> NAME __plus_1 COMMA#given\n"
            "start -> NAME __plus_1\n"
            "start -> NAME COMMA#given\n"
            "start -> NAME\n"
            "__plus_1 -> COMMA NAME\n"
            "__plus_1 -> __plus_1 COMMA NAME\n");
}

TEST(Grammar, LevelsIncludeThoseBefore) {
  const auto grammar =
      ReadGrammar("start: \"a\" | \"b\"#one | \"c\"#two\n%levels one two\n", "g.lark");
  ASSERT_TRUE(grammar) << grammar.error().ToString();
  EXPECT_EQ(grammar->LevelsUpTo("").value(), 0u);
  EXPECT_EQ(grammar->LevelsUpTo("one").value(), 2u);
  EXPECT_EQ(grammar->LevelsUpTo("two").value(), 6u);
  EXPECT_EQ(grammar->LevelsUpTo("three").error(), "g.lark: no level 'three'; there are one, two");
}

}  // namespace
}  // namespace tenon::constraint
