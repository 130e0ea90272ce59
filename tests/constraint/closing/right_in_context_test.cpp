// Middles that move a given word out of the construct in which the word may be written.
#include "constraint/closing/right_in_context.h"

#include <memory>
#include <string_view>

#include <gtest/gtest.h>

#include "constraint/closing/closer.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"

namespace tenon::constraint {
namespace {

constexpr char kStatements[] = R"lark(
start: statement*
statement: NAME ";" | "return"#in_function ";" | "break"#in_loop ";" | "goto"#given ";"
         | "function" "{" statements#+in_function#-in_loop "}"
         | "loop" "{" statements#+in_loop "}"
statements: statement*
NAME: /[a-z]+/
%ignore /[ \n]+/
)lark";

class RightInContext : public testing::Test {
 protected:
  static std::shared_ptr<const Language> language() {
    static const std::shared_ptr<const Language> compiled =
        *Language::Compile(kStatements, "statements.lark");
    return compiled;
  }
  static bool Closes(std::string_view left, std::string_view middle, std::string_view right,
                     bool emit = true) {
    GapPolicy policy;
    policy.emit = emit;
    const GapState opened = OpenGap(language(), left, right, policy);
    GapState state = opened;
    EXPECT_TRUE(middle.empty() || state.Accept(middle)) << left << "|" << right;
    EXPECT_EQ(ClosesInContext(opened, opened, middle), ClosesInContext(opened, state));
    return ClosesInContext(opened, state);
  }
};

TEST_F(RightInContext, KeepsAWordInTheConstructThatItNeeds) {
  EXPECT_TRUE(Closes("loop { a; ", "b;", " break; }"));
  EXPECT_TRUE(Closes("loop { a; ", "} loop {", " break; }"));
  EXPECT_TRUE(Closes("loop { a; ", "function { return; }", " break; }"));
  EXPECT_FALSE(Closes("loop { a; ", "} function {", " break; }"));
  EXPECT_TRUE(Closes("loop { ", "function {", " } break; }"));
}

// The construct around a given word is missing. The shortest text that closes the gap, `loop {`,
// is no construct for a `return`.
TEST_F(RightInContext, KnowsTheConstructThatIsMissing) {
  EXPECT_FALSE(Closes("a; ", "loop {", " return; }"));
  EXPECT_TRUE(Closes("a; ", "function {", " return; }"));
  EXPECT_TRUE(Closes("a; ", "function { loop {", " break; } return; }"));
  EXPECT_FALSE(Closes("a; ", "loop { function {", " break; } return; }"));
  EXPECT_FALSE(Closes("a; ", "function { loop { function {", " break; return; } } }"));
}

TEST_F(RightInContext, AsksNothingOfWordsWithoutAContext) {
  EXPECT_TRUE(Closes("loop { a; ", "} function {", " c; goto; }"));
}

TEST_F(RightInContext, AsksNothingOfAFileThatHasTheErrorAlready) {
  EXPECT_TRUE(Closes("a; ", "b;", " break;"));
  EXPECT_TRUE(Closes("loop { a; ", "} function {", " break; } return;"));
}

// The closing text begins what the given words need, where its budget reaches so far.
TEST_F(RightInContext, ClosingTextsBeginTheConstruct) {
  const auto closing = [&](std::string_view left, std::string_view right, uint32_t enough) {
    return FindClosing(OpenGap(language(), left, right, GapPolicy{}), enough)->text;
  };
  EXPECT_EQ(closing("a; ", " b; }", kNoTokens), "loop{");
  EXPECT_EQ(closing("a; ", " break; }", kNoTokens), "loop{");
  EXPECT_EQ(closing("a; ", " return; }", kNoTokens), "function{");
  EXPECT_EQ(closing("a; ", " return; }", 9), "function{");  // a token a byte
  EXPECT_EQ(closing("a; ", " return; }", 8), "loop{");
  EXPECT_EQ(closing("a; ", " break; } return; }", kNoTokens), "function{loop{");
  EXPECT_EQ(closing("loop { a; ", " break; return; } }", kNoTokens), "}function{loop{");
  // No construct is around a word at the text's top.
  EXPECT_EQ(closing("loop { a; ", " break; } return;", kNoTokens), "");
}

TEST_F(RightInContext, AsksNothingOfGivenMiddles) {
  EXPECT_TRUE(Closes("loop { a; ", "} function {", " break; }", false));
}

TEST_F(RightInContext, NeedsAMember) { EXPECT_FALSE(Closes("loop { a; ", "loop {", " break; }")); }

}  // namespace
}  // namespace tenon::constraint
