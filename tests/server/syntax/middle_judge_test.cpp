#include "server/syntax/middle_judge.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/server/syntax/shipped_syntax.h"

namespace tenon::server {
namespace {

// The judge at the '|' of `text`.
MiddleJudge JudgeAt(const char* language_id, std::string text, bool below_half_typed = false) {
  const TSLanguage* language = ShippedSyntax(language_id);
  const size_t offset = text.find('|');
  text.erase(offset, 1);
  return {language, *SyntaxTree::Parse(language, text), offset, below_half_typed};
}

TEST(MiddleJudge, TakesAMiddleThatAddsNoError) {
  MiddleJudge judge = JudgeAt("c", "int a[] = {1, |};\nint b = ;\n");
  EXPECT_EQ(judge.Judge("2", {}).errors, 1u) << "that of the other line";
  EXPECT_EQ(judge.Judge("2 3", {}).errors, std::nullopt);
  EXPECT_EQ(judge.Judge("2}", {}).errors, std::nullopt) << "it is written twice";
  EXPECT_EQ(judge.Judge("", {}).errors, std::nullopt);
  EXPECT_EQ(judge.Judge("2", {}).errors, 1u) << "whatever was judged before";
  EXPECT_TRUE(judge.FitsAnew("2", {}));
  EXPECT_FALSE(judge.FitsAnew("2 3", {}));
}

TEST(MiddleJudge, RefusesAnErrorWithinTheMiddleThoughAnotherIsMended) {
  EXPECT_EQ(JudgeAt("c", "int f() {\n  g(;\n  |\n").Judge("1 +; }", {}).errors, std::nullopt);
}

TEST(MiddleJudge, TellsAHeadThatTheLineBegins) {
  MiddleJudge judge = JudgeAt("c", "int f(int a) {\n  if (|\n  return 1;\n}\n");
  const MiddleJudge::Verdict head = judge.Judge("a > 1)", {});
  EXPECT_EQ(head.errors, std::nullopt);
  EXPECT_TRUE(head.ends_head);
  EXPECT_FALSE(judge.Judge("a > 1) {}", {}).ends_head);
}

TEST(MiddleJudge, ClosesNoBracketOfAHalfTypedLine) {
  const std::string text = "int f() {\n  a.b(c.\n  d(|);\n}\n";
  EXPECT_TRUE(JudgeAt("cpp", text).Judge("1) + (2", {}).errors);
  EXPECT_TRUE(JudgeAt("cpp", text).Judge("1), e(2)", {}).errors);
  MiddleJudge judge = JudgeAt("cpp", text, true);
  EXPECT_FALSE(judge.Judge("1), e(2)", {}).errors) << "the line's `)` closes that of b";
  EXPECT_TRUE(judge.Judge("1", {}).errors);
  EXPECT_TRUE(judge.Judge("e(1)", {}).errors);
}

TEST(MiddleJudge, TellsWhetherTheCursorsLineLeavesErrors) {
  MiddleJudge judge = JudgeAt("ruby", "def total|\nputs 1\n");
  EXPECT_TRUE(judge.LeavesErrors(1, {}));
  EXPECT_FALSE(judge.LeavesErrors(0, {}));
  EXPECT_FALSE(JudgeAt("ruby", "|\nputs (\n").LeavesErrors(1, {})) << "the other line's";
}

TEST(MiddleJudge, TellsWhetherAMiddleEndsWithAToken) {
  MiddleJudge judge = JudgeAt("c", "char* a = |;\n");
  EXPECT_FALSE(judge.EndedWithToken()) << "none was judged";
  ASSERT_TRUE(judge.Judge("f()", {}).errors);
  EXPECT_TRUE(judge.EndedWithToken());
  MiddleJudge in_string = JudgeAt("c", "char* a = \"|\";\n");
  ASSERT_TRUE(in_string.Judge("f()", {}).errors);
  EXPECT_FALSE(in_string.EndedWithToken());
}

}  // namespace
}  // namespace tenon::server
