// Go's grammar: numbers, type parameters and headers at the borders that both of Go's parsers draw.
// tests/exactness asks the real ones.

#include <string>

#include <gtest/gtest.h>

#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

TEST(GoGrammar, ReadsNumbersAsBothParsersDo) {
  const constraint::Language& go = ShippedLanguage("go.lark");
  const auto text = [](const std::string& number) {
    return "package p\n\nvar x = " + number + "\n";
  };
  for (const char* number : {"0b1", "0B_1", "0o7", "017", "0x1.8p1", "07.i", "08.5", "08i", "0b1i",
                             "0_7", "1_0.5_0e1_0"}) {
    EXPECT_TRUE(Accepts(go, text(number))) << number;
    EXPECT_TRUE(Emits(go, text(number))) << number;
  }
  for (const char* number : {"0b1.", "0b1.i", "0o7.x", "0b_1.5", "0b2", "0o8", "0b_i", "08",
                             "0x1.8", "0b1.5i", "1__0"}) {
    EXPECT_FALSE(Accepts(go, text(number))) << number;
  }
  for (const char* number : {"0b7i", "0o8i", "0B_9i"}) {
    EXPECT_TRUE(Accepts(go, text(number))) << number;
    EXPECT_FALSE(Emits(go, text(number))) << number;
  }
}

// What reads as the length of an array is none of an alias's type parameters.
TEST(GoGrammar, TellsTypeParametersFromLengths) {
  const constraint::Language& go = ShippedLanguage("go.lark");
  for (const char* declared :
       {"T = int", "T[P C] = int", "T[P *C,] = int", "T[P *C, Q any] = int", "T[P, Q *C] = int",
        "T[P *[]int] = int", "T[P (map[K]V)] = int", "T[P ~int|*C] = int", "T[P <-chan int] = P",
        "T[P *C] int", "T[P (C)] int"}) {
    EXPECT_TRUE(Accepts(go, std::string("package p\ntype ") + declared + "\n")) << declared;
  }
  for (const char* declared :
       {"T[P *C] = int", "T[P (C)] = int", "T[P *C|Q] = int", "T[P *a.C] = int", "T[5] = int"}) {
    EXPECT_FALSE(Accepts(go, std::string("package p\ntype ") + declared + "\n")) << declared;
  }
}

// Behind a name that is declared a bracket holds a length or type arguments, no dots.
TEST(GoGrammar, TakesNoDotsBehindADeclaredName) {
  const constraint::Language& go = ShippedLanguage("go.lark");
  const auto text = [](const std::string& declared) { return "package p\n" + declared + "\n"; };
  for (const char* declared :
       {"func f([...]int) {}", "func f(p *[...]int) {}", "func f(p ...[...]int) {}",
        "func ([...]int) m() {}", "type T struct { p, q [...]int }",
        "type T struct { p []int; q [2]int }", "var p [...]int", "type T [...]int",
        "func f(a.b, [...]int) {}", "type T[p a|[...]int] int", "type T[p ~[...]int] int"}) {
    EXPECT_TRUE(Accepts(go, text(declared))) << declared;
  }
  for (const char* declared :
       {"func f(p [...]int) {}", "func f(p, q [...]int) {}", "func f(a b, p [...]int) {}",
        "func f() (p [...]int) {}", "func (p [...]int) m() {}", "type T struct { p [...]int }",
        "type T interface { m(p [...]int) }", "func f[p [...]int]() {}",
        "type T[p, q [...]int] int", "type T[p [...]int|a] int", "type T[p [...]int] = int"}) {
    EXPECT_FALSE(Accepts(go, text(declared))) << declared;
  }
}

// A brace behind a type that has no literals begins the block.
TEST(GoGrammar, TellsBlocksFromLiterals) {
  const constraint::Language& go = ShippedLanguage("go.lark");
  const auto text = [](const std::string& statement) {
    return "package p\nfunc f(){" + statement + "}\n";
  };
  for (const char* statement :
       {"if x == chan int {}", "switch chan<- a {}", "for i := 0; i < chan int; i++ {}",
        "if <-chan a {}", "if x == interface{ m() } {}", "for range interface{} {}",
        "if x == struct{}{} {}", "if interface{}(x).y {}"}) {
    EXPECT_TRUE(Accepts(go, text(statement))) << statement;
  }
  for (const char* statement :
       {"if x == struct{} {}", "if x == []T {}", "if x == map[a]b {}", "if chan a {}.x {}"})
    EXPECT_FALSE(Accepts(go, text(statement))) << statement;
  EXPECT_TRUE(Accepts(go, "package p\ntype _ [T{}]struct{}\n"));
  EXPECT_TRUE(Accepts(go, "package p\ntype _ [a.T{1}]struct{}\n"));
  EXPECT_TRUE(Accepts(go, "package p\ntype _ [a.(b)]struct{}\n"));
  EXPECT_TRUE(Accepts(go, "package p\ntype _ [a.b().(c)]struct{}\n"));
}

}  // namespace
}  // namespace tenon::grammars
