// Regions of broken files in the shipped languages: where they are, and what may be written there.
#include "server/region/region_gaps.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "server/syntax/syntax_registry.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class RegionGapsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    languages_ = *LanguageRegistry::Load(SourcePath("grammars"));
    syntaxes_ = std::make_unique<SyntaxRegistry>(
        languages_, std::vector<std::filesystem::path>{SyntaxesFolder()});
  }
  static void TearDownTestSuite() {
    syntaxes_.reset();
    languages_.reset();
  }

  // Opens the gap at the '|' of the text.
  std::optional<RegionGap> Open(const std::string& id, std::string text) {
    const size_t cursor = text.find('|');
    text.erase(cursor, 1);
    text_ = text;
    if (!gaps_ || id != language_) {
      gaps_.emplace(*languages_->Get(id), *syntaxes_->Get(id));
      language_ = id;
    }
    return gaps_->Open(text, cursor, {});
  }
  // The text of the region, with what stands in for the text around it.
  std::string Judged(const std::optional<RegionGap>& found) const {
    if (!found) return "no region";
    const Region& region = found->region;
    return region.before + "<" + text_.substr(region.begin, region.end - region.begin) + ">" +
           region.after;
  }
  // May `middle` close the gap?
  static bool Fits(std::optional<RegionGap> found, std::string_view middle) {
    return found && found->gap.Accept(middle) && found->gap.Member();
  }

  static std::shared_ptr<const LanguageRegistry> languages_;
  static std::unique_ptr<SyntaxRegistry> syntaxes_;
  std::optional<RegionGaps> gaps_;
  std::string language_;
  std::string text_;
};

std::shared_ptr<const LanguageRegistry> RegionGapsTest::languages_;
std::unique_ptr<SyntaxRegistry> RegionGapsTest::syntaxes_;

TEST_F(RegionGapsTest, BeginAfterABrokenFunctionAndEndBeforeTheNext) {
  const auto found = Open("python",
                          "def f(a:\n    return\n"
                          "def g(x):\n    return x + |\n"
                          "def h(:\n    pass\n");
  EXPECT_TRUE(Fits(found, "1"));
  EXPECT_FALSE(Fits(found, "1)"));
  const std::string judged = Judged(found);
  EXPECT_NE(judged.find("def g"), std::string::npos) << judged;
  EXPECT_EQ(judged.find("def h"), std::string::npos) << judged;
}

TEST_F(RegionGapsTest, KeepTheWholeLeftContextWhereOnlyTheRightIsBroken) {
  const auto found = Open("python", "import os\n\nx = os.|\n\ny = (1,\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->region.begin, 0u);
  EXPECT_EQ(found->region.before, "");
  EXPECT_TRUE(Fits(found, "path"));
}

TEST_F(RegionGapsTest, StandInForTheConstructsAroundAStatement) {
  const std::string text =
      "class A:\n"
      "    async def f(self):\n"
      "        x = [1, 2\n"
      "        for i in self:\n"
      "            |\n"
      "            y = (\n";
  const auto found = Open("python", text);
  EXPECT_TRUE(Fits(found, "break")) << Judged(found);
  EXPECT_TRUE(Fits(found, "await g()")) << Judged(found);
  EXPECT_TRUE(Fits(found, "return"));
}

TEST_F(RegionGapsTest, OfferNoBreakWhereNoLoopIsAround) {
  const auto found = Open("python", "x = (1,\n\ndef f():\n    if a:\n        |\n");
  EXPECT_TRUE(Fits(found, "return")) << Judged(found);
  EXPECT_FALSE(Fits(found, "break"));
}

TEST_F(RegionGapsTest, FindTheHeadOfAnElse) {
  const auto found = Open("python",
                          "s = 'abc\nx = (1,\n"
                          "def f(a):\n"
                          "    y = [\n"
                          "    if a:\n"
                          "        b()\n"
                          "    else:\n"
                          "        c(|\n");
  EXPECT_TRUE(Fits(found, "1)")) << Judged(found);
}

TEST_F(RegionGapsTest, DoWithoutAHeadThatIsBrokenItself) {
  const auto found = Open("python",
                          "def f(a):\n"
                          "    if g(a:\n"
                          "        return\n"
                          "    else:\n"
                          "        return |\n");
  EXPECT_TRUE(Fits(found, "1")) << Judged(found);
  EXPECT_TRUE(Fits(found, "(1, 2)"));
}

TEST_F(RegionGapsTest, FillTheUnitsOfAListThatAreLeftOut) {
  const auto found = Open("json", R"({"a": [1, 2 3], "b": [4, |, 5], "c": [})");
  EXPECT_TRUE(Fits(found, "6")) << Judged(found);
  EXPECT_FALSE(Fits(found, "6,"));
  EXPECT_FALSE(Fits(found, ""));
}

// The file is cut off below, so that its tree is one error.
TEST_F(RegionGapsTest, NeedACommaBeforeTheNextItemOfAListThatIsCutOff) {
  const auto found = Open("json", "{\n  |\n  \"b\": 1,\n  \"c\": [\n");
  EXPECT_TRUE(Fits(found, "\"a\": 0,")) << Judged(found);
  EXPECT_FALSE(Fits(found, "\"a\": 0"));
}

TEST_F(RegionGapsTest, CloseTheBracketWhoseContentEndsAtTheCursor) {
  const std::string file =
      "{\n  \"f\": [\n    \"a\",\n    |\n  \"b\": 1,\n  \"c\": {},\n  \"d\": [\n";
  const auto found = Open("json", file);
  EXPECT_TRUE(Fits(found, "0],")) << Judged(found);
  EXPECT_FALSE(Fits(found, "0"));
  const auto go = Open("go",
                       "package p\n\nfunc f() {\n\tx := g(\n\t\ta,\n\t\t|\n\ty := 2\n}\n\n"
                       "func h( {\n");
  EXPECT_TRUE(Fits(go, "b)")) << Judged(go);
  EXPECT_FALSE(Fits(go, "b,"));
}

TEST_F(RegionGapsTest, DoNotBeginInsideABracketThatNothingStandsInFor) {
  const auto found = Open("json",
                          "{\n  \"a\": {\n<<<<<<< HEAD\n=======\n>>>>>>> b\n    \"t\": 1,\n    |\n"
                          "  \"s\": {\n    \"u\": 2\n  },\n  \"d\": {\n    \"v\": 3\n  }\n}\n");
  EXPECT_FALSE(Fits(found, "{")) << Judged(found);
}

// What stands in for the text around a region in Python has lines of its true indentation.
TEST_F(RegionGapsTest, KeepTheIndentationOfTheLinesThatAreLeftOut) {
  const auto above = Open("python", "def f():\n    x = ]\n    |\n    return y((\n");
  EXPECT_TRUE(Fits(above, "y = 1")) << Judged(above);
  EXPECT_FALSE(Fits(above, " y = 1"));
  const auto below = Open("python", "def f():\n    if a:\n        b()\n        |\n        c((\n");
  EXPECT_TRUE(Fits(below, "d()")) << Judged(below);
  EXPECT_FALSE(Fits(below, "d()\ne()"));
  const auto outside = Open("python",
                            "class C:\n    def f(self):\n        |\n\n    def g(self:\n"
                            "        pass\n");
  EXPECT_TRUE(Fits(outside, "d()\n    e()")) << Judged(outside);
  EXPECT_FALSE(Fits(outside, "d()\ne()"));
  const auto cases = Open("python", "match a:\n    case 1:\n        |\n    case 2:\n        b((\n");
  EXPECT_TRUE(Fits(cases, "c()")) << Judged(cases);
}

TEST_F(RegionGapsTest, DoNotDeclareBeforeThePackageClause) {
  const auto found = Open("go", "// a|\n<<<<<<< HEAD\n// b\n\npackage p\n\nvar b int\n");
  EXPECT_TRUE(Fits(found, "b")) << Judged(found);
  EXPECT_FALSE(Fits(found, "\nvar s = 1"));
}

// `); b: T,` would be members of the interface, and `): void;` an end too many.
TEST_F(RegionGapsTest, DoNotEndBeforeTheBracketThatTheGapOpens) {
  const auto found = Open("typescript",
                          "interface A {\n  p(\n    a: T,\n  |\n    b: T,\n  ): void;\n"
                          "  q(\n    c: T,\n");
  EXPECT_TRUE(Fits(found, "): void;\n  r(")) << Judged(found);
  EXPECT_FALSE(Fits(found, ");"));
}

TEST_F(RegionGapsTest, DoNotEndInsideAStringOfSeveralLines) {
  const auto found = Open("python",
                          "class A(B):\n    \"\"\"One.\n        |\n    \"\"\"\n            c=1,\n"
                          "        )\n        d = None,\n");
  EXPECT_FALSE(Fits(found, "\"\"\"")) << Judged(found);
}

TEST_F(RegionGapsTest, OpenTheBracketThatALineBelowTheCursorCloses) {
  const auto found =
      Open("json", "{\n  \"a\": 1,\n  |\n    \"b\": 2\n  },\n  \"c\": 3,\n  \"d\": [4 5]\n}\n");
  EXPECT_TRUE(Fits(found, "\"e\": {")) << Judged(found);
  EXPECT_FALSE(Fits(found, "\"e\": 0,")) << Judged(found);
}

TEST_F(RegionGapsTest, SqlHasThemInTheColumnsOfATable) {
  const auto found = Open("sql",
                          "select 1;\n\ncreate table t (\n  a int,\n  |\n  b text not null,\n"
                          "  c text not null,\n<<<<<<< HEAD\n=======\n>>>>>>> b\n  d int\n);\n");
  EXPECT_TRUE(Fits(found, "e int,")) << Judged(found);
  EXPECT_FALSE(Fits(found, "e int);"));
}

TEST_F(RegionGapsTest, GoHasRegionsInFunctionsTypesAndLiterals) {
  const std::string broken = "package p\n\nfunc f( {\n}\n\n";
  EXPECT_TRUE(Fits(Open("go", broken + "func g() int {\n\tfor {\n\t\t|\n\t}\n}\n"), "break"));
  EXPECT_TRUE(Fits(Open("go", broken + "type t struct {\n\ta int\n\t|\n}\n"), "b string"));
  EXPECT_TRUE(Fits(Open("go", broken + "var x = []int{1, |}\n\nfunc (\n"), "2"));
  const auto in_function = Open("go", broken + "func g() {\n\t|\n}\n\nfunc h( {\n");
  EXPECT_TRUE(Fits(in_function, "return")) << Judged(in_function);
}

TEST_F(RegionGapsTest, AreFoundAroundACommentOfSeveralLines) {
  const std::string broken = "class A {\n    void f( {\n    }\n}\n";
  const auto at_the_top = Open("java", "/*\n * One line,\n * another |\n */\n" + broken);
  EXPECT_TRUE(Fits(at_the_top, "of it")) << Judged(at_the_top);
  const auto in_a_class =
      Open("java", "class B {\n    /**\n     * |\n     */\n    int a;\n}\n" + broken);
  EXPECT_TRUE(Fits(in_a_class, "of it")) << Judged(in_a_class);
  // The tree is one error, and the comment is a comment all the same.
  const auto in_an_error = Open("java", "}}) (\n/*\n * |\n */\nint a;\n" + broken + "((\n");
  EXPECT_TRUE(Fits(in_an_error, "of it")) << Judged(in_an_error);
}

// `/*` would swallow the broken statement and the rest of the file: SQLite takes a comment without
// an end. tenon writes none, so the region ends before that statement.
TEST_F(RegionGapsTest, AreThoseThatATextOfItsOwnCloses) {
  const auto found = Open("sql", "select 1;\n\nselect f(2, |);\n\ncreate table t (\n");
  ASSERT_TRUE(found);
  EXPECT_LE(found->region.end, std::string("select 1;\n\nselect f(2, );\n\n").size());
  EXPECT_TRUE(found->gap.Close());
}

TEST_F(RegionGapsTest, EndBehindTheStatementThatTheCursorIsIn) {
  const auto found = Open("go",
                          "package p\n\nvar s = `half\n\nfunc f() {\n\tg(\n\t\t|,\n\t)\n}\n\n"
                          "func h( {\n");
  EXPECT_TRUE(Fits(found, "1")) << Judged(found);
}

TEST_F(RegionGapsTest, KeepTheRegionWhileTheUserTypesInIt) {
  const std::string head = "def f(:\n    pass\n\n", tail = "\n\ndef h(:\n    pass\n";
  const auto first = Open("python", head + "def g(x):\n    |" + tail);
  const auto second = Open("python", head + "def g(x):\n    return x[|" + tail);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->region.begin, second->region.begin);
  EXPECT_EQ(first->region.end + std::string("return x[").size(), second->region.end);
  EXPECT_TRUE(Fits(second, "0]"));
  // Text that is repaired elsewhere has another region.
  const auto third = Open("python", "def f():\n    pass\n\ndef g(x):\n    return x[|" + tail);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->region.begin, 0u);
}

TEST_F(RegionGapsTest, WriteLineEndsAsTheFileHasThem) {
  const auto found =
      Open("python",
           "x = (1,\r\n\r\nclass A:\r\n    def f(self):\r\n        y = (\r\n        z = |\r\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->region.before.find("\n"), found->region.before.find("\r\n") + 1)
      << Judged(found);
  EXPECT_TRUE(Fits(found, "1"));
}

TEST_F(RegionGapsTest, AreNoneWhereTheStatementItselfIsBroken) {
  EXPECT_FALSE(Open("python", "x = ) + |\n"));
}

TEST_F(RegionGapsTest, AreLookedForInTheOuterConstructsOfDeepText) {
  const std::string open(1000, '['), close(1000, ']');
  EXPECT_TRUE(Fits(Open("json", "[1 2, " + open + "|" + close + "]"), "3"));
  EXPECT_FALSE(Open("json", open + "1 2, |, 3 4" + close));
}

TEST_F(RegionGapsTest, StopWhenAsked) {
  std::stop_source stop;
  const std::string text = "def f(:\n    pass\n\nx = \n";
  const auto open = [&] {
    RegionGaps gaps(*languages_->Get("python"), *syntaxes_->Get("python"));
    return gaps.Open(text, text.size() - 1, {}, stop.get_token());
  };
  EXPECT_TRUE(open());
  stop.request_stop();
  EXPECT_FALSE(open());
}

}  // namespace
}  // namespace tenon::server
