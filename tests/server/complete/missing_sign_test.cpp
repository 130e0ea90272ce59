#include "server/complete/missing_sign.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "server/languages/language_registry.h"
#include "tenon/document.h"
#include "tests/server/cursor_request.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class MissingSignTest : public testing::Test {
 protected:
  // The text with the sign in brackets; empty where none is missing. The cursor is `|`.
  std::string Find(const std::string& language_id, const std::string& with_cursor) {
    const CompletionRequest request = RequestAt(with_cursor, language_id);
    const auto language = languages_->Get(language_id);
    EXPECT_TRUE(language) << language.error();
    Document document(*language);
    opened_ = 0;
    const auto sign = FindMissingSign(request.text, request.offset_bytes,
                                      [&](std::string_view left, std::string_view right) {
                                        ++opened_;
                                        return document.Open(left, right);
                                      });
    if (!sign) return "";
    std::string text = with_cursor;
    return text.insert(sign->offset_bytes, "[" + sign->text + "]");
  }

  std::shared_ptr<const LanguageRegistry> languages_ =
      *LanguageRegistry::Load(SourcePath("grammars"));
  int opened_ = 0;  // gaps
};

TEST_F(MissingSignTest, IsTheCommaOfAnElement) {
  EXPECT_EQ(Find("json", "{\n  \"a\": 1\n  |\n}\n"), "{\n  \"a\": 1[,]\n  |\n}\n");
  EXPECT_EQ(Find("json", "[\n  1\n  |\n  2\n]\n"), "[\n  1[,]\n  |\n  2\n]\n");
  EXPECT_EQ(Find("python", "f(\n    a,\n    b=1\n    |\n)\n"),
            "f(\n    a,\n    b=1[,]\n    |\n)\n");
  EXPECT_EQ(Find("typescript", "enum A {\n  B = 1\n  |\n}\n"), "enum A {\n  B = 1[,]\n  |\n}\n");
  EXPECT_EQ(Find("java", "enum A {\n    B\n    |\n}\n"), "enum A {\n    B[,]\n    |\n}\n");
  EXPECT_EQ(Find("go", "package p\nvar a = []int{\n\t1\n\t|\n}\n"),
            "package p\nvar a = []int{\n\t1[,]\n\t|\n}\n");
  EXPECT_EQ(Find("sql", "CREATE TABLE t (\n  a TEXT NOT NULL\n  |\n);\n"),
            "CREATE TABLE t (\n  a TEXT NOT NULL[,]\n  |\n);\n");
}

TEST_F(MissingSignTest, IsTheCommaOfAnElementThatBeginsWithABracket) {
  EXPECT_EQ(Find("sql", "INSERT INTO t VALUES\n  (1)\n  |\n;\n"),
            "INSERT INTO t VALUES\n  (1)[,]\n  |\n;\n");
}

TEST_F(MissingSignTest, ComesAfterTheLastLineOfAnElement) {
  EXPECT_EQ(Find("javascript", "a = {\n  b: {\n    c: 1\n  }\n  |\n};\n"),
            "a = {\n  b: {\n    c: 1\n  }[,]\n  |\n};\n");
}

TEST_F(MissingSignTest, ComesBeforeAComment) {
  EXPECT_EQ(Find("javascript", "a = [\n  1, // one\n  2 // two\n  |\n];\n"),
            "a = [\n  1, // one\n  2[,] // two\n  |\n];\n");
  EXPECT_EQ(Find("javascript", "a = [\n  'b//c'\n  |\n];\n"), "a = [\n  'b//c'[,]\n  |\n];\n")
      << "no comment";
}

TEST_F(MissingSignTest, IsTheSemicolonOfAStatement) {
  EXPECT_EQ(Find("java", "class A {\n  void f() {\n    a = b\n    |\n    c();\n  }\n}\n"),
            "class A {\n  void f() {\n    a = b[;]\n    |\n    c();\n  }\n}\n");
  EXPECT_EQ(Find("java", "class A {\n  int a\n  |\n\n  int b;\n}\n"),
            "class A {\n  int a[;]\n  |\n\n  int b;\n}\n");
  EXPECT_EQ(Find("javascript", "a = b\n|\nc()\n"), "") << "none has to be there";
}

TEST_F(MissingSignTest, IsTheBracketOfTheElementAlone) {
  EXPECT_EQ(Find("go", "package p\nfunc f() {\n\tg(a\n\t|\n}\n"),
            "package p\nfunc f() {\n\tg(a[)]\n\t|\n}\n");
  EXPECT_EQ(Find("java", "class A {\n  void f() {\n    g(a\n    |\n    h();\n  }\n}\n"),
            "class A {\n  void f() {\n    g(a[);]\n    |\n    h();\n  }\n}\n");
  EXPECT_EQ(Find("javascript", "function f() {\n  g(a,\n    b\n    |\n  h();\n}\n"), "")
      << "another argument may come";
}

TEST_F(MissingSignTest, IsNotThereWhereALineGoesOn) {
  EXPECT_EQ(Find("java", "class A {\n  int f() {\n    return a\n      .b()\n      |\n  }\n}\n"),
            "");
  EXPECT_EQ(Find("java", "class A {\n  int a = b\n    + c\n    |\n  ;\n}\n"), "");
  EXPECT_EQ(Find("java", "class A {\n  int a = b\n      |\n  ;\n}\n"), "") << "deeper";
  EXPECT_EQ(Find("sql", "SELECT a\nFROM t\nWHERE a = 1\n  AND b = 2\n  |\nORDER BY c;\n"), "");
  EXPECT_EQ(Find("typescript", "type A =\n  | 'b'\n  | 'c'\n  \n\nf();\n"), "");
}

TEST_F(MissingSignTest, IsNotThereBetweenStringsThatBelongTogether) {
  EXPECT_EQ(Find("python", "a = (\n    \"b\"\n    \"c\"\n    |\n    \"d\"\n)\n"), "");
  EXPECT_EQ(Find("python", "a = [\n    \"b\",\n    \"c\"\n    |\n    \"d\",\n]\n"),
            "a = [\n    \"b\",\n    \"c\"[,]\n    |\n    \"d\",\n]\n")
      << "the line before ends with one";
}

TEST_F(MissingSignTest, IsNotLookedForWhereALineIsNotBlank) {
  EXPECT_EQ(Find("json", "{\n  \"a\": 1\n  |\"b\": 2\n}\n"), "");
  EXPECT_EQ(Find("json", "{\n  \"a\": 1 |\n}\n"), "");
  EXPECT_EQ(Find("json", "|\n{}"), "");
  EXPECT_EQ(opened_, 0);
}

TEST_F(MissingSignTest, IsNotAddedToAFileThatIsBrokenElsewhere) {
  EXPECT_EQ(Find("json", "{\n  \"a\" 0,\n  \"b\": 1\n  |\n}\n"), "");
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
