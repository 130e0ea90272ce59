#include "server/complete/missing_sign.h"

#include <filesystem>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/complete/completion_task.h"
#include "server/complete/element_above.h"
#include "server/languages/language_registry.h"
#include "server/syntax/syntax_registry.h"
#include "tests/server/cursor_request.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class MissingSignTest : public testing::Test {
 protected:
  // The text with the sign in brackets; as it is where none is missing. The cursor is `|`.
  std::string Find(const std::string& language_id, const std::string& with_cursor) {
    CompletionRequest request = RequestAt(with_cursor, language_id);
    request.adds_missing_sign = true;
    const auto sign = tasks_.FindMissingSign(request, {});
    std::string text = with_cursor;
    return sign ? text.insert(sign->offset_bytes, "[" + sign->text + "]") : text;
  }
  // `with_sign`: the text with the sign that is found, in brackets.
  void ExpectSign(const std::string& language_id, const std::string& with_sign,
                  const std::string& why = "") {
    const std::string text = std::regex_replace(with_sign, std::regex(R"(\[[,;)]+\])"), "");
    EXPECT_NE(text, with_sign) << "no sign is in brackets";
    EXPECT_EQ(Find(language_id, text), with_sign) << why;
  }
  void ExpectNone(const std::string& language_id, const std::string& with_cursor,
                  const std::string& why = "") {
    EXPECT_EQ(Find(language_id, with_cursor), with_cursor) << why;
  }

  std::shared_ptr<const LanguageRegistry> languages_ =
      *LanguageRegistry::Load(SourcePath("grammars"));
  TaskMaker tasks_{[](std::string_view text) { return static_cast<uint32_t>(text.size()); },
                   languages_,
                   std::make_shared<SyntaxRegistry>(
                       languages_, std::vector<std::filesystem::path>{SyntaxesFolder()})};
};

TEST_F(MissingSignTest, IsTheCommaOfAnElement) {
  ExpectSign("json", "{\n  \"a\": 1[,]\n  |\n}\n");
  ExpectSign("json", "[\n  1[,]\n  |\n  2\n]\n");
  ExpectSign("python", "f(\n    a,\n    b=1[,]\n    |\n)\n");
  ExpectSign("typescript", "enum A {\n  B = 1[,]\n  |\n}\n");
  ExpectSign("java", "enum A {\n    B[,]\n    |\n}\n");
  ExpectSign("go", "package p\nvar a = []int{\n\t1[,]\n\t|\n}\n");
  ExpectSign("sql", "CREATE TABLE t (\n  a TEXT NOT NULL[,]\n  |\n);\n");
}

TEST_F(MissingSignTest, IsTheCommaOfAnElementThatBeginsWithABracket) {
  ExpectSign("sql", "INSERT INTO t VALUES\n  (1)[,]\n  |\n;\n");
}

TEST_F(MissingSignTest, ComesAfterTheLastLineOfAnElement) {
  ExpectSign("javascript", "a = {\n  b: {\n    c: 1\n  }[,]\n  |\n};\n");
}

TEST_F(MissingSignTest, ComesBeforeAComment) {
  ExpectSign("javascript", "a = [\n  1, // one\n  2[,] // two\n  |\n];\n");
  ExpectSign("javascript", "a = [\n  'b//c'[,]\n  |\n];\n", "no comment");
}

TEST_F(MissingSignTest, IsTheSemicolonOfAStatement) {
  ExpectSign("java", "class A {\n  void f() {\n    a = b[;]\n    |\n    c();\n  }\n}\n");
  ExpectSign("java", "class A {\n  int a[;]\n  |\n\n  int b;\n}\n");
  ExpectNone("javascript", "a = b\n|\nc()\n", "none has to be there");
}

TEST_F(MissingSignTest, IsTheBracketOfTheElementAlone) {
  ExpectSign("go", "package p\nfunc f() {\n\tg(a[)]\n\t|\n}\n");
  ExpectSign("java", "class A {\n  void f() {\n    g(a[);]\n    |\n    h();\n  }\n}\n");
  ExpectSign("go", "package p\nfunc f() {\n\tg(\"http://a\", h(x[))]\n\t|\n}\n", "no comment");
  ExpectSign("go", "package p\nfunc f() {\n\tg(a[)] // a (b\n\t|\n}\n", "a comment");
  ExpectNone("javascript", "function f() {\n  g(a,\n    b\n    |\n  h();\n}\n",
             "another argument may come");
}

TEST_F(MissingSignTest, IsNotThereWhereALineGoesOn) {
  ExpectNone("java", "class A {\n  int f() {\n    return a\n      .b()\n      |\n  }\n}\n");
  ExpectNone("java", "class A {\n  int a = b\n    + c\n    |\n  ;\n}\n");
  ExpectNone("java", "class A {\n  int a = b\n      |\n  ;\n}\n", "deeper");
  ExpectNone("sql", "SELECT a\nFROM t\nWHERE a = 1\n  AND b = 2\n  |\nORDER BY c;\n");
  ExpectNone("typescript", "type A =\n  | 'b'\n  | 'c'\n  \n\nf();\n");
}

TEST_F(MissingSignTest, IsNotThereBetweenStringsThatBelongTogether) {
  ExpectNone("python", "a = (\n    \"b\"\n    \"c\"\n    |\n    \"d\"\n)\n");
  ExpectSign("python", "a = [\n    \"b\",\n    \"c\"[,]\n    |\n    \"d\",\n]\n",
             "the line before ends with one");
}

TEST_F(MissingSignTest, IsNotThereBelowAHead) {
  ExpectNone("java", "class A {\n  int f()\n  |\n}\n", "its block may come");
  ExpectNone("java", "class A {\n  int f()\n  |\n  {\n  }\n}\n", "its block follows");
  ExpectSign("java", "class A {\n  A f = new A()[;]\n  |\n}\n",
             "with the block of a class it would not be whole");
}

TEST_F(MissingSignTest, IsThereWhereOnlyTheElementsOwnFirstWordMayCome) {
  ExpectSign("java", "import a.B[;]\n|\nclass C {}\n");
  ExpectNone("sql", "SELECT a FROM b WHERE c = 1\n|\n;\n", "whole as it is");
}

TEST_F(MissingSignTest, IsFoundInAFileThatIsBrokenElsewhere) {
  const std::string broken = "function b(a {\n}\n\n";
  ExpectSign("javascript", broken + "c = {\n  d: 1[,]\n  |\n};\n");
  EXPECT_EQ(
      Find("json", "{\n  \"a\": {\n    \"b\" 0\n  },\n  \"c\": {\n    \"d\": 1\n    |\n  }\n}\n"),
      "{\n  \"a\": {\n    \"b\" 0\n  },\n  \"c\": {\n    \"d\": 1[,]\n    |\n  }\n}\n");
  ExpectSign("go", "package p\n\nfunc a( {\n}\n\nfunc b() {\n\tf(c[)]\n\t|\n}\n",
             "without the bracket the region is below the line");
  ExpectNone("javascript", broken + "c = d\n|\ne();\n");
  ExpectNone("json", "{\n  \"a\" 0\n  |\n}\n", "the element is broken");
}

TEST_F(MissingSignTest, IsFoundByTheSyntaxTreeWhereThereIsNoGrammar) {
  ExpectSign("cpp", "int f() {\n  a = b[;]  // c\n  |\n  return a;\n}\n");
  ExpectSign("cpp", "struct A {\n  int b;\n}[;]\n|\n\nint c;\n");
  ExpectSign("c", "int f() {\n  g(a[);]\n  |\n  return 1;\n}\n");
  ExpectSign("cpp", "int f() {\n  g(\"http://a\", h(x[));]\n  |\n  return 1;\n}\n");
  ExpectSign("rust", "let a = [\n  1[,]\n  |\n  2\n];\n");
}

TEST_F(MissingSignTest, IsFoundByTheSyntaxTreeWhereTheElementFitsTwiceWithIt) {
  ExpectSign("cpp", "enum A {\n  kB[,]  // b\n  |\n};\n");
  ExpectSign("cpp", "int a = = 1;\nenum A {\n  kB[,]\n  |\n};\n", "broken elsewhere");
  ExpectSign("rust", "let a = vec![\n  1,\n  2[,]\n  |\n];\n",
             "a macro's elements fit without one, too");
  ExpectNone("shellscript", "a=(\n  1\n  |\n)\n");
  ExpectNone("ruby", "a = 1\n|\nb = 2\n", "lines need no sign");
  ExpectNone("shellscript", "a\n|\n");
}

TEST_F(MissingSignTest, IsNotFoundByTheSyntaxTreeBelowAHead) {
  ExpectNone("cpp", "int f() {\n  if (a)\n  |\n}\n");
  ExpectNone("csharp", "class A\n{\n    int F()\n    |\n}\n");
  ExpectNone("cpp", "template <typename T>\n|\n");
  ExpectNone("cpp", "int f()\n|\n{\n}\n", "its block follows");
  ExpectSign("cpp", "int a[][1] = {\n  {1}[,]\n  |\n  {2}\n};\n");
}

TEST_F(MissingSignTest, IsNotLookedForWhereALineIsNotBlank) {
  for (const char* text : {"{\n  \"a\": 1\n  |\"b\": 2\n}\n", "{\n  \"a\": 1 |\n}\n", "|\n{}"}) {
    const CompletionRequest request = RequestAt(text, "json");
    EXPECT_FALSE(FindElementAbove(request.text, request.offset_bytes)) << text;
  }
}

TEST(MissingSign, IsNoPartOfTheItems) {
  CompletionRequest request = RequestAt("[\n1\n|\n]", "json");
  const MissingSign sign{3, ","};
  const CompletionRequest with_sign = WithSign(request, sign);
  EXPECT_EQ(*with_sign.text, "[\n1,\n\n]");
  EXPECT_EQ(with_sign.offset_bytes, 5U);
  CompletionAnswer answer;
  answer.items = {{.text = "2", .range_begin_bytes = 5, .range_end_bytes = 5}};
  AnswerWithoutSign(answer, sign);
  EXPECT_EQ(WithItem(request, answer.items[0]), "[\n1\n2\n]");
  EXPECT_EQ(answer.items[0].missing_sign, sign);
}

}  // namespace
}  // namespace tenon::server
