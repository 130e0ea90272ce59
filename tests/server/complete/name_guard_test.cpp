#include "server/complete/name_guard.h"

#include <string>

#include <gtest/gtest.h>

#include "server/languages/language_registry.h"
#include "server/syntax/syntax_registry.h"
#include "tests/server/syntax/shipped_syntax.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

// What is left of `middle` at the '|' of a JavaScript file.
std::string Left(const std::string& text, std::string_view middle) {
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  const SyntaxRegistry syntaxes(languages, {SyntaxesFolder()});
  const auto names = *syntaxes.NamesOf("javascript");
  const size_t cursor = text.find('|');
  const std::string left = text.substr(0, cursor), right = text.substr(cursor + 1);
  const Gap gap = Gap::Open(*languages->Get("javascript"), left, right);
  EXPECT_TRUE(gap.viable());
  return NameGuard(*names, *syntaxes.Get("javascript"), left, right, gap)
      .PartWithinNameRules(middle, {});
}

TEST(NameGuard, LeavesAMiddleThatRepeatsNoName) {
  EXPECT_EQ(Left("const a = 1;\n|\n", "const b = a;"), "const b = a;");
  EXPECT_EQ(Left("const a = 1;\nconst |\n", "b = a;"), "b = a;");
  EXPECT_EQ(Left("f(|);\n", "a, b"), "a, b");
}

TEST(NameGuard, CutsAMiddleBeforeTheLineThatRepeatsOne) {
  EXPECT_EQ(Left("const a = 1;\n|\n", "const b = 2;\nconst a = 3;"), "const b = 2;");
  EXPECT_EQ(Left("|\nconst a = 1;\n", "const b = 2;\nconst a = 3;\nb();"), "const b = 2;");
}

TEST(NameGuard, LeavesNothingWhereTheFirstLineRepeatsOne) {
  EXPECT_EQ(Left("const abc = 1;\nconst a|\n", "bc = 2;"), "");
}

TEST(NameGuard, LooksAtTheFileWhereTheMiddleIsNoWholeStatement) {
  EXPECT_EQ(Left("|\n});\nconst a = {};\n", "const a = b = {\n  c: 'd'}({"), "");
  EXPECT_EQ(Left("|\n});\nconst e = {};\n", "const a = b = {\n  c: 'd'}({"),
            "const a = b = {\n  c: 'd'}({");
}

TEST(NameGuard, LeavesAPartThatClosesTheGap) {
  EXPECT_EQ(Left("const a = 1;\n|}\n", "{\n  f();\n}\nconst a = {"), "{\n  f();")
      << "with the next line the brace behind the cursor would have no partner";
}

}  // namespace
}  // namespace tenon::server
