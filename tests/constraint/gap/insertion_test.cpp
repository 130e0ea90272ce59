// Semicolons that are inserted where the next token does not fit, on a small language: the examples
// of the ECMAScript specification.
#include <string>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/script_language.h"

namespace tenon::constraint {
namespace {

std::shared_ptr<const Language> Script() {
  auto compiled = Language::Compile(kScriptGrammar, "script.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

TEST(Insertion, StandsBehindALineEndBeforeABraceAndAtTheEnd) {
  auto language = Script();
  ASSERT_TRUE(language);
  for (const char* text :
       {"a", "a;", "{ a }", "{ a\nb } c", "a\nb", "a // c\nb", "return\na + b", "a = b\n++c",
        "i\n++\nj", "if (a) b\nelse c", "for (a; b; c) d", "for (a\n;\nb;) d", "{ return }",
        "a = b + c\n(d + e)", "a\n(b)\n{ }", ""}) {
    EXPECT_TRUE(Check(*language, text, Strength::kAccept).valid) << text;
    EXPECT_TRUE(Check(*language, text, Strength::kEmit).valid) << text;
  }
}

TEST(Insertion, StandsNowhereElse) {
  auto language = Script();
  ASSERT_TRUE(language);
  for (const char* text :
       {"{ a b } c", "a b", "a ++ b", "for (a; b\n) c", "for (a\nb\nc) d", "if (a)\nelse c",
        "if (a) b else c", "return a b", "if (a)", "for (a;;)\n", "a\n)", "a = \n"})
    EXPECT_FALSE(Check(*language, text, Strength::kAccept).valid) << text;
}

// A token that fits is never parted from what stands before it, whatever becomes of the text.
TEST(Insertion, IsKilledWhereTheNextTokenFits) {
  auto language = Script();
  ASSERT_TRUE(language);
  EXPECT_TRUE(Check(*language, "a; (b)\n{ }", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "a\n(b) c", Strength::kAccept).valid);
  EXPECT_TRUE(Check(*language, "a\n(b)\nc", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "a\n(b) { }", Strength::kAccept).valid);
  EXPECT_FALSE(Check(*language, "a = b\n(c) = d", Strength::kAccept).valid);
}

TEST(Insertion, HoldsOnBothSidesOfAGap) {
  auto language = Script();
  ASSERT_TRUE(language);
  EXPECT_TRUE(OpenGap(language, "a", "\nb", GapPolicy{}).Member());
  EXPECT_TRUE(OpenGap(language, "a\n", "b", GapPolicy{}).Member());
  EXPECT_TRUE(OpenGap(language, "{ a", "}", GapPolicy{}).Member());
  EXPECT_FALSE(OpenGap(language, "{ a ", "b }", GapPolicy{}).Member());
  EXPECT_FALSE(OpenGap(language, "a", "\n(b) c", GapPolicy{}).Member());
  EXPECT_FALSE(OpenGap(language, "for (a; b", "\n) c", GapPolicy{}).Member());
  // R is read with its own insertions, and R's first token with those of L.
  GapState state = OpenGap(language, "{ a = ", "b\n++c\nd }", GapPolicy{});
  ASSERT_TRUE(state.viable());
  EXPECT_TRUE(state.Member());
  for (const char* fits : {"e +", "e\n", "e; ", "e("}) EXPECT_TRUE(state.Check(fits)) << fits;
  EXPECT_FALSE(state.Check("e )"));
  GapState header = OpenGap(language, "for (a; b", ") c", GapPolicy{});
  EXPECT_TRUE(header.Check(";"));
  EXPECT_FALSE(header.Check("\nd"));
  auto closing = FindClosing(OpenGap(language, "{ if (a) b", "else c }", GapPolicy{}));
  ASSERT_TRUE(closing);
  EXPECT_TRUE(Check(*language, "{ if (a) b" + closing->text + "else c }", Strength::kAccept).valid)
      << closing->text;
}

TEST(Insertion, DependsOnNothingThatACompletionCannotWrite) {
  auto refused = [](const std::string& rules) {
    auto compiled = Language::Compile(rules, "g.lark");
    return compiled ? "" : compiled.error().ToString();
  };
  const std::string lines = "N: \"n\"\n%line_ends N\n%declare END\n";
  EXPECT_EQ(refused("start: \"a\" (\";\" | END)\n" + lines + "%insert END\n"), "");
  EXPECT_NE(refused("start: \"a\" END\n" + lines + "%insert END\n")
                .find("something must be there to write"),
            std::string::npos);
  EXPECT_NE(refused("start: \"a\" (\";\" | END)\n%declare END\n%insert END\n")
                .find("'%insert' needs a '%line_ends'"),
            std::string::npos);
  EXPECT_NE(refused("start: \"a\" (\";\" | END)\n" + lines + "%insert \";\"\n")
                .find("must be '%declare'd"),
            std::string::npos);
  EXPECT_NE(refused("start: \"a\" (\";\" | END)\n" + lines + "%insert END at \"a\"\n")
                .find("expected a terminal, and"),
            std::string::npos);
  EXPECT_EQ(refused("start: x#no_newline (\";\" | END)\nx: \"a\"#given | \"b\"\n" + lines +
                    "%insert END\n"),
            "");
  EXPECT_NE(refused("start: x#no_newline (\";\" | END)\nx: \"a\"#newline_before\n" + lines +
                    "%insert END\n")
                .find("may begin with a terminal that has '#newline_before' already"),
            std::string::npos);
}

}  // namespace
}  // namespace tenon::constraint
