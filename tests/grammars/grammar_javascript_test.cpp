// JavaScript's grammar on the hazards of the language: regular expressions against divisions,
// inserted semicolons, templates, patterns. Each text has the verdict of node as a script or as a
// module. tests/exactness asks node itself.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

const constraint::Language& JavaScript() { return ShippedLanguage("javascript.lark"); }

bool Fits(const std::string& left, const std::string& middle, const std::string& right) {
  return Closes(JavaScript(), left, middle, right);
}

void ExpectAll(const std::vector<std::string>& texts, bool accepted) {
  for (const std::string& text : texts) EXPECT_EQ(Accepts(JavaScript(), text), accepted) << text;
}

TEST(JavaScript, TheParserTellsRegularExpressionsFromDivisions) {
  ExpectAll({"if (x) /re/.test(y)", "(x) /re/ y", "{} /re/", "x = {} /re/ g", "x++ /re/ g",
             "function f() { return /re/ }", "x = a\n/b/g", "/[/]/", "/=a/", "x /= 2",
             "f(/'/, '/')", "`${/}/.test(a)}`", "a = b ? /c/ : d / e / f"},
            true);
  ExpectAll({"/a/xx", "/(/", "/a", "/+/", "x = {}\n/'/"}, false);
}

// In given text `await` is a name or an operator: each reading has lexemes of its own.
TEST(JavaScript, BehindAwaitASlashIsReadBothWays) {
  ExpectAll({"async function f() { await /a/ }", "async function f() { await/ / }",
             "async () => { b = await /[/]'/.exec(await /(c)/g) }", "await / a / b", "await /a/g",
             "await /= 2", "await / 2 / await / 'a'", "await /a", "await /a/ 'b'",
             "async () => { await /'/; await /`/; return '`' }", "await\n/a/.b"},
            true);
  ExpectAll({"await /(/", "await / a) / b", "await /a/.b /c/ (d", "await /a/ b c"}, false);
  std::string many, divided;
  for (int i = 0; i < 2000; ++i) {
    many += "await /a/.test(await /b/g);\n";
    divided += "a = await / b / c;\n";
  }
  ExpectAll({"async () => {" + many + divided + "}"}, true);
  ExpectAll({"async () => {" + many + divided + "1 2}"}, false);
  EXPECT_TRUE(Emits(JavaScript(), "async () => { await /a/ }"));
  EXPECT_FALSE(Emits(JavaScript(), "async () => { await / a }"));
  EXPECT_TRUE(Fits("async () => { x = await ", "/'/.test(a)", " };\n"));
  EXPECT_TRUE(Fits("async () => { x = await /'/.test(", "a", "), await /'/ };\n"));
  EXPECT_TRUE(Fits("x = await / 2 + ", "a", " / await / '';\n"));
  EXPECT_TRUE(Fits("async () => { ", "a;", "\n" + divided.substr(0, 1900) + "}\n"));
  EXPECT_FALSE(Fits("async () => { ", "a;", "\n" + divided.substr(0, 1900) + ")\n"));
}

TEST(JavaScript, SemicolonsAreInsertedWhereALexemeDoesNotFit) {
  ExpectAll({"a\nb", "a\n++b", "function f() { return\n1 }", "a\n(b)", "do x; while (a) b",
             "class A { a\nb }", "class A { a\n*b() {} }", "a/*\n*/++b", "{ a }", "a\u2028b",
             "var a\n/re/.test(a)"},
            true);
  ExpectAll({"a b", "for (a\nb\nc) {}", "if (a)\nelse b", "throw\n1", "(a)\n=> b", "debugger a"},
            false);
}

// Of scripts; and V8 refuses a call as a target when it is reached, not when it is read.
TEST(JavaScript, LetAloneAndCallsAsTargetsAreReadAndNotWritten) {
  for (const char* text :
       {"let", "{ let }", "let;", "let = 1", "f()++", "--f()", "f() += 1", "f(a--)\nf().g()--"}) {
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  }
  ExpectAll({"f()\n++", "f() &&= 1", "let let", "++import(a)", "import(a) = 1", "f()`a`++"}, false);
  EXPECT_FALSE(Fits("let ", "", "\n")) << "nothing for want of a name";
  EXPECT_FALSE(Fits("let ", ";", ""));
  EXPECT_TRUE(Fits("let\n", "a", ""));
}

TEST(JavaScript, PatternsStandLeftOfAnAssignmentAndBeforeAnArrow) {
  ExpectAll({"({a = 1} = x)", "[(a)] = x", "({} = x)", "(a, [b], {c = 1}, ...d) => b", "(a,) => b",
             "for ([a] of b);", "[a.b, {c: d[0]}] = x", "async (a, b) => a", "async x => x"},
            true);
  ExpectAll({"({a = 1})", "([a]) = x", "(a + b) => c", "((a)) => c", "a || b => c", "(a,)",
             "a + b = c", "1 = 2", "{} = x", "(...a,) => b", "(a.b) => c", "[a + b] = c"},
            false);
}

// V8 compares `[a] = b` with the errors of the arguments before it, which the specification does
// not.
TEST(JavaScript, BehindAnArgumentNoPatternIsWrittenLeftOfAnAssignment) {
  for (const char* text : {"f([1], [a] = b)", "f({a: 1}, ...{b} = c)", "new F([1], c, {b} = c)"}) {
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  }
  for (const char* text : {"f([a] = b, [1])", "f([1], a = b, c.d = e)", "f([1], ([a] = b))",
                           "f([1], [a], {b: c.d})", "f([1], [a] in b, ({c}) => c)"}) {
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  }
}

// V8 refuses the first.
TEST(JavaScript, NoMemberIsWrittenLeftOfOf) {
  for (const char* text : {"for (a.async of b);", "for (a.b of c);", "for (a[b] of c);"}) {
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  }
  for (const char* text : {"for (a of b);", "for ([a.b] of c);", "for (a.async in b);"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
}

TEST(JavaScript, TemplatesHoldFields) {
  ExpectAll({"`a${`b${c}`}`", "`${ {a: 1} }`", "a`\\u`", "`a$b`", "`\\${a}`"}, true);
  ExpectAll({"`\\01`", "`\\u`", "`a", "`${a`", "`${}`"}, false);
}

TEST(JavaScript, BlanksAreWrittenAsSpacesAndTabs) {
  for (const char* blank : {"\xc2\xa0", "\xef\xbb\xbf", "\v", "\f"}) {
    EXPECT_TRUE(Accepts(JavaScript(), "a =" + std::string(blank) + "b"));
    EXPECT_FALSE(Emits(JavaScript(), "a =" + std::string(blank) + "b"));
  }
  EXPECT_TRUE(Emits(JavaScript(), "a = \tb"));
}

TEST(JavaScript, NumbersAndOperatorsAreThoseOfTheSpecification) {
  ExpectAll({"a?.5:1", "a?.b", "1..a", "0x1f", "1_000", "08.5", "a ** -b", "a ?? b", "x => y in z"},
            true);
  ExpectAll({"3in []", "1.a", "0_1", "1.5n", "0x", "-a ** b", "a ?? b || c", "a?.[b]:c",
             "new a?.b()", "a?.b = 1", "for (var a = b in c;;);", "010.5"},
            false);
}

TEST(JavaScript, WordsThatStrictCodeReservesAreReadAsNamesAndNotWritten) {
  for (const char* text : {"let public = 1", "function f(interface) {}", "package()", "static = 1",
                           "a = let", "let.a()"}) {
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  }
  EXPECT_TRUE(Emits(JavaScript(), "let a = {private: b.public}"));
}

TEST(JavaScript, AGapKnowsBothReadingsOfASlash) {
  EXPECT_TRUE(Fits("x = ", "/a[/]'/g", ";\ny = '';\n"));
  EXPECT_TRUE(Fits("x = a ", "/ b", " / c;\n"));
  EXPECT_TRUE(Fits("if (a) ", "b", " / c / d;\n"));
  EXPECT_TRUE(Fits("x = f(", "a, ", "/'/g);\n"));
  EXPECT_TRUE(Fits("let x = `a${", "b", "}c`;\n"));
  EXPECT_FALSE(Fits("x = a ", "b", ";\n"));
}

// A data file: the cursor is in the first of many elements.
TEST(JavaScript, AGapBeforeThousandsOfElementsIsRead) {
  std::string elements;
  for (int i = 0; i < 3000; ++i) elements += std::to_string(i) + ", ";
  EXPECT_TRUE(Fits("x = [", "7, ", elements + "];\n"));
  EXPECT_FALSE(Fits("x = [", "7, ", elements + ");\n"));
}

TEST(JavaScript, WrittenWordsKeepToTheirPlaces) {
  EXPECT_TRUE(Fits("async function f() { ", "await g();", " }\n"));
  EXPECT_FALSE(Fits("function f() { ", "await g();", " }\n"));
  EXPECT_TRUE(Fits("while (a) { ", "break;", " }\n"));
  EXPECT_FALSE(Fits("if (a) { ", "break;", " }\n"));
  EXPECT_FALSE(Fits("while (a) { f(() => { ", "break;", " }) }\n"));
  EXPECT_FALSE(Fits("x = ", "010", ";\n"));
}

TEST(JavaScript, ALocalExportNamesWhatIsDeclaredFurtherUp) {
  for (const char* text : {"export {};", "let a; export { a, };", "class a {} export { a as b };",
                           "import { a as b } from 'c'; export { b as default };",
                           "const { a, b: [c] } = d; export { a, c };"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  for (const char* text : {"export { a };", "let b; export { b, a };", "export { a }; let a;",
                           "import { a as b } from 'c'; export { a };"}) {
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
  }
  ExpectAll({"export { if };", "export { 'a' };"}, false);
  EXPECT_TRUE(Fits("const ab = 1, ac = 2;\nexport { ab", ", ac };\n", ""));
  EXPECT_TRUE(Fits("const ab = 1;\nexport { ", "ab", " };\n"));
  EXPECT_FALSE(Fits("const ab = 1;\nexport { ", "abc", " };\n"));
}

TEST(JavaScript, APrivateNameIsWrittenWhereItsClassDeclaresItFurtherUp) {
  for (const char* text :
       {"class A { #a = 1; b() { return this.#a; } }", "class A { #a() {} b = c?.#a; }",
        "class A { #a; b() { return class { #c; d() { return this.#a + this.#c; } }; } }"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  for (const char* text : {"class A { b() { return this.#a; } #a; }", "a.#b;",
                           "class A { #a; } class B { c() { return this.#a; } }"})
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  ExpectAll({"class A { b() { return #a in this && this.#a; } #a; }"}, true);
  ExpectAll({"class A { #constructor; }"}, false);
  EXPECT_TRUE(Fits("class A { #count = 0; next() { return this.#", "count++", "; } }\n"));
  EXPECT_FALSE(Fits("class A { #count = 0; next() { return this.#", "total", "; } }\n"));
}

// A pattern with the flag `u` is stricter; tenon writes it where the pattern is the same without.
TEST(JavaScript, UnicodePatternsAreWrittenWhereNothingInThemIsLoose) {
  ExpectAll({"/a/u", "/[\\w-.]+\\-/", "/\\p{L}/u", "/(?=a)*/", "/\\u{61}/u", "/[a-z&&[b]]/v"},
            true);
  ExpectAll({"/a/ub", "/a/1"}, false);
  for (const char* text :
       {"a = /[a-z\\-]\\d+(?:\\u2028|\\0)$/u;", "a = /(?!b)c{0,126}|d{12,}/gu;", "a = /\\-/g;"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  for (const char* text : {"a = /\\-/u;", "a = /(b|\\:)/u;", "a = /[\\#]/u;", "a = /(?=a)*/u;",
                           "a = /\\00/;", "a = /a/v;", "a = /a{20,10}/;"})
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  EXPECT_TRUE(Fits("a = /b\\.", "c/u", ".test(d);\n"));
  EXPECT_FALSE(Fits("a = /b\\-", "c/u", ".test(d);\n"));
}

TEST(JavaScript, NewTargetIsWrittenInFunctionsAlone) {
  for (const char* text :
       {"function A() { if (!new.target) return new A(); f(a, new.target.prototype); }",
        "class A { b = new.target; c() { return () => new.target; } static { new.target; } }",
        "a = { b(c = new.target) {} };"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  for (const char* text :
       {"new.target;", "a = () => new.target;", "class A { [new.target]() {} }"}) {
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  }
  EXPECT_TRUE(Fits("function f() { return ", "new.target", "; }\n"));
  EXPECT_FALSE(Fits("a = ", "new.target", ";\n"));
}

// TypeScript, the parser of JSX, takes `async (...a, b)` for the beginning of an arrow function.
TEST(JavaScript, AsyncIsAWrittenNameButOfCallsAndStatements) {
  for (const char* text : {"const async = a('async'); async.b(c, async); for (const async of d);",
                           "import { async } from 'a'; b = async; if (async) c([async], async[0]);",
                           "function async(async) { return async.a; }"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  for (const char* text : {"async(a);", "async = 1;", "async\nfunction a() {}"}) {
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  }
  ExpectAll({"for (async of a);"}, false);
}

TEST(JavaScript, AnImportOfAnExpressionIsWritten) {
  for (const char* text : {"a = import(b.c + d());", "import(a ? 'b' : `c`).then(d);"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  for (const char* text : {"import(a, b);", "a + import([b] = c);"}) {
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  }
  ExpectAll({"import(...a);", "import();"}, false);
}

TEST(JavaScript, AttributesStandOnTheLineOfTheirModule) {
  EXPECT_TRUE(Emits(JavaScript(), "import \"a\" with { b: \"c\" }"));
  EXPECT_TRUE(Accepts(JavaScript(), "import \"a\"\nwith { b: \"c\" }"));
  EXPECT_FALSE(Emits(JavaScript(), "import \"a\"\nwith { b: \"c\" }"));
}

TEST(JavaScript, AHashbangIsWrittenAtTheBeginning) {
  EXPECT_TRUE(Emits(JavaScript(), "#!/usr/bin/env node\na = 1;"));
  ExpectAll({"\n#!/usr/bin/env node\na = 1;"}, false);
  EXPECT_TRUE(Fits("", "#!/usr/bin/env node\n", "a = 1;\n"));
  EXPECT_FALSE(Fits("", "#!/usr/bin/env node", "a = 1;\n"));
}

// Without the flag `u` a number behind a backslash is a group's or a character's, and a lone
// bracket stands for itself.
TEST(JavaScript, LoosePatternsAreWrittenWithoutTheFlagU) {
  for (const char* text : {"a = /(['\"])b\\1/g;", "a = /^{([^}]*)}$/;", "a = /]{,5}/;",
                           "a = /b{14,19}c{2,10}d{9,9}e{50,2000}/u;"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  for (const char* text : {"a = /(b)\\1/u;", "a = /{b/u;", "a = /b{19,14}/;", "a = /b{9,8}/;",
                           "a = /(?<b>c)/;", "a = /\\p{L}/u;"})
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  ExpectAll({"a = /{5}/", "a = /b|{5}/"}, false);
}

TEST(JavaScript, CommonFormsAreWritten) {
  for (const char* text :
       {"import get from 'a'; let set = get, from = of(as);", "const { from, as = 1 } = a;",
        "function get(as, of) {}", "const constructor = a.constructor;",
        "import a from 'b' with { type: 'json' };", "a = import.meta.url;",
        "a = 10_000 + 1_0n + 0xff_ff + .5 + 0o17;", "a = '\\0\\0a' + '\t';",
        "a = [1., 2. + 3., '\\u{1F600}', \"\\u{10ffff}\"];",
        "a = /[^[\\]{}]/.test(b) && /[0-7۰]/ig.test(c) && /[*^]/m.test(d);"})
    EXPECT_TRUE(Emits(JavaScript(), text)) << text;
  for (const char* text : {"a = '\\01';", "a = '\\0\\1';", "a = 1_;", "a = /[5-3]/;",
                           "import a from 'b' with { type: 'json', type: 'css' };", "a = 010n;",
                           "a = 1.b;", "a = '\\u{110000}';", "new import.meta;", "a = /b/gg;"})
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
}

// Scripts have such comments. Nobody writes them, and no middle makes one of given signs.
TEST(JavaScript, ACommentOfHtmlIsReadAndNotWritten) {
  for (const char* text : {"<!-- a", "a() <!-- b; \nc()", "if (a) <!--\n  b()"}) {
    EXPECT_TRUE(Accepts(JavaScript(), text)) << text;
    EXPECT_FALSE(Emits(JavaScript(), text)) << text;
  }
  EXPECT_FALSE(Fits("a ", "<!--", "b\nc()\n"));
  EXPECT_FALSE(Fits("if (a <", "", "!--b) {}\n"));
  EXPECT_TRUE(Fits("if (a <", " ", "!--b) {}\n"));
}

}  // namespace
}  // namespace tenon::grammars
