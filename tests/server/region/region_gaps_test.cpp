// Regions of broken files in the shipped languages: where they are, and what may be written there.
#include "server/region/region_gaps.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "server/region/file_behind.h"
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

  using Middles = std::vector<std::string_view>;
  // Which middles close the gap at the '|' of the text, and which do not.
  void Expect(const std::string& id, const std::string& text, const Middles& fit,
              const Middles& unfit = {}) {
    gaps_.reset();  // keeps no region of another text
    const auto found = Open(id, text);
    for (const std::string_view middle : fit)
      EXPECT_TRUE(Fits(found, middle)) << middle << "\nin " << Judged(found);
    EXPECT_TRUE(found) << "no region of " << text;
    for (const std::string_view middle : unfit)
      EXPECT_FALSE(Fits(found, middle)) << middle << "\nin " << Judged(found);
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
  Expect("python",
         "class A:\n"
         "    async def f(self):\n"
         "        x = [1, 2\n"
         "        for i in self:\n"
         "            |\n"
         "            y = (\n",
         {"break", "await g()", "return"});
}

TEST_F(RegionGapsTest, OfferNoBreakWhereNoLoopIsAround) {
  Expect("python", "x = (1,\n\ndef f():\n    if a:\n        |\n", {"return"}, {"break"});
}

TEST_F(RegionGapsTest, FindTheHeadOfAnElse) {
  Expect("python",
         "s = 'abc\nx = (1,\n"
         "def f(a):\n"
         "    y = [\n"
         "    if a:\n"
         "        b()\n"
         "    else:\n"
         "        c(|\n",
         {"1)"});
}

TEST_F(RegionGapsTest, DoWithoutAHeadThatIsBrokenItself) {
  Expect("python",
         "def f(a):\n"
         "    if g(a:\n"
         "        return\n"
         "    else:\n"
         "        return |\n",
         {"1", "(1, 2)"});
}

TEST_F(RegionGapsTest, DoWithoutAHeadThatLacksABracket) {
  Expect("python", "class A:\n    def f(a:\n        b()\n        return |\n", {"c"});
}

TEST_F(RegionGapsTest, FillTheUnitsOfAListThatAreLeftOut) {
  Expect("json", R"({"a": [1, 2 3], "b": [4, |, 5], "c": [})", {"6"}, {"6,", ""});
}

// The file is cut off below, so that its tree is one error.
TEST_F(RegionGapsTest, NeedACommaBeforeTheNextItemOfAListThatIsCutOff) {
  Expect("json", "{\n  |\n  \"b\": 1,\n  \"c\": [\n", {"\"a\": 0,"}, {"\"a\": 0"});
}

TEST_F(RegionGapsTest, CloseTheBracketWhoseContentEndsAtTheCursor) {
  Expect("json", "{\n  \"f\": [\n    \"a\",\n    |\n  \"b\": 1,\n  \"c\": {},\n  \"d\": [\n",
         {"0],"}, {"0"});
  Expect("go", "package p\n\nfunc f() {\n\tx := g(\n\t\ta,\n\t\t|\n\ty := 2\n}\n\nfunc h( {\n",
         {"b)"}, {"b,"});
}

// A stand-in for the bracket of `"a": {` would be closed, and another bracket opened for it.
TEST_F(RegionGapsTest, CloseAndReopenNoStandIn) {
  Expect("json", "{\n  \"a\": {\n    \"t\": 1,\n    |\n  \"b\": 2,\n  \"c\": [1 2]\n}\n",
         {"\"u\": 2},"}, {"\"u\": 2", "\"u\": 2},\n  \"v\": {"});
}

// Text and middle, and whether a bracket of the middle would be closed by a stand-in.
TEST(Region, TellsWhichMiddlesLeaveBracketsToStandIns) {
  const std::string text = "{\n  \"a\": 1\n  \"b\": 2\n";
  const size_t cursor = text.find("\n  \"b\"");
  const Region region{0, text.size(), "", "}"};
  const auto leaves = [&](std::string_view middle) {
    return MovesBrackets(region, text, cursor, middle);
  };
  EXPECT_TRUE(leaves("}, {"));
  EXPECT_TRUE(leaves("], [[1],"));
  EXPECT_FALSE(leaves(","));
  EXPECT_FALSE(leaves(", \"c\": {\"d\": [1]},"));
  EXPECT_FALSE(leaves(", \"c\": \"{\","));
  // The line that closes what the gap opens is the file's own.
  const Region inside{0, text.size(), "", "}}", 1};
  EXPECT_FALSE(MovesBrackets(inside, text, cursor, ", \"c\": {"));
  EXPECT_TRUE(MovesBrackets(inside, text, cursor, "}, {\"c\": {"));
}

TEST(Region, ReadsAMiddleThatBeginsInAString) {
  const std::string text = "a = f({\n  b: \"\",\n  c: 1\n";
  const size_t cursor = text.find("\",");
  const Region region{0, text.size(), "", "})"};
  EXPECT_TRUE(MovesBrackets(region, text, cursor, "\"}); g({d: \""));
  EXPECT_FALSE(MovesBrackets(region, text, cursor, "}); g({"));
}

TEST(Region, TakesNoBracketFromTheStandInsBeforeIt) {
  const std::string text = "  1: 2,\n\n  3: 4\n}\n";
  const size_t cursor = text.find("\n  3");
  const Region region{0, text.size(), "{0: 0,", ""};
  EXPECT_TRUE(MovesBrackets(region, text, cursor, "}\n{"));
  EXPECT_FALSE(MovesBrackets(region, text, cursor, "5: {6: 7},"));
}

TEST(Region, MovesNoElement) {
  const std::string text = "  <b/>\n\n  <c/>\n";
  const size_t cursor = text.find("\n  <c");
  const Region region{0, text.size(), "a = <a>", "</a>"};
  EXPECT_TRUE(MovesBrackets(region, text, cursor, "</a>;"));
  EXPECT_TRUE(MovesBrackets(region, text, cursor, "<d>"));
  EXPECT_FALSE(MovesBrackets(region, text, cursor, "<d></d>"));
}

// The brace that closes `f` is that of a block, which the gap opens behind `)`.
TEST_F(RegionGapsTest, CloseTheHeadWhoseLineOfTheEndClosesAnotherBracket) {
  Expect("typescript", "const f = (\n  a: b,\n  |\n  g(a);\n};\nclass {\n", {") => {"}, {"c"});
  EXPECT_FALSE(
      Open("typescriptreact",
           "const f = (\n  a: b,\n  c: d\n|\n  const e = g(a);\n  (a) {\n  return e;\n};\n"));
}

// With a set's stand-in `0` the gap would be that of `**0`.
TEST_F(RegionGapsTest, ReadOnBehindTheRegion) {
  Expect("python", "a = {\n    1: 2,\n    |\n    5: 6,\n    class\n    7: 8,\n}\n", {"3: 4,"},
         {"**"});
  Expect("python", "a = {\n    1: f(2,\n    3: 4,\n    |\n    5: 6,\n}\n", {"7: 8,"});
}

// In the file the middle goes on with `foreign`, in the region with a stand-in.
TEST_F(RegionGapsTest, TakeNoMiddleThatStopsTheFileBehindTheRegion) {
  const auto found = Open("sql",
                          "create table a (\n  b int,\n  |\n  foreign key (b) references c()\n"
                          ");\n");
  ASSERT_TRUE(found);
  EXPECT_GT(found->region.read_on_bytes, 0u);
  const auto fits = [&](std::string_view middle) {
    return FitsFile(*languages_->Get("sql"), found->region, text_, text_.find("\n  foreign"),
                    middle);
  };
  EXPECT_TRUE(Fits(found, "\"d\"")) << Judged(found);
  EXPECT_FALSE(fits("\"d\""));
  EXPECT_TRUE(fits("\"d\","));
}

TEST_F(RegionGapsTest, EndNoFileThatGoesOn) {
  EXPECT_FALSE(
      Fits(Open("json", "[\n[\"a\", 1],\n|\n[\"c\", 3],\n[\"d\", 4,\n[\"e\", 5]\n]\n"), "0]"));
}

TEST_F(RegionGapsTest, AreFoundInTheListsOfStatements) {
  Expect("sql", "update a\nset b = json_set(\n  c,\n  |\n  'd', f(1)\n)\nwhere = = ;\n", {"e,"},
         {"e);"});
  Expect("sql", "insert into a (\n  b,\n  |\n  c\n) values (\n  1,,\n  2\n);\n", {"d,"}, {"1,"});
  Expect("sql", "select\n  a,\n  |\n  b,\n  c,\n  where\n  d\nfrom e;\n", {"d,"},
         {"d from e where"});
}

TEST_F(RegionGapsTest, AreFoundInPatterns) {
  Expect("javascript",
         "const f = a => {\n  const {\n    b,\n<<<<<<< HEAD\n=======\n>>>>>>> b\n    c,\n    |\n"
         "    d,\n  } = a;\n};\n",
         {"e,", "e = 1,"}, {"e();"});
}

// The heads of elements have no brackets; their skeleton is closed by tags.
TEST_F(RegionGapsTest, AreFoundInElementsOfBrokenOnes) {
  for (const char* id : {"javascriptreact", "typescriptreact"}) {
    Expect(id,
           "const f = g({\n  h: (<G>\n    <P d=\"M1\"/>\n    |\n    <P d=\"M3\"/>\n"
           "    <P d={{M4\"/>\n    <P d=\"M5\"/>\n  </G>)\n});\n",
           {"<b/>", "b {c}"}, {"{h: 0},", "</G>"});
    Expect(id,
           "function f() {\n  return (<a>\n      <b c=={\n      <b d=\"1\" |\n        <c/>\n"
           "      </b>\n    </a>);\n}\n",
           {">"}, {"/>"});
  }
}

// The file's end closes neither the switch nor the function: the gap has to close none of them.
TEST_F(RegionGapsTest, AreClosedWhereTheFileIsCutOffInAllConstructs) {
  Expect("go",
         "package p\n\nfunc f() {\n\tswitch a {\n\tcase 1:\n\t\tb()\n\t|\n\t\tc()\n\n"
         "\tcase 3:\n\t\td()\n\tcase 4:\n",
         {"case 2:"}, {"}"});
}

// No estimate of its bytes is known.
TEST_F(RegionGapsTest, AreFoundWhereAClosingTagEndsThem) {
  Expect("javascriptreact",
         "function f() {\n  return (<Foo>\n    {a}\n  </Fo|\n}\nconst b = {\n  (c(\n  d: 0,\n};\n",
         {"o>);"}, {");"});
}

// `({` before the cursor and `}: T) {` below: a stand-in for `)` alone would leave `}` to the gap.
TEST_F(RegionGapsTest, CloseTheInnermostBracketOfAHead) {
  const auto found = Open("typescript",
                          "export function f({\n  a,\n  |\n}: T) {\n  const b = c;\n  ]\n"
                          "  d();\n}\n");
  EXPECT_FALSE(Fits(found, "}")) << Judged(found);
}

// The next line goes on with what the comma began.
TEST_F(RegionGapsTest, DoNotEndBehindACommaThatNoListHas) {
  const auto found = Open("go",
                          "package p\n\nfunc f() {\n\tg(func() {\n\t\tswitch a := a.(type) {\n"
                          "\t\tcase *b,\n\t\t\t|T,\n\t\t\t*c:\n\t\t\treturn\n\n\t\tcase *d:\n"
                          "\t\t\tif e {\n");
  EXPECT_FALSE(Fits(found, "a:}},a{")) << Judged(found);
}

TEST_F(RegionGapsTest, NeedACommaBeforeAnItemWhoseListIsNotClosed) {
  Expect("json", "{\n\t\"a\": \"b\",\n\t\"c\":|\n\t\"d: {\n\t\t\"e\": 1\n\t},\n\t\"f\": 2\n}\n",
         {" 0,"}, {" 0"});
}

// The deeper lines below belong to a function whose head is missing.
TEST_F(RegionGapsTest, OpenTheConstructOfDeeperLinesBelow) {
  const auto found = Open("go",
                          "package p\n\nfunc f() {\n\ta()\n}\n\n|\n\tb(1)\n\tc(2)\n\t(\"d\")\n"
                          "\te f\n}\n\nfunc g() {\n}\n");
  EXPECT_FALSE(Fits(found, "h(1)")) << Judged(found);
}

// What is broken is in the bracket that the gap opens, below the cursor.
TEST_F(RegionGapsTest, EndInTheBracketThatTheGapOpens) {
  Expect("javascript",
         "function f(a) {\n  return a.map(|\n    g();\n    h = [1, 2\n    i();\n  });\n}\n",
         {"function () {", "() => {"}, {"1", "b)"});
  Expect("json", "{\n  \"a\": 1,\n  \"b|\n    \"c\": [1 2],\n    \"d\": 3\n  },\n  \"e\": 4\n}\n",
         {"\": {", "\": {\"x\": 0,"}, {"\": 1,", "\": {\"x\": 0", "\": ["});
}

// tree-sitter takes `"b` and the beginning of the next line for a string.
TEST_F(RegionGapsTest, DoNotTakeTwoLinesForAStringThatHasOne) {
  Expect("json",
         "{\n  \"b|\n    \"c\": {\n<<<<<<< HEAD\n=======\n>>>>>>> d\n      \"e\": 1\n    },\n"
         "    \"f\": {}\n  },\n  \"g\": {\n    \"h\": 2\n  }\n}\n",
         {"\": {"}, {"\": 0,"});
}

TEST_F(RegionGapsTest, DoNotEndInBracketsOfWhichTheGapOpensSeveral) {
  const auto found = Open(
      "json",
      "{\n  |\n      \"c\": [1 2],\n      \"d\": 3\n    },\n    \"e\": 4\n  },\n  \"f\": 5\n}\n");
  EXPECT_FALSE(Fits(found, "\"a\": {")) << Judged(found);
}

TEST_F(RegionGapsTest, DoNotBeginInsideABracketThatNothingStandsInFor) {
  const auto found = Open("json",
                          "{\n  \"a\": {\n<<<<<<< HEAD\n=======\n>>>>>>> b\n    \"t\": 1,\n    |\n"
                          "  \"s\": {\n    \"u\": 2\n  },\n  \"d\": {\n    \"v\": 3\n  }\n}\n");
  EXPECT_FALSE(Fits(found, "{")) << Judged(found);
}

// `type G = {` was half typed; the text would close the stand-in's bracket, and it the other one.
TEST_F(RegionGapsTest, CloseNoStandInForAHalfTypedBracket) {
  Expect("typescript",
         "export type G<a> = I<a> extends true\n  ? c extends true\n    ? {\n        a: I|\n"
         "          ? S\n          : b | S\n      type A = {\n      }\n    : { a?: b | S }\n"
         "  : { a?: b | S }\n",
         {" extends J"}, {";};a"});
}

TEST_F(RegionGapsTest, DoNotBeginBetweenTypeParameters) {
  Expect("typescript",
         "export type B<\n  C extends boolean = boolean,\n  |\n  D,\n  E,\n> &\n  F\n\n"
         "export type G<\n  H,\n = I<\n  H\n>\n",
         {"> = J<"}, {" `a`"});
}

// What stands in for the text around a region in Python has lines of its true indentation.
TEST_F(RegionGapsTest, KeepTheIndentationOfTheLinesThatAreLeftOut) {
  Expect("python", "def f():\n    x = ]\n    |\n    return y((\n", {"y = 1"}, {" y = 1"});
  Expect("python", "def f():\n    if a:\n        b()\n        |\n        c((\n", {"d()"},
         {"d()\ne()"});
  Expect("python", "class C:\n    def f(self):\n        |\n\n    def g(self:\n        pass\n",
         {"d()\n    e()"}, {"d()\ne()"});
  Expect("python", "match a:\n    case 1:\n        |\n    case 2:\n        b((\n", {"c()"});
}

TEST_F(RegionGapsTest, DoNotDeclareBeforeThePackageClause) {
  Expect("go", "// a|\n<<<<<<< HEAD\n// b\n\npackage p\n\nvar b int\n", {"b"}, {"\nvar s = 1"});
}

// `); b: T,` would be members of the interface, and `): void;` an end too many.
TEST_F(RegionGapsTest, DoNotEndBeforeTheBracketThatTheGapOpens) {
  Expect("typescript",
         "interface A {\n  p(\n    a: T,\n  |\n    b: T,\n  ): void;\n  q(\n    c: T,\n",
         {"): void;\n  r("}, {");"});
}

TEST_F(RegionGapsTest, DoNotEndInsideAStringOfSeveralLines) {
  const auto found = Open("python",
                          "class A(B):\n    \"\"\"One.\n        |\n    \"\"\"\n            c=1,\n"
                          "        )\n        d = None,\n");
  EXPECT_FALSE(Fits(found, "\"\"\"")) << Judged(found);
}

// Read from within the first docstring, the code of `inspect` would be a string.
TEST_F(RegionGapsTest, DoNotBeginInsideAStringOfSeveralLines) {
  Expect("python",
         "def f():\n    doc = \"\"\"half\n    return 1\n\n\ndef g():\n    \"\"\"One.\n\n    Two.\n"
         "    \"\"\"\n    h(\n        a,\n    )\n\n\ndef inspect(\n    |\n    b=1,\n):\n"
         "    \"\"\"Three.\n\n    Four.\n    \"\"\"\n    return b\n",
         {"a,"}, {"\"\"\"\ndef x("});
}

// Behind `\\` a string of one line may go on in the next.
TEST_F(RegionGapsTest, BeginBeforeAStringWhoseEscapeIsCut) {
  Expect("python", "x = ]\n\n\ndef f():\n    a('\\033')\n    a('\\|[104m')\n    a('b')\n", {"033"});
}

TEST_F(RegionGapsTest, StayInACommentWithoutAnEnd) {
  Expect("java", "class A {\n  int a;\n\n  /*\n   * One |\n   * three\n", {"two", ""},
         {"*/", "*/ int b;"});
  Expect("typescript", "f(a);\n\n/**\n * |\n * @b c - D {@link e}\n", {"two"}, {"*/", "*/;"});
}

TEST_F(RegionGapsTest, OpenTheBracketThatALineBelowTheCursorCloses) {
  Expect("json", "{\n  \"a\": 1,\n  |\n    \"b\": 2\n  },\n  \"c\": 3,\n  \"d\": [4 5]\n}\n",
         {"\"e\": {"}, {"\"e\": 0,"});
}

TEST_F(RegionGapsTest, JoinTheRestOfAString) {
  const std::string text = "{\n  \"a\": 1,\n  \"b|0.2\",\n  \"c\": [1 2]\n}\n";
  Expect("json", text, {"\": \"^"}, {"\": 1"});
  EXPECT_EQ(Open("json", text)->seam, Seam::kLine);
}

// Behind the comma of an item that is left out another item has to come.
TEST_F(RegionGapsTest, BeginBehindACommaWithAnItem) {
  Expect("json", "{\n  \"a\": {\n    \"b\": 1,\n    |\n  },\n  \"c\": [1 2]\n}\n", {"\"d\": 2"},
         {"", "},\n  \"d\": {"});
}

// The file is cut off: no line closes the bracket around the cursor.
TEST_F(RegionGapsTest, EndInABracketOfAFileThatIsCutOff) {
  Expect("json", "{\n  \"a\": {\n    \"b\": 1,\n    \"c|: 2\n", {"\""});
  Expect("json", "{\n  \"a\": {\n    \"b\": 1,\n    |\n    },\n    \"c\": 2,\n    \"d\": {\n",
         {"\"e\": {"}, {"\"e\": 0", "\"e\": 0}, \"f\": {}"});
}

TEST_F(RegionGapsTest, SqlHasThemInTheColumnsOfATable) {
  Expect("sql",
         "select 1;\n\ncreate table t (\n  a int,\n  |\n  b text not null,\n"
         "  c text not null,\n<<<<<<< HEAD\n=======\n>>>>>>> b\n  d int\n);\n",
         {"e int,"}, {"e int);"});
}

TEST_F(RegionGapsTest, SqlEndsAStatementBeforeTheNext) {
  Expect("sql", "select 1;\n\n-- one |\nselect f(2 from;\n\nselect 3;\n", {"two", "two\nselect 4;"},
         {"two\nselect 4"});
}

TEST_F(RegionGapsTest, SqlEndsNoRegionWithinAStatement) {
  const auto found = Open("sql",
                          "-- one\nselect\n    |\nleft join b using (c)\ninner join d using (e);\n"
                          "insert into t values (1,\n\nselect 2;\n");
  EXPECT_FALSE(Fits(found, "*")) << Judged(found);
  EXPECT_FALSE(Fits(found, "*;")) << Judged(found);
}

// A comment without an end may swallow the rest of a file; tenon writes none.
TEST_F(RegionGapsTest, SqlClosesAGapAtTheEndOfAStatement) {
  Expect("sql", "drop table a|\n\n/* b */\nselect 1;\n\nselect f( from;\n\nselect 2;\n",
         {";", "b;"}, {"", "/*"});
}

TEST_F(RegionGapsTest, JsxAndTsxHaveThemInElements) {
  const std::string broken = "function f( {\n}\n\n";
  for (const char* id : {"javascriptreact", "typescriptreact"}) {
    const std::string head = "function G() {\n  return (\n    <ul>\n";
    // Children, with a broken one before and another behind.
    const auto children =
        Open(id, head +
                     "      <li a=>{b}</li>\n      <li>c</li>\n      |\n      <li>{d e}</li>\n"
                     "    </ul>\n  );\n}\n");
    EXPECT_TRUE(Fits(children, "<li>{h}</li>")) << id << Judged(children);
    EXPECT_FALSE(Fits(children, "<li>")) << id << Judged(children);
    EXPECT_FALSE(Fits(children, "</ul>")) << id << Judged(children);
    const auto attributes =
        Open(id, head +
                     "      <li\n        a={b c}\n        d=\"e\"\n        |\n        g={h}\n"
                     "      >\n        i\n      </li>\n    </ul>\n  );\n}\n");
    EXPECT_TRUE(Fits(attributes, "j={k}")) << id << Judged(attributes);
    EXPECT_FALSE(Fits(attributes, ">")) << id << Judged(attributes);
    const auto handler =
        Open(id, head +
                     "      <br\n        a={() => {\n          b c;\n          d();\n"
                     "          |\n        }}\n      />\n    </ul>\n  );\n}\n");
    EXPECT_TRUE(Fits(handler, "return e;")) << id << Judged(handler);
    EXPECT_FALSE(Fits(handler, "break;")) << id << Judged(handler);
    EXPECT_TRUE(Fits(Open(id, broken + head + "      {|}\n    </ul>\n  );\n}\n"), "a")) << id;
  }
}

TEST_F(RegionGapsTest, GoHasRegionsInFunctionsTypesAndLiterals) {
  const std::string broken = "package p\n\nfunc f( {\n}\n\n";
  EXPECT_TRUE(Fits(Open("go", broken + "func g() int {\n\tfor {\n\t\t|\n\t}\n}\n"), "break"));
  EXPECT_TRUE(Fits(Open("go", broken + "type t struct {\n\ta int\n\t|\n}\n"), "b string"));
  EXPECT_TRUE(Fits(Open("go", broken + "var x = []int{1, |}\n\nfunc (\n"), "2"));
  const auto in_function = Open("go", broken + "func g() {\n\t|\n}\n\nfunc h( {\n");
  EXPECT_TRUE(Fits(in_function, "return")) << Judged(in_function);
}

TEST_F(RegionGapsTest, KnowHeadsOfSeveralLines) {
  Expect("java",
         "class A extends B\n    implements C {\n  A() }\n\n  void m(int a,\n      int b) {\n"
         "    return |\n  }\n}\n",
         {";"}, {"; } }"});
  Expect("java", "class A\n    extends B\n{\n  A() }\n\n  void m()\n  {\n    f(|\n  }\n}\n",
         {");"});
  Expect("python", "x = (1\n\nclass A:\n    def f(self,\n          a):\n        |\n", {"return"});
}

TEST_F(RegionGapsTest, DoNotEndBetweenAHeadAndItsBrace) {
  Expect("java", "class A\n    extends |\n{\n  void f() {\n  }\n", {"B"}, {"B {}"});
}

TEST_F(RegionGapsTest, DoNotBeginBehindAnAnnotation) {
  Expect(
      "java",
      "class A {\n  void f() }\n\n  @Override\n  |\n    return 1;\n  }\n\n  void g() {\n  }\n}\n",
      {"int h() {"}, {"{"});
}

// The bracket of `g` must be closed by the gap: that of `h` belongs to another statement.
TEST_F(RegionGapsTest, DoNotCloseAListByTheBracketOfAnotherStatement) {
  Expect("java",
         "class A {\n  A(int a,   // b\n    |\n    c = d;\n  }\n\n  void h(int e) {\n"
         "    f(1, );\n  }\n}\n",
         {"int b) {"}, {"int b"});
}

TEST_F(RegionGapsTest, CloseTheBracesBetweenTheCursorAndTheEnd) {
  Expect("java",
         "class A {\n  A(int a,\n    int b|e) {\n    super(a);\n    f = a;\n  }\n\n  void g() {\n",
         {"", "c, int d"}, {"){}}record a(a "});
}

TEST_F(RegionGapsTest, BeginBeforeAStringOrCommentThatTheLineOpens) {
  Expect("sql", "select 1 from where;\n\nselect 'a |b', 2;\n", {"c"});
  Expect("sql", "select 1 from where;\n\n/* a |b */\nselect 2;\n", {"c"});
  Expect("typescript", "type A<B>  C;\n/** a's |b. */\nlet c = 1;\n", {"d"}, {"*/ }"});
}

// The stand-in behind the region is no statement that another one may end with.
TEST_F(RegionGapsTest, SqlEndsNoColumnInItsMiddle) {
  const auto found = Open("sql",
                          "create table a (\n  b text not null,\n  c    |references d (e),\n"
                          "  f    text references d (e),\n  g text,\n");
  EXPECT_FALSE(Fits(found, "h")) << Judged(found);
}

TEST_F(RegionGapsTest, SqlEndsNoStatementWithAStandIn) {
  Expect("sql", "select 1;\n|\nselect from where;\n", {"select 2;"},
         {"insert into a", "create view a as", "with a as (select 1)"});
  Expect("sql", "create table a (\n  b int,\n  |\n  c int check ('),\n  d int\n);\n", {"e int,"},
         {"e as (1)"});
  const auto found = Open("sql", "select a,\n    b\n|\nleft join c;\n\nselect from where;\n");
  EXPECT_FALSE(Fits(found, "with a as (select 1)")) << Judged(found);
}

TEST_F(RegionGapsTest, CloseWhatAFileThatIsCutOffLeavesOpen) {
  Expect("javascript", "f(|);\n\ng(() => {\n  h();\n", {"1"}, {"1)"});
}

// What a line stands in for depends on the construct around: `int a = f(…);` is no argument.
TEST_F(RegionGapsTest, JavaHasThemInArguments) {
  const std::string head = "class A {\n  void m() {\n    f(1 2, ", tail = ");\n  }\n}\n";
  Expect("java", head + "() -> {\n      int x = |;\n    }" + tail, {"1"}, {"1)"});
  Expect("java", head + "new B() {\n      int x = |;\n    }" + tail, {"1"});
  Expect("java", head + "g(3, |)" + tail, {"4", "4, 5"}, {"4)"});
  Expect("java", head + "new int[] {3, |}" + tail, {"4"});
  Expect("java", "class A {\n  int[][] a = {{1}, {1 2, |}};\n}\n", {"3"});
}

TEST_F(RegionGapsTest, JavaHasThemInEnumsAndSwitches) {
  Expect("java", "enum E {\n  A(1 2), B(3, |);\n}\n", {"4"});
  Expect("java", "enum E {\n  A(1 2), B;\n  int x = |;\n}\n", {"1"});
  Expect("java",
         "class A {\n  void m() {\n    switch (a) {\n      case 1 -> b(2 3);\n"
         "      case 2 -> {\n        int c = |;\n      }\n    }\n  }\n}\n",
         {"1"});
}

TEST_F(RegionGapsTest, JavaScriptHasThemInObjectsAndClasses) {
  const std::string head = "a = {\n  b: 1 2,\n  ", tail = "\n};\n";
  Expect("javascript", head + "m() {\n    return |;\n  }," + tail, {"1"}, {"await b"});
  Expect("javascript", head + "async m() {\n    return |;\n  }," + tail, {"await b"});
  Expect("javascript", head + "*m() {\n    return |;\n  }," + tail, {"yield 1"});
  Expect("javascript", head + "...f(3 4, |, 5)," + tail, {"6"});
  Expect("javascript", head + "m(c d, |) {}," + tail, {"e"});
  Expect("javascript", "class A {\n  b = 1 2;\n  static {\n    c = |;\n  }\n}\n", {"1"});
  Expect("javascript", "class A {\n  b = f(1 2, |, 3);\n}\n", {"4"});
  Expect("javascript", "class A {\n  m(b c, |) {}\n}\n", {"d"});
  Expect("javascript", "import { a b, | } from 'c';\n", {"d"});
  Expect("javascript", "export { a b, | } from 'c';\n", {"d", "default as d"});
  // A list without `from` asks for names that are declared; a region does not show them.
  Expect("javascript", "let d;\nexport { a b, | };\n", {}, {"d"});
}

TEST_F(RegionGapsTest, TypeScriptHasThemInTypes) {
  Expect("typescript", "abstract class A {\n  b = 1 2;\n  abstract f(): |;\n}\n", {"void"});
  Expect("typescript", "class A {\n  a: { b: c d; e: | };\n}\n", {"f"});
  Expect("typescript", "interface A {\n  m(a b, c: |): void\n}\n", {"d"});
}

TEST_F(RegionGapsTest, GoHasThemInVariables) {
  Expect("go", "package p\n\nvar a = []int{1 2, 3, |}\n", {"4"});
  Expect("go", "package p\n\nvar a = f(1 2, |)\n", {"3"});
  Expect("go", "package p\n\nvar a = func() {\n\tb(1 2)\n\tc(|)\n}\n", {"3"});
  Expect("go", "package p\n\nvar (\n\ta = f(1 2, |)\n\tb = 3\n)\n", {"3"});
  Expect("go", "package p\n\ntype T struct {\n\ta struct {\n\t\tb int int\n\t\tc |\n\t}\n}\n",
         {"int"});
}

TEST_F(RegionGapsTest, PythonHasThemInCases) {
  Expect("python", "match a:\n    case 1:\n        b(1 2)\n        c = |\n", {"3"});
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

// Below the half-typed `switch` the gap closes its bracket; above it the gap must not.
TEST_F(RegionGapsTest, AskTheRulesAnewWhereTheCursorHasMoved) {
  const std::string head = "let x = (\n\nfunction g() {\n  a();\n";
  const auto below = Open("javascript", head + "  \n  switch (a) {\n    |\n  b();\n}\n");
  EXPECT_TRUE(Fits(below, "}")) << Judged(below);
  const auto above = Open("javascript", head + "  |\n  switch (a) {\n    \n  b();\n}\n");
  EXPECT_TRUE(Fits(above, "c();")) << Judged(above);
  EXPECT_FALSE(Fits(above, "}")) << Judged(above);
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
