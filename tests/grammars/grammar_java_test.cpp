// Java's grammar at the places where lexemes, types and expressions are hard to tell apart: each
// with the verdict of javac 17's parser. tests/exactness asks the real one.

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "constraint/closing/closer.h"
#include "constraint/gap/gap.h"
#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

const constraint::Language& Java() { return ShippedLanguage("java.lark"); }
std::string Member(const std::string& text) { return "class X {\n" + text + "\n}\n"; }
std::string Statement(const std::string& text) { return Member("void m() {\n" + text + "\n}"); }
std::string Value(const std::string& text) { return Member("Object z = " + text + ";"); }

void Takes(const std::string& text) {
  EXPECT_TRUE(Accepts(Java(), text)) << text;
  EXPECT_TRUE(Emits(Java(), text)) << text;
}
// Given text may hold it, a completion does not.
void Given(const std::string& text) {
  EXPECT_TRUE(Accepts(Java(), text)) << text;
  EXPECT_FALSE(Emits(Java(), text)) << text;
}
void Refuses(const std::string& text) {
  EXPECT_FALSE(Accepts(Java(), text)) << text;
  EXPECT_FALSE(Emits(Java(), text)) << text;
}

TEST(JavaGrammar, ClosesTypeArgumentsWithinAShift) {
  Takes(Statement("A<B<C>> d;"));
  Takes(Statement("A<B<C<D>>> e;"));
  Takes(Statement("A<B<C<D>> > e;"));
  Refuses(Statement("A<B<C>>> d;"));
  Refuses(Statement("List<String>= x;"));
  Takes(Value("a >>> b >> c"));
  Refuses(Value("a > > b"));
}

TEST(JavaGrammar, ReadsEscapesInNamesTextsAndComments) {
  Given(Statement("int \\u0061;"));
  for (const char* value :
       {"\"\\u0041\\u20ac\\uD83d\"", "'\\u0000'", "'\\u0020'", "\"\"\"\n\\u00e9\"\"\""})
    Takes(Value(value));
  Takes("// \\u0041 \\u002B\n/* \\u00e9 \\\\u002a */");
  Given("// \\uu0041 \\u005c\n");
  Given(Value("\"\\uuu0041\""));
  Given(Value("\"\\u0027\""));
  Refuses(Value("\"\\u0022\""));
  Refuses(Value("'\\u0027'"));
  Refuses(Value("\"\\u000a\""));
  Refuses("// \\u00\n");
  Takes(Value("\"\\\\u\""));
}

TEST(JavaGrammar, KnowsContextualKeywords) {
  Takes(Statement("int record = 1, sealed = 2, var = 4;"));
  Given(Statement("int yield = 1;"));
  for (const char* name : {"var", "record", "yield", "sealed", "permits", "_"})
    Refuses("class " + std::string(name) + " {}");
  Takes("class when {}");
  Given(Statement("yield = 1;"));
  Given(Statement("yield 1;"));
  Takes(Value("switch (a) { default: yield 1; }"));
  Refuses(Statement("yield();"));
  Takes(Statement("var x = 1;"));
  Refuses(Statement("var x = 1, y = 2;"));
  Refuses(Statement("var[] x = a;"));
  Refuses(Member("var x = 1;"));
  Takes("module a { requires transitive b; exports c to d; }");
  Takes(Statement("int module, open, exports, to, with;"));
  Refuses("module a { class B {} }");
}

TEST(JavaGrammar, TellsNonSealedFromASubtraction) {
  Given("non-sealed class A extends B {}");
  Takes(Value("non-sealed"));
  Takes("sealed class A permits B, C {}");
  Given("public non-sealed interface A extends B {}");
  Refuses("non-sealed class A extends B permits C {}");
  Refuses("class A permits B {}");
  Refuses(Member("sealed int a;"));
}

TEST(JavaGrammar, TellsCastsFromGroups) {
  for (const char* value :
       {"(A) -b", "(A) b", "(A) (b)", "(A) !b", "(A & B) c", "(a & b) - c", "(A<B>) -c", "(A[]) -b",
        "(int) -b", "(A<B, C>) d", "(a < b)", "(a < b > c)"})
    Takes(Value(value));
  for (const char* value : {"(a) ++b", "(a < b) c", "(a < b, c > d)", "(var) a", "(A) (a, b)"})
    Refuses(Value(value));
}

TEST(JavaGrammar, TellsTypesFromComparisons) {
  Takes(Statement("a < b > c;"));
  Takes(Statement("a < b > c = d;"));
  Takes(Statement("a < b, c > d;"));
  Refuses(Statement("a < b > (c);"));
  Takes(Statement("f(a < b, c > d);"));
  Takes(Value("a < b > c"));
  Refuses(Value("a instanceof B < c"));
  Given(Statement("switch (a) { case b > c: }"));
  Takes(Statement("switch (a) { case b: c(d > e); }"));
  Takes("enum A { B(c > d) }");
}

TEST(JavaGrammar, ReadsMethodReferences) {
  for (const char* value :
       {"A<B>::new", "int[]::clone", "A::<B>c", "A<B>.C<D>[]::new", "super::a", "\"a\"::b"})
    Takes(Value(value));
  Refuses(Value("A::"));
  Refuses(Value("a.@B C<D>::e"));
  Refuses(Value("A<B>[].class"));
}

TEST(JavaGrammar, ReadsLambdasAndRules) {
  for (const char* value : {"() -> a", "a -> b ? c : d", "(a, b) -> c", "(var a, var b) -> c",
                            "(final int a, B... b) -> c", "a ? b -> c : d -> e", "a + b -> c"})
    Takes(Value(value));
  Given(Value("(a.b) -> c"));
  for (const char* value : {"(a, int b) -> c", "(var a[]) -> b", "a.b -> c", "(a[]) -> b"})
    Refuses(Value(value));
  // javac takes these for casts to `a[]`, unless another parameter is no such array.
  for (const char* value :
       {"(A<B> a[]) -> b", "(@A B<C> a@D[][]) -> b", "(A<B> a[], C<D> b[]) -> c"})
    Refuses(Value(value));
  for (const char* value : {"(A<B> a[], C b[]) -> c", "(A<B> a[], C<D>... b) -> c",
                            "(A<B>[] a) -> b", "(final A<B> a[]) -> b"})
    Takes(Value(value));
  Takes(Statement("switch (a) { case b -> c(); case (d), e -> {} default -> throw f; }"));
  Given(Statement("switch (a) { case b -> c(); case 2: d(); }"));
  Given(Statement("switch (a) { default: default: }"));
  Refuses(Statement("switch (a) { case 1 -> 5; }"));
  Takes(Value("switch (a) { case 1 -> 5; default -> 6; }"));
}

TEST(JavaGrammar, ReadsTextBlocks) {
  Takes(Value("\"\"\"\na\"\"\""));
  Takes(Value("\"\"\"  \n a \\\n \\s \\\"\"\" \"\" \"\"\""));
  Refuses(Value("\"\"\"x\"\"\""));
  Refuses(Value("\"\"\"\na\"\"\"\""));
  Refuses(Value("\"\"\"\na\\q\"\"\""));
}

TEST(JavaGrammar, BoundsNumbers) {
  for (const char* value : {"2147483647", "-2147483648", "- 2147483648", "9223372036854775807L",
                            "-9223372036854775808L", "0xffffffff", "0xffff_ffff", "037777777777",
                            "0_7", "08f", "0x1.8p1", "1.", ".5d"})
    Takes(Value(value));
  Given(Value("1e308"));
  Given(Value("1e38f"));
  for (const char* value :
       {"2147483648", "a - 2147483648", "-(2147483648)", "9223372036854775808L", "0x1ffffffff",
        "08", "1e400", "1e-50f", "0x1.8", "1_", "0b2", "0b_1", "1e", "1else", "0x"})
    Refuses(Value(value));
}

TEST(JavaGrammar, WritesExpressionsAsStatementsThatDoSomething) {
  for (const char* statement :
       {"a = 1;", "a++;", "--a[0];", "f();", "new A();", "a.b += c;", "this.<A>b();"})
    Takes(Statement(statement));
  for (const char* statement :
       {"1;", "a;", "(f());", "new int[1];", "x -> 1;", "a + b;", "a ? b() : c();"})
    Refuses(Statement(statement));
  for (const char* statement : {"1 = 2;", "f() = 1;", "++1;", "a + b = c;", "(a) = b;"})
    Given(Statement(statement));
}

TEST(JavaGrammar, TellsDimensionsFromIndices) {
  for (const char* value :
       {"new A[1][]", "new A[]{1, 2,}", "new A[]{1}[0]", "new A[1].b", "(new A[1])[0]"})
    Takes(Value(value));
  for (const char* value : {"new A[][1]", "new A[]", "new A<>[1]", "new A[1]{2}", "new A[1][][0]"})
    Refuses(Value(value));
}

TEST(JavaGrammar, ReadsFilesAsJavacDoes) {
  Given("class A {}\x1a");
  Refuses(
      "class \x1a"
      "A {}");
  Refuses("class A {}; import b.c;");
  Refuses("import a; import b;");
  Takes("package a; import static b.c.*; class D {}");
}

TEST(JavaGrammar, ReservesWords) {
  for (const char* name : {"_", "goto", "const", "enum", "assert", "strictfp", "null"})
    Refuses(Statement("int " + std::string(name) + " = 1;"));
  Takes(Statement("int __ = 1, ifa = 2;"));
}

TEST(JavaGrammar, KeepsToTheRulesOfTheParser) {
  Refuses(Member("final final int a;"));
  Refuses(Member("public static public void a() {}"));
  Takes(Member("@A public static @B final int a = 1;"));
  Refuses(Member("void a(int... b, int c) {}"));
  Refuses("record A(int b) { int c; }");
  Takes("record A(int b) { static int c; A { } }");
  Refuses("enum A { int b; }");
  Takes("enum A { B, C(1) { }, ; int d; }");
  Refuses(Member("m() {}"));
  Takes(Member("X() {} class Y { Y() {} }"));
  Refuses(Member("class Y { X() {} }"));
  Refuses(Statement("static int a;"));
  Refuses(Statement("strictfp strictfp class A {}"));
  EXPECT_TRUE(Accepts(Java(), Statement("abstract strictfp class A {}")));
  Takes(Statement("final abstract class A {}"));
  Refuses(Statement("if (a) {}; else {}"));
  Refuses(Statement("try {}"));
  Takes(Statement("try (a; B c = d) {}"));
}

TEST(JavaGrammar, WritesJumpsInTheirPlaces) {
  for (const char* statement : {"break;", "continue;"}) {
    Given(Statement(statement));
    Takes(Statement(std::string("while (a) { ") + statement + " }"));
    Given(Statement(std::string("while (a) { new B() { void c() { ") + statement + " } }; }"));
    Given(Statement(std::string("while (a) f(() -> { ") + statement + " });"));
  }
  Takes(Statement("switch (a) { case 1: break; }"));
  Given(Statement("switch (a) { case 1: continue; }"));
  Given(Member("{ return; }"));
  Takes(Member("{ f(() -> { return; }); }"));
  Given(Member("int a = switch (b) { default: { return; } };"));
}

// The text with which tenon itself closes a gap.
std::string Closing(std::string_view left, std::string_view right) {
  const std::shared_ptr<const constraint::Language> java(std::shared_ptr<void>(), &Java());
  const auto found = constraint::FindClosing(constraint::OpenGap(java, left, right, {}));
  return found ? found->text : "none";
}

TEST(JavaGrammar, ClosesWithTheClassOfAGivenConstructor) {
  EXPECT_EQ(Closing("", " Abc(int d) { } }"), "class Abc{");
  EXPECT_EQ(Closing("class Abc { class ", " int e; Def() { } } }"), "Def{");
}

TEST(JavaGrammar, ClosesWithAMethodWhereNoClassHasAName) {
  EXPECT_EQ(Closing("enum A { B { @C ", " return d; } } }"), "a a(){");
  EXPECT_EQ(Closing("class A { B b = new B() { @C ", " return d; } }; }"), "a a(){");
}

}  // namespace
}  // namespace tenon::grammars
