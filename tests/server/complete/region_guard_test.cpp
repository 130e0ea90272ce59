#include "server/complete/region_guard.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "server/languages/language_registry.h"
#include "tests/server/syntax/shipped_syntax.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

// What is left of `middle` at the '|' of a broken Python file. The region, in which the middle is
// proved, is the file from `region` on.
std::string Left(std::string text, size_t region, std::string_view middle) {
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  const Gap gap = Gap::Open(*languages->Get("python"), text.substr(region, cursor - region),
                            text.substr(cursor), {});
  EXPECT_TRUE(gap.viable());
  const Region judged{region, text.size(), "", ""};
  RegionGuard guard(*languages->Get("python"), ShippedSyntax("python"), text, cursor, gap, judged);
  return guard.PartWithoutNewErrors(middle, {});
}

const std::string kBroken = "a = = 1\n\n";

TEST(RegionGuard, LeavesAMiddleThatAddsNoErrorAsItIs) {
  EXPECT_EQ(Left(kBroken + "def g(x):\n    return |\n", kBroken.size(), "x + 1"), "x + 1");
}

TEST(RegionGuard, CutsAMiddleAfterTheLastLineThatAddsNoError) {
  EXPECT_EQ(Left(kBroken + "def g(x):\n    x|\n", kBroken.size(), " + 1\n    z = x\n    y = = x"),
            " + 1\n    z = x");
}

TEST(RegionGuard, LeavesNothingWhereEachBeginningAddsAnError) {
  EXPECT_EQ(Left(kBroken + "def g(x):\n    y = |\n", kBroken.size(), "x)\n    z = y]"), "");
}

TEST(RegionGuard, OffersNoBeginningThatDoesNotCloseTheGap) {
  // The tree knows nothing of loops; the engine takes no `break` outside of one.
  const std::string text = kBroken + "def g(x):\n    |\n";
  EXPECT_EQ(Left(text, kBroken.size(), "return\n    ]"), "return");
  EXPECT_EQ(Left(text, kBroken.size(), "break\n    ]"), "");
}

// The same in JavaScript. The region is the cursor's line in a function.
std::string LeftInJavaScript(std::string text, std::string_view middle,
                             std::optional<MissingSign> added = {}) {
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  const Region region{cursor, cursor + 1, "async function f() {\n", "}\n"};
  const Gap gap = Gap::Open(*languages->Get("javascript"), region.Left(text, cursor),
                            region.Right(text, cursor), {});
  EXPECT_TRUE(gap.viable());
  RegionGuard guard(*languages->Get("javascript"), ShippedSyntax("javascript"), text, cursor, gap,
                    region, std::move(added));
  return guard.PartWithoutNewErrors(middle, {});
}

TEST(RegionGuard, JudgesByTheFileWithTheBracketsThatAreMissingAbove) {
  const std::string method = "  d(e) {\n    |\n  }\n}\n";
  EXPECT_EQ(LeftInJavaScript("class A {\n  b() {\n    c();\n\n" + method, "e.f(1);"), "e.f(1);");
  EXPECT_EQ(LeftInJavaScript("class A {\n  b() {\n    c();\n\n" + method, "e.f(1);\ng(2) h"),
            "e.f(1);");
  EXPECT_EQ(LeftInJavaScript("class A {\n  b(= = {\n    c();\n  }\n" + method, "e.f(1) g;"), "")
      << "none is missing";
}

// In the tree of the file as it is each import is an error more.
TEST(RegionGuard, JudgesByTheFileWithTheBracketOfAHalfTypedHead) {
  const std::string head = "def f(a, b:\n    return g(a\n\n\n";
  EXPECT_EQ(Left(head + "from a import B, |\n", head.size(), "C, D"), "C, D");
  EXPECT_EQ(Left(head + "# c\n|\n", head.size() + 4, "def h(a):\n    return g(a)"),
            "def h(a):\n    return g(a)");
}

TEST(RegionGuard, CountsTheErrorsOfTheFileWithoutTheAddedSign) {
  const std::string file = "a = = 1;\nb(c = ;);\n|\n";
  const size_t sign = file.find(";);");
  EXPECT_EQ(LeftInJavaScript(file, "e(f);", MissingSign{sign - 2, "= ;"}), "")
      << "the sign adds an error";
  EXPECT_EQ(LeftInJavaScript(file, "e(f);"), "e(f);");
}

TEST(RegionGuard, LeavesNoBracketToAStandIn) {
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  const std::string text = "x = {\n    1: 2,\n    \n    3: 4,\n    5: 6 7,\n}\n";
  const size_t cursor = text.find("\n    3");
  const size_t end = text.find("    5");
  const Region region{0, end, "", "0: 0}"};
  const Gap gap = Gap::Open(*languages->Get("python"), region.Left(text, cursor),
                            region.Right(text, cursor), {});
  ASSERT_TRUE(gap.viable());
  RegionGuard guard(*languages->Get("python"), ShippedSyntax("python"), text, cursor, gap, region);
  EXPECT_EQ(guard.PartWithoutNewErrors("8: 9,", {}), "8: 9,");
  EXPECT_EQ(guard.PartWithoutNewErrors("}\n{", {}), "");
}

}  // namespace
}  // namespace tenon::server
