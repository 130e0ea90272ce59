// TypeScript's grammar on the hazards of the language: type arguments against comparisons, arrow
// functions with types against parentheses and `? :`, words that are names elsewhere, line ends.
// Each text has the verdict of TypeScript's parser and babel's, which agree on all of them but
// those of WhatTheParserLeavesToTheCheckerIsReadAndNotWritten. tests/exactness asks both.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

const constraint::Language& TypeScript() { return ShippedLanguage("typescript.lark"); }

bool Fits(const std::string& left, const std::string& middle, const std::string& right) {
  return Closes(TypeScript(), left, middle, right);
}

void ExpectAll(const std::vector<std::string>& texts, bool accepted) {
  for (const std::string& text : texts) EXPECT_EQ(Accepts(TypeScript(), text), accepted) << text;
}

TEST(TypeScript, TypeArgumentsAndComparisonsAreBothRead) {
  ExpectAll(
      {"f<T>(a)", "a < b > c", "f(a < b, c > d)", "a<b<c>>(d)", "a < b || c >> d", "new A<B>()",
       "a?.<b>(c)", "a<b>`c`", "a<b>;", "let x: A<B<C>>= d", "f<<T>(a: T) => b>(c)",
       "class A extends B<C> {}", "a<b> && c", "!a<b>", "a<b> ? c : d", "a<b> as c", "a<b> + c"},
      true);
  ExpectAll({"a<b>.c", "a<b>?.c", "f<>+a", "let x: string<a>", "let x: A\n<B>", "a<b> >(c)",
             "(a) => b<c>\n>(d)"},
            false);
}

TEST(TypeScript, ComparisonsThatWouldBeTypeArgumentsAreNotWritten) {
  for (const char* text :
       {"f(a < b)", "if (a > b) {}", "let x = a < b && c > d", "f(a > b)", "f(() => a > b)",
        "a = b < f(c > d)", "for (let i = 0; i < n; i++) {}"}) {
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  }
  for (const char* text : {"let x = a < [b > !c]", "let x = a < b > c", "f(a < b, c > !d)",
                           "let x = [a < b, c > !d]", "let x = a < b | c > !d"}) {
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  }
}

// Declaration files hold constants without a value, which elsewhere TypeScript's checker refuses.
TEST(TypeScript, ConstantsWithoutAValueAreReadAndNotWritten) {
  for (const char* text :
       {"export const a: A<B>;", "const a: A, b: B;", "namespace A { const b: \"c\"; }"}) {
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  }
  for (const char* text : {"const a: A\nb()", "const a\n", "let [a]\nb()",
                           "namespace A { const b: C }", "const", "{ var }"}) {
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  }
  ExpectAll({"const a: A b()", "const {a} b"}, false);
  EXPECT_FALSE(Emits(TypeScript(), "const a;"));
  EXPECT_TRUE(Fits("const a: A\n", "b()", "\nconst c: D\n")) << "in lines above and below";
  EXPECT_FALSE(Fits("const a", "b", "\nc()\n"));
  EXPECT_FALSE(Fits("", "const", " {};\n"));
  EXPECT_FALSE(Fits("const ", "a", ";"));
  EXPECT_FALSE(Fits("const a ", "", "\nb = c;\n")) << "nothing for want of a value";
  EXPECT_FALSE(Fits("const {a}", "", "\nb = c;\n"));
  EXPECT_FALSE(Fits("const a", ": A", ";"));
  EXPECT_TRUE(Fits("const a: A", " = b", ""));
  EXPECT_FALSE(Fits("const a: A", ";", "")) << "a semicolon for want of a value";
  EXPECT_FALSE(Fits("const [a", "]:(", "b);")) << "a type for want of a value";
  EXPECT_TRUE(Fits("const [a", "]=(", "b);"));
  EXPECT_TRUE(Fits("export const a: ", "A", ";\nexport const b: B;\n"));
}

TEST(TypeScript, WhatTheParserLeavesToTheCheckerIsReadAndNotWritten) {
  for (const char* text : {"class {}",
                           "export class {}",
                           "abstract class {}",
                           "let {a};",
                           "let [a];",
                           "const a, [b];",
                           "let x: A<>",
                           "f<>()",
                           "class A<> {}",
                           "if (a) type B = C",
                           "for (;;) interface B {}",
                           "a: class B {}",
                           "{ import \"a\" }",
                           "@a interface B {}",
                           "export {} from b",
                           "import a from b",
                           "export { \"a\" }",
                           "export { default as a }",
                           "export { for, super as a }",
                           "export export let a",
                           "switch (a) { default: default: }",
                           "class A extends {}",
                           "class A extends {} {}",
                           "interface A extends {}",
                           "class A extends B, C {}",
                           "class A implements B extends C {}",
                           "interface A extends f() {}",
                           "class A { @a static {} }",
                           "class A { public private a }",
                           "abstract class A { abstract a() {} }",
                           "enum A { [\"b\"] }",
                           "a = {b?() {}}",
                           "a = {readonly b: 1}",
                           "a = {#b: 1}",
                           "let a: { [b?: string]: C }",
                           "let a: { #b: C }",
                           "let a: ?B",
                           "let a: B!",
                           "function f(...a?: B) {}",
                           "let f = (...a: B[], c) => d",
                           "1 = a",
                           "this = a",
                           "[...a,] = b",
                           "a?.b`c`",
                           "declare a = 1",
                           "declare a: b",
                           "async interface A {}",
                           "readonly const a = 1",
                           "export * from a as \"b\"",
                           "export export * as a from \"b\"",
                           "import {} from typeof \"a\"",
                           "import {} from ++\"a\"",
                           "const is",
                           "a = /?/",
                           "a = /b)*(c/",
                           "a = /((b|+)/",
                           "a = /b++(?:/u",
                           "declare class {}",
                           "class extends {}",
                           "new.a",
                           "A<> | B",
                           "let a: readonly readonly B[]",
                           "let a: private[]",
                           "function f<static>() {}",
                           "function f(public a) {}",
                           "let a: (readonly b: C) => D",
                           "let let = 1",
                           "a = let",
                           "static = 1",
                           "let a: if = b",
                           "type A = B | delete",
                           "let f = (): class[] => b",
                           "let a: while.B<C>",
                           "let a: B[let]",
                           "let a: interface",
                           "let a: #b",
                           "let a: B?",
                           "let a: Map<?, B>",
                           "function f(a: (b: ?) => C) {}",
                           "let a: { export b: C }",
                           "let a: { export readonly b: C }",
                           "a = {export b: 1, public c() {}}",
                           "class A<public T> {}",
                           "class A extends extends B {}",
                           "class A extends B extends C {}",
                           "class A implements implements B {}",
                           "abstract class A extends {}",
                           "declare class A extends {}",
                           "interface A extends extends B {}",
                           "class A { set a(b, c) {} }",
                           "class A { accessor #a }",
                           "using {a} = b",
                           "public import \"a\"",
                           "readonly enum A {}",
                           "export export export default a",
                           "export export * from \"a\"",
                           "export export type { A } from \"a\"",
                           "abstract abstract class A {}",
                           "export { a } from true",
                           "import a from `b`",
                           "import type A = B",
                           "import<a>(\"b\")",
                           "declare 1",
                           "declare module",
                           "++1",
                           "null--",
                           "[a + b] = c",
                           "[...a, b] = c",
                           "([a]) = b",
                           "a?.b = c",
                           "({...a, b} = c)",
                           "a<b<c>"}) {
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  }
  EXPECT_FALSE(Fits("", "class ", "{}\n")) << "a class without a name";
  EXPECT_FALSE(Fits("class ", "{}", "\n"));
  EXPECT_TRUE(Fits("class ", "A ", "{}\n"));
  EXPECT_FALSE(Fits("export {} ", "from b", ";\n"));
  EXPECT_FALSE(Fits("export {} from ", "", "\nb;\n")) << "a name of the next line";
  EXPECT_TRUE(Fits("abstract class A { abstract a() { ", "return b", "; } }\n"));
  EXPECT_FALSE(Fits("", "1", " = a;\n"));
  EXPECT_FALSE(Fits("a = /b", ")", "/;\n"));
  EXPECT_FALSE(Fits("a = /b", "(", "/;\n"));
  EXPECT_TRUE(Fits("a = /b)", "(c)", "/;\n")) << "in a text that has such a form";
  EXPECT_FALSE(Fits("interface A extends ", "{}", "\n"));
  EXPECT_TRUE(Fits("interface A extends ", "B", "{}\n"));
  EXPECT_TRUE(Fits("if (a) type B = ", "C", ";\n")) << "in a text that has such a form";
}

// In each gap something else closes it, or has to be written.
TEST(TypeScript, GivenTextIsNotMadeWhatTheParserAloneTakes) {
  EXPECT_FALSE(Fits("[a", " + b", "] = c;\n"));
  EXPECT_TRUE(Fits("[a", ", b", "] = c;\n"));
  EXPECT_FALSE(Fits("this.", "a?.b", " = c;\n"));
  EXPECT_TRUE(Fits("this.", "a.b", " = c;\n"));
  EXPECT_FALSE(Fits("(", "-a", ") = b;\n"));
  EXPECT_FALSE(Fits("let a: ", "", "\nreturn;\n")) << "a word of the next line is no type";
  EXPECT_FALSE(Fits("let a: B", "?", ";\n"));
  EXPECT_FALSE(Fits("interface A { ", "export ", "b: C }\n"));
  EXPECT_FALSE(Fits("", "let a:", " break;\n"));
  EXPECT_FALSE(Fits("f = (", "a: B", "?, b) => c;\n"));
  EXPECT_FALSE(Fits("class A ", "extends B ", "extends C {}\n"));
  EXPECT_FALSE(Fits("class A { ", "set b(c", ", d) {} }\n"));
  EXPECT_FALSE(Fits("", "let a: { ", "private b: C; }\n"));
  EXPECT_FALSE(Fits("let a: z.", "", "<typeof b>;\n")) << "`A.<B>` is not read";
  EXPECT_FALSE(Fits("let a: readonly B", "", ";\n")) << "nor `readonly A`";
  EXPECT_FALSE(Fits("let ", "", ": A;\n")) << "nor a label `let`";
  EXPECT_FALSE(Fits("let a = 1, ", "", ";\n")) << "nor a comma at the end";
  EXPECT_FALSE(Fits("declare type ", "", " = A;\n"));
  EXPECT_FALSE(Fits("async ", "enum A {}", "\n"));
  EXPECT_TRUE(Fits("async function f() { ", "await a", "; }\n"));
  EXPECT_TRUE(Fits("[a + b] = ", "c", ";\n")) << "in a text that has such a form";
}

TEST(TypeScript, AListOfTypesEndsRightBeforeAnArrowOrAnAssignment) {
  for (const char* text :
       {"let f = (): A<B>=> c", "let f = (): A<B<C>>=>{}", "let f = (a: A<B<C<D>>>)=> e",
        "type A = () => B<C>", "let f = (): A<B<C<D>>>=>{}", "let a: A<B<C<D>>>= e"}) {
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  }
  ExpectAll({"a >=> b", "a >>=> b", "let f = (): A<B> =\n> c", "let f = (): A<B\n>=> c\n=> d"},
            false);
  EXPECT_TRUE(Fits("let f = (): Promise<", "void", ">=>{}\n"));
  EXPECT_TRUE(Fits("let f = (): Promise<void", ">", "=>{}\n"));
  EXPECT_TRUE(Fits("let f = (): Promise<void>", "=", ">{}\n"));
}

// TypeScript goes on with the value where the next line begins with a bracket or an operator.
TEST(TypeScript, ADeclaredValueIsWrittenWithItsSemicolon) {
  for (const char* text : {"declare const a = 1;", "declare const a: B, c = 1, d: E;",
                           "declare class A { readonly b = true; [c](): d }"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  for (const char* text : {"declare const a = 1\n", "declare const a = 1\n[b]",
                           "declare class A { readonly b = true\n[c](): d }"})
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  EXPECT_TRUE(Accepts(TypeScript(), "declare const a = 1\n"));
  EXPECT_TRUE(Fits("declare const a", ": B", "\ndeclare const c: D\n"));
}

TEST(TypeScript, AModifierStandsOnTheLineOfItsParameter) {
  EXPECT_TRUE(
      Emits(TypeScript(), "class A { constructor(private\treadonly b: C, public d = 1) {} }"));
  ExpectAll({"class A { constructor(private\nb: C) {} }",
             "class A { constructor(private\nreadonly) {} }"},
            false);
}

TEST(TypeScript, ADecoratorsPathStaysOnItsLine) {
  EXPECT_TRUE(Emits(TypeScript(), "@a.b class C {}"));
  EXPECT_TRUE(Accepts(TypeScript(), "@a.default class C {}"));
  EXPECT_TRUE(Accepts(TypeScript(), "@a.\nb class C {}"));
  EXPECT_FALSE(Fits("", "@a.", "\nexport type B = C;\n"));
}

TEST(TypeScript, AQueriedNameIsNotPrivate) {
  ExpectAll({"let x: typeof this.a.b", "interface A { [b.c]: D }"}, true);
  ExpectAll({"let x: typeof A.#b", "class A { #b; c: typeof this.#b }"}, false);
  EXPECT_FALSE(Fits("class A { b: typeof C", ".", "#d = 1; }"));
}

// TypeScript takes a `<<` behind the name of a value for a shift, and `type as A` for a
// declaration.
TEST(TypeScript, WhatItsParserReadsOtherwiseIsNotWritten) {
  for (const char* text : {"let x: typeof a< <B>() => C>", "a as B", "if (a) b satisfies C",
                           "class A { [async b => c] = d }"}) {
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  }
  for (const char* text :
       {"let x: typeof a<B, <C>() => D>", "let x: typeof a<(b: C) => D>", "let x: A< <B>() => C>",
        "f(() => a as B)", "f(a as B)", "x = type as A", "export default a as B",
        "export default async a => b", "(async () => {})()"}) {
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  }
  EXPECT_FALSE(Accepts(TypeScript(), "a\nas B"));
  EXPECT_TRUE(Accepts(TypeScript(), "a\nas\nB"));
}

// TypeScript reads `<<b>` as the beginning of the type arguments `<<b>() => c>`, whatever follows.
TEST(TypeScript, AShiftToTheRightIsWrittenBeforeANameOrANumber) {
  for (const char* text :
       {"a << b >> (c);", "f(a << b, c >> (d));", "a >> (b);", "a << b >> `c`;"}) {
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
  }
  for (const char* text : {"a << b >> c;", "a >> 8;", "f(a << 1, b >> c.d(e));", "a << (b + c);",
                           "a >>> (b);", "x = (a >> 8) & 255;"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
}

// TypeScript reads `<T>(` behind `a<` as the beginning of an arrow function's type.
TEST(TypeScript, BehindAShiftToTheLeftNoBracketHoldsAGreater) {
  for (const char* text : {"a << (b<T>());", "a << f(b<T>());", "a << b<5>();", "a << b[c > (d)];",
                           "a << b > (c);", "a << 1 > (c);", "a << b ? c > (d) : e;"}) {
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
  }
  for (const char* text : {"a << (b & 31) + 1;", "1 << a.b[c];", "x = a << b() | c;", "a << b > c;",
                           "if (a << 1 > 8) b;", "a << -1;", "a << b << c;"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
}

TEST(TypeScript, StaticAloneIsNoMemberOfAnInterfaceThatIsWritten) {
  EXPECT_TRUE(Accepts(TypeScript(), "interface A { static\nb: C }"));
  EXPECT_FALSE(Emits(TypeScript(), "interface A { static\nb: C }"));
  for (const char* text : {"interface A { static: B; }", "interface A { b\nc: D }",
                           "interface A { declare; 'b'; 1; [c.d]; readonly e; }",
                           "interface A { static?; b?\nstatic(): C; }"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
}

// Right of a `<`, in the elements of an array, TypeScript takes the `>` behind what is no name for
// the end of the `<`.
TEST(TypeScript, TypeArgumentsStandBehindNamesRightOfALess) {
  for (const char* text : {"let x = a < [b<C[]>(d)];", "let x = a < [b.c<D[]>(e), new F<G>()];",
                           "let x = b[0]<C[]>(d);", "let x = b(c)<D>`e`;", "let x = b!<C>(d);",
                           "f(b()<C>(d).e<F>(g));", "f(a, [new b.c<D[]>(e)]);"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  for (const char* text : {"let x = a < [b `c`<-5>``];", "let x = a < [b[0]<C[]>(d)];",
                           "let x = a < [b()<5>(c)];", "let x = a < [new b[0]<C[]>(d)];",
                           "f(a < b, [c!<D[]>(e)]);", "f(a < b, {c: d[0]<E[]>(f)});"})
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  ExpectAll({"let x = [b[0]<C[]>(d)]", "let x = [b `c`<-5>``]",
             "class A extends B<C> { d() { return super.e.f()[g]<H>(super[i]) } }"},
            true);
}

TEST(TypeScript, ArrowFunctionsHaveTypes) {
  ExpectAll({"(a: A, b?: B, ...c: C[]): D => e", "<T>(a: T) => a", "async <T>(a) => b",
             "({a}: A = {}) => b", "(a): a is B => c", "a ? (b) : c => d", "a ? (b): c => d : e",
             "(a): (b | c) => d", "(a?) => b"},
            true);
  ExpectAll({"(a: A)", "(a?: A)", "(a): b", "<in T>(a) => b", "async\n<T>(a) => b", "<>(a) => b"},
            false);
}

TEST(TypeScript, TypesAreThoseOfTheHandbook) {
  ExpectAll({"type A = | B | C & D[]", "type A = B extends infer C extends D ? E : F",
             "type A = { readonly [K in keyof B as C]-?: D }", "type A = [a: B, c?: D, ...e: F[]]",
             "type A = `a${B}c`", "type A = abstract new <T>(a: T) => B",
             "type A = { a: B\nc?(): D; [e: string]: F }", "type A = typeof b.c<D>",
             "type A = import('b').C<D>", "type A = B extends () => C extends D ? E : F ? G : H",
             "type A = readonly string[]", "type A = -1 | 'b' | true", "type A = |& B",
             "type A = & B | C", "type A<in out T> = B", "class A<out T> {}"},
            true);
  ExpectAll({"type A = B | (c) => D", "type A = B extends C", "type A = { a: B c: D }",
             "type A = [,]", "type A = keyof", "type A = B\nextends C ? D : E", "type A = | | B",
             "type A = & | B", "type A<in\nT> = B", "type A<in out\nT> = B", "class A<out\nT> {}"},
            false);
}

TEST(TypeScript, AnImportedTypeHasAString) {
  ExpectAll({"let x: import(\"a\").B<C>", "let x: typeof import('a')",
             "let x: import(\"a\", { with: { \"b\": \"c\" } }).d"},
            true);
  ExpectAll({"let x: import(\"a\", b)", "let x: import(\"a\", {})", "let x: import(\"a\",)",
             "let x: import(\"a\", { with: { b: \"c\" } },)"},
            false);
  EXPECT_TRUE(Fits("let x: import(", "\"a\"", ");\n"));
  EXPECT_FALSE(Fits("let x: import(", "A", ");\n"));
  EXPECT_FALSE(Fits("let x: import(\"a\", ", "b", ");\n"));
}

TEST(TypeScript, PredicatesAreReadBeforeTypes) {
  ExpectAll({"(a): a is B => c", "(): asserts this is B => c", "type A = (b) => b is C"}, true);
  for (const char* text : {"let a = (): keyof is => b", "let a = (): infer is extends B => c"})
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  EXPECT_TRUE(Emits(TypeScript(), "let a = (b): b is C => d"));
}

TEST(TypeScript, AssertionsStandOnTheLineOfTheirValue) {
  ExpectAll(
      {"a as B", "a as const", "a satisfies B as C", "(a as B).c", "a! .b", "a!++", "<T>a",
       "a as B | C", "a as B ? c : d", "a ?? b as C", "a as B\n< c", "a as B * c", "a as B\n/ c"},
      true);
  ExpectAll({"a\nas B", "a as B < c", "a as B(c)", "a as B << c", "a as B\n/'/"}, false);
  EXPECT_FALSE(Emits(TypeScript(), "let x = <T>a"));
}

TEST(TypeScript, MembersHaveModifiersInTheirOrder) {
  ExpectAll(
      {"class A { private static readonly a: B = c }",
       "abstract class A { protected abstract a(): B }", "class A { a?: B; c!: D }",
       "class A { constructor(private readonly a: B) {} }", "class A { a(): B; a() {} }",
       "class A { declare readonly a: B }", "class A { readonly\na }", "class A { [a: string]: B }",
       "class A<T> extends B<T> implements C, D {}", "class A { @a() b: C }"},
      true);
  for (const char* text :
       {"class A { public a() {} }", "class A { private static readonly a: B = c }",
        "class A extends B { override a() {} }", "abstract class A { abstract a(): B }"}) {
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  }
  for (const char* text : {"class A { static public a }", "class A { readonly a() {} }",
                           "class A { abstract a() }", "class A { override a() {} }",
                           "abstract class A { abstract a() {} }", "class A { declare a = 1 }"}) {
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  }
}

TEST(TypeScript, WordsAreNamesWhereTheyBeginNothing) {
  ExpectAll({"type = 1", "type\nA = B", "declare\nlet a", "abstract\nclass A {}", "module.a",
             "let type = 1, declare = 2, is = 3", "namespace A\n{}", "type(a)", "global.a",
             "let a: { get: B; set(): C; readonly: D }"},
            true);
  ExpectAll({"interface\nA {}", "namespace\nA {}", "let a: keyof", "let a: infer"}, false);
}

TEST(TypeScript, WhatIsDeclaredHasNoBody) {
  ExpectAll({"declare module 'a' { export const b: C; global { } }", "declare global { let a: B }",
             "declare function f(a: A): B", "declare class A { b(): C }", "export = a",
             "export as namespace A", "import A = require('b')", "import type { A } from 'b'",
             "import { type A, type as as b } from 'c'", "export type * from 'a'"},
            true);
  EXPECT_FALSE(Emits(TypeScript(), "declare function f() {}"));
  EXPECT_FALSE(Emits(TypeScript(), "declare let a = 1"));
}

// TypeScript looks for a second `:` behind `b ? (c) : d => e`, and takes the first one for a type.
TEST(TypeScript, AChoiceWithinAChoiceDoesNotEndWithAnArrowFunction) {
  for (const char* text :
       {"let x = a ? b ? c : d : e;", "let x = a ? (b ? (c) : d => e) : f;",
        "let x = a ? {b: c ? (d) : e => f} : g;", "let x = a ? b => c : d => e;",
        "let x = a ? `${b ? (c) : d => e}` : f;",
        "let x = a ? () => { return b ? (c) : d => e; } : f;",
        "function f({a = b ? c : d}, e = g ? h : i) {}", "for (let x = a ? b ? c : d : e;;);"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  for (const char* text :
       {"let x = a ? b ? (c) : d => e : f;", "let x = a ? b ? g => (c) : d => e : f;",
        "let x = a ? b ? c : async d => e : f;", "for (let x = a ? b ? (c) : d => e : f;;);"})
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
}

// Behind `as T` TypeScript takes a `?` for the type's where what follows begins no type.
TEST(TypeScript, NoCastIsWrittenAsATest) {
  EXPECT_TRUE(
      Emits(TypeScript(), "let x = (a as B) ? -c : d, e = f as G, h = i == (j as K) ? l : m;"));
  for (const char* text : {"let x = a as B ? c : d;", "let x = a == b as C ? d : e;"}) {
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  }
}

// TypeScript looks for the `>` of a `<` in objects and templates, but not in patterns and bodies.
TEST(TypeScript, AGreaterInAnObjectBehindALessIsNotWritten) {
  for (const char* text : {"f(a, {b: c < d}); let x = {a: b > c, d: `${e > (f)}`};",
                           "f(a < b, () => { return c > (d); });"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  for (const char* text :
       {"f(a < b, {c: d > (e)});", "f(a < b, `${c > (d)}`);", "let x = a < {c: d > (e)};"})
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
}

TEST(TypeScript, ADeclaredClassExtendsACallWithTypes) {
  for (const char* text :
       {"class A extends B.c('d')<E, F>() {}", "export class A extends B<C>()('d') {}",
        "class A extends B { c = new.target; }"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  EXPECT_FALSE(Emits(TypeScript(), "let x = a < [class extends b()<5>(c) {}];"));
}

// TypeScript takes `for (let x = [a in b];;)` for the head of a loop over an object.
TEST(TypeScript, InIsWrittenOutsideOfTheHeadOfAFor) {
  for (const char* text : {"f(a, 'b' in c ? d : e);", "let x = ['a' in b ? c : d];",
                           "f(a, (b, c) => c.d() in b);", "for (let x = f([a in b]);;);"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  for (const char* text : {"for (let x = [(a in b)];;);", "for (let x = (a = b in c) => a;;);"}) {
    EXPECT_TRUE(Accepts(TypeScript(), text)) << text;
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  }
}

TEST(TypeScript, GlobalIsAWrittenNameButOfAStatementOfItsOwn) {
  for (const char* text : {"let global: any = globalThis, b = global; global.a = f(global);",
                           "f('a' in global, global['b']);"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  for (const char* text : {"global;", "f(delete global.a, global(b));"})
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  EXPECT_FALSE(Emits(TypeScript(), "f(async, async(a));"));
  EXPECT_FALSE(Emits(TypeScript(), "delete global;"));
}

// Behind `g<T[]>` a line that begins with `-` goes on with a comparison.
TEST(TypeScript, TypeArgumentsWithoutACallAreWrittenBeforeACommaOrABracket) {
  for (const char* text : {"f(g<T>, h<U[]>);", "let x = {a: b.c<D>};", "f(a < b, c<d>);"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  EXPECT_FALSE(Emits(TypeScript(), "let x = g<T>;"));
  EXPECT_FALSE(Emits(TypeScript(), "f(g<T> || h);"));
}

TEST(TypeScript, CommonFormsAreWritten) {
  for (const char* text :
       {"interface A {} export type { A };", "let a; type B = 1; export { a, type B };",
        "let as = 1; const { as: a, from } = b; import { type as, of } from 'c';",
        "type A = ({ b, c: d }: E, [f, , g]: H) => I;", "interface A { b({ c }?: D): E; }",
        "declare const a = 'b', c = -1, d = true, e: F;",
        "declare class A { #private; readonly b = 'c'; }", "import type as = require('a');",
        "declare function a({ b }?: C): D; declare class A { constructor({ b }?: C); }",
        "class A { #a: B = 1; readonly #b = 2; static readonly #c: D; async #d() {} get #e() "
        "{ return this.#a; } }",
        "async function a(): B\nasync function a() {}", "let a = await_(import('b' as string));",
        "f<A, | B | C>(d); class A extends B<C, | 'd' | 'e'> {}"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  for (const char* text :
       {"export type { A };", "export type as = 1;", "import type from = require('a');",
        "declare class A { b = 1; }", "function a({ b }?: C) {}", "declare const a = b;",
        "declare const a = 1 + 2;", "let a\n!: B;", "class A { a\n!: B; }",
        "class A { private #a; }", "class A { #a?: B; }", "abstract class A { abstract #a: B; }",
        "class A { a = #b in c; #b; }"})
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  ExpectAll({"class A { declare #a }", "class A { b = #a in c; #a }", "export { type }"}, true);
}

// Behind the `>` of type arguments no name or number stands on the same line.
TEST(TypeScript, AGreaterBeforeANameOrANumberIsWrittenEverywhere) {
  for (const char* text :
       {"f(a, b > 0 && c, d.e > f.g[1].h(i) + 2);", "let x = [a, b > -1, c?.d > e];",
        "f(a < b, c > d);", "g(a, b => b > 1);"})
    EXPECT_TRUE(Emits(TypeScript(), text)) << text;
  for (const char* text : {"f(a < b, c >\nd);", "let x = [a, b >\nc];", "f(a, b > `c`);",
                           "f(a < b, c > as);", "f(a < b, c > satisfies);"})
    EXPECT_FALSE(Emits(TypeScript(), text)) << text;
  EXPECT_TRUE(Fits("f(a < b, c ", "> d", ");\n"));
  EXPECT_FALSE(Fits("f(a < b + 1, c ", ">", " (d));\n"));
}

TEST(TypeScript, AGapKnowsTypesAndValues) {
  EXPECT_TRUE(Fits("let a: Map<", "string, B", "> = new Map();\n"));
  EXPECT_TRUE(Fits("function f(a", "?: number", "): void {}\n"));
  EXPECT_TRUE(Fits("let a = f", "<B>", "(c);\n"));
  EXPECT_TRUE(Fits("interface A {\n  ", "b: C", "\n  d(): E;\n}\n"));
  EXPECT_TRUE(Fits("let a = b ", "as unknown ", "as C;\n"));
  EXPECT_FALSE(Fits("let a: Map<", "1 + 2", "> = b;\n"));
  EXPECT_FALSE(Fits("let a = ", "<B>", "c;\n"));
}

}  // namespace
}  // namespace tenon::grammars
