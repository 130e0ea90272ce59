#include "server/syntax/name_query.h"

#include <string>

#include <gtest/gtest.h>

#include "server/languages/language_registry.h"
#include "server/syntax/syntax_registry.h"
#include "tests/server/syntax/shipped_syntax.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

class NameQueryTest : public testing::Test {
 protected:
  // Does the part of a text between two `|` declare a name again?
  static bool Again(const std::string& id, std::string text) {
    const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
    const SyntaxRegistry syntaxes(languages, {SyntaxesFolder()});
    const auto names = syntaxes.NamesOf(id);
    EXPECT_TRUE(names && *names) << id;
    const size_t begin = text.find('|');
    text.erase(begin, 1);
    const size_t end = text.find('|');
    text.erase(end, 1);
    const auto tree = SyntaxTree::Parse(*syntaxes.Get(id), text);
    return tree && (*names)->Breaks(*tree, begin, end);
  }
};

TEST_F(NameQueryTest, AreDeclaredOnceInTheirScope) {
  for (const char* id : {"javascript", "javascriptreact", "typescript", "typescriptreact"}) {
    SCOPED_TRACE(id);
    EXPECT_TRUE(Again(id, "const a = f();\n|const a = g();|\n"));
    EXPECT_TRUE(Again(id, "|let a = f();|\nvar a = g();\n")) << "further down, by `var`";
    EXPECT_TRUE(Again(id, "import { a } from 'b';\n|const a = 1;|\n"));
    EXPECT_TRUE(Again(id, "import { c as a } from 'b';\n|import * as a from 'd';|\n"));
    EXPECT_TRUE(Again(id, "class A {}\n|class A {}|\n"));
    EXPECT_TRUE(Again(id, "function f() { const { a, b: [c] } = d; |let a;| }\n"));
    EXPECT_TRUE(Again(id, "switch (a) { case 1: let b; case 2: |let b;| }\n"));
    EXPECT_TRUE(Again(id, "|let a = 1, a = 2;|\n")) << "both names are written";
    EXPECT_TRUE(Again(id, "function f(a, b = c) { |const b = 1;| }\n"));
    EXPECT_TRUE(Again(id, "function f(...a) { |let a;| }\n"));
    EXPECT_TRUE(Again(id, "function f(a, |a|) {}\n"));
    EXPECT_TRUE(Again(id, "f((|a = 1|, ...a) => a);\n"));
    EXPECT_TRUE(Again(id, "f((a, |{ a, b }|) => a);\n"));
    EXPECT_TRUE(Again(id, "f((a) => { |let a;| });\n"));
    EXPECT_TRUE(Again(id, "f(a => { |let a;| });\n"));
    EXPECT_TRUE(Again(id, "class A { m(|a|) { const a = 1; } }\n")) << "the parameter is written";
    EXPECT_TRUE(Again(id, "f(({ a }) => { |const a = 1;| });\n"));
    EXPECT_TRUE(Again(id, "try {} catch (a) { |let a;| }\n"));
    EXPECT_TRUE(Again(id, "|export default a;|\nexport default b;\n"));
  }
}

TEST_F(NameQueryTest, MayBeThoseOfOtherScopes) {
  for (const char* id : {"javascript", "typescript"}) {
    SCOPED_TRACE(id);
    EXPECT_FALSE(Again(id, "const a = f();\nif (a) {\n  |const a = g();|\n}\n"));
    EXPECT_FALSE(Again(id, "for (let i = 0; i < 1; i++) {}\n|for (let i = 0; i < 1; i++) {}|\n"));
    EXPECT_FALSE(Again(id, "for (const a of b) {}\n|for (const a of b) {}|\n"));
    EXPECT_FALSE(Again(id, "var a = 1;\n|var a = 2;|\n"));
    EXPECT_FALSE(Again(id, "const a = 1;\nconst a = 2;\n|const b = 3;|\n")) << "given names";
    EXPECT_FALSE(Again(id, "const a = 1;\n|a = 2;|\n"));
    EXPECT_FALSE(Again(id, "const { c: a } = b;\n|const c = 1;|\n")) << "c is no name there";
    EXPECT_FALSE(Again(id, "function f(a) { |var a = 1;| }\n"));
    EXPECT_FALSE(Again(id, "function f(a) { if (a) { |const a = 1;| } }\n"));
    EXPECT_FALSE(Again(id, "function f(a) {}\n|const a = 1;|\n"));
    EXPECT_FALSE(Again(id, "function f(a = b) { |const b = 1;| }\n")) << "b is a value there";
    EXPECT_FALSE(Again(id, "const f = (a) => a;\n|const a = 1;|\n"));
    EXPECT_FALSE(Again(id, "const f = (a) => (|a|) => a;\n"));
    EXPECT_FALSE(Again(id, "function f(a, |b = a|) {}\n"));
    EXPECT_FALSE(Again(id, "try {} catch (a) { |var a;| }\n"));
  }
  EXPECT_TRUE(Again("typescript", "function f(a: string, b?: A) { |const b = 1;| }\n"));
  EXPECT_TRUE(Again("typescript", "function f(a: string, |a?: A|) {}\n"));
  EXPECT_FALSE(Again("typescript", "interface A {}\n|class A {}|\n"));
  EXPECT_FALSE(Again("typescript", "function f(a: string): void;\n|function f(a: unknown) {}|\n"));
}

TEST_F(NameQueryTest, GiveAConstructorTheNameOfItsClass) {
  EXPECT_TRUE(Again("java", "|class A {| B() {} }"));
  EXPECT_TRUE(Again("java", "class A { int c; |B() {}| }"));
  EXPECT_TRUE(Again("java", "|enum A { D;| B() {} }"));
  EXPECT_TRUE(Again("java", "|record A(int b) {| B { } }"));
  EXPECT_FALSE(Again("java", "|class A {| A() {} A(int b) {} }"));
  EXPECT_FALSE(Again("java", "|class A<T> {| A() {} class B { B() {} } }"));
  EXPECT_FALSE(Again("java", "class A { B() {} |int c;| }")) << "given names";
}

TEST_F(NameQueryTest, LetJavaDeclareAVariableOnceInItsScope) {
  for (const char* text :
       {"class A { int a; |String a;| }", "class A { void f(int a) { |int a;| } }",
        "class A { A(int... a) { |int a;| } }", "enum A { B, |B| }",
        "class A { void f() { int a = 1; |int a;| } }",
        "class A { void f() { g(|a| -> { int a; }); } }",
        "class A { void f() { g((a, b) -> { |int b;| }); } }",
        "class A { void f() { try {} catch (B a) { |int a;| } } }",
        "class A { void f() { for (B a : b) { |int a;| } } }"})
    EXPECT_TRUE(Again("java", text)) << text;
  for (const char* text :
       {"class A { int a; void f() { |int a;| } }", "class A { void f(int a) {} |void f() {}| }",
        "class A { void f() { { int a; } |int a;| } }",
        "class A { void f() { for (int i = 0;;) {} |for (int i = 0;;) {}| } }"})
    EXPECT_FALSE(Again("java", text)) << text;
}

TEST_F(NameQueryTest, AreThoseOfAQueryThatTheLanguageUnderstands) {
  const TSLanguage* const javascript = ShippedSyntax("javascript");
  const auto error_of = [&](std::string_view query) {
    const auto names = NameQuery::Read(javascript, query);
    return names ? std::string() : names.error();
  };
  EXPECT_EQ(error_of("(program) @scope\n(identifier) @once"), "");
  EXPECT_NE(error_of("(program) @scope\n(no_such_node) @once").find("line 2, at 'no_such_node"),
            std::string::npos)
      << error_of("(program) @scope\n(no_such_node) @once");
  EXPECT_NE(error_of("(program"), "");
}

TEST_F(NameQueryTest, AreNoneWhereALanguageNamesNoQuery) {
  const auto languages = *LanguageRegistry::Load(SourcePath("grammars"));
  const SyntaxRegistry syntaxes(languages, {SyntaxesFolder()});
  const auto names = syntaxes.NamesOf("python");
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, nullptr);
}

}  // namespace
}  // namespace tenon::server
