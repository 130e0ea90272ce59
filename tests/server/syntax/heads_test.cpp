// Which texts are heads without their block, in trees of real languages.
#include "server/syntax/heads.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/server/syntax/shipped_syntax.h"

namespace tenon::server {
namespace {

struct Place {
  SyntaxTree tree;
  size_t begin, end;
};

// The text between two '|'.
Place Marked(const char* language_id, std::string text) {
  const size_t begin = text.find('|');
  text.erase(begin, 1);
  const size_t end = text.find('|');
  text.erase(end, 1);
  return {*SyntaxTree::Parse(ShippedSyntax(language_id), text), begin, end};
}

bool IsAlone(const char* language_id, std::string text) {
  const Place at = Marked(language_id, std::move(text));
  return IsHeadAlone(at.tree, at.begin, at.end);
}

bool EndsHead(const char* language_id, std::string text) {
  const Place at = Marked(language_id, std::move(text));
  return EndsHeadOfLine(at.tree, at.begin, at.end);
}

TEST(Heads, AreAloneWhereTheyTakeTheNextStatement) {
  EXPECT_TRUE(IsAlone("c", "void f() {\n  |while (a)|\n  b();\n}\n"));
  EXPECT_FALSE(IsAlone("c", "void f() {\n  |while (a)|\n    b();\n}\n")) << "it is deeper";
  EXPECT_FALSE(IsAlone("c", "void f() {\n  |while (a)|\n  {\n  }\n}\n")) << "its block";
  EXPECT_FALSE(IsAlone("c", "void f() {\n  |g(a)|;\n  b();\n}\n"));
}

TEST(Heads, WithAColonAreAlone) {
  EXPECT_TRUE(IsAlone("c", "void f() {\n  switch (a) {\n    |case 1:|\n  }\n}\n"));
  EXPECT_TRUE(IsAlone("yaml", "a:\n  |b:|\nc: 1\n"));
  EXPECT_FALSE(IsAlone("yaml", "a:\n  |b:|\n    c: 1\n"));
}

TEST(Heads, WithABracketThatClosesNothingAreAlone) {
  EXPECT_TRUE(IsAlone("shellscript", "case $1 in\n  |stop)|\nesac\n"));
}

TEST(Heads, MayBeginLeftOfTheText) {
  EXPECT_TRUE(EndsHead("c", "void f() {\n  if (|a > b)|\n  b();\n}\n"));
  EXPECT_TRUE(EndsHead("csharp", "class A { void F() {\n  foreach (|var a in b)|\n  C();\n} }\n"));
  EXPECT_FALSE(EndsHead("c", "void f() {\n  if (|a > b)|\n    b();\n}\n")) << "it is deeper";
  EXPECT_FALSE(EndsHead("csharp", "class A {\n  void F(|int a)|\n  {\n  }\n}\n")) << "its block";
  EXPECT_FALSE(EndsHead("ruby", "def f\n  puts g(|1)|\n  exit\nend\n")) << "several statements";
  EXPECT_FALSE(EndsHead("shellscript", "a=$(|date)|\necho b\n"));
}

TEST(Heads, EndWithATokenOfTheirOwn) {
  const Place at = Marked("c", "char *a = \"|(b)|\";\n");
  EXPECT_FALSE(IsToken(at.tree, at.end - 1));
  const Place call = Marked("c", "int a = |f(b)|;\n");
  EXPECT_TRUE(IsToken(call.tree, call.end - 1));
}

}  // namespace
}  // namespace tenon::server
