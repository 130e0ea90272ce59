// Python's grammar, one group of rules at a time: what stands on each side of a border that CPython
// draws. The verdicts are those of `ast.parse` in CPython 3.13 (accepted) and in 3.9 (written);
// tests/exactness asks the real ones.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/reading/reading.h"
#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

const constraint::Language& Python() { return ShippedLanguage("python.lark"); }

void AllValid(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const constraint::CheckResult result = Check(Python(), text, constraint::Strength::kAccept);
    EXPECT_TRUE(result.valid) << text << "\n" << result.message;
  }
}

void AllInvalid(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) EXPECT_FALSE(Accepts(Python(), text)) << text;
}

// Valid as given text, never written.
void OnlyGiven(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    EXPECT_TRUE(Accepts(Python(), text)) << text;
    EXPECT_FALSE(Emits(Python(), text)) << text;
  }
}

void Written(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const constraint::CheckResult result = Check(Python(), text, constraint::Strength::kEmit);
    EXPECT_TRUE(result.valid) << text << "\n" << result.message;
  }
}

bool Fits(const std::string& left, const std::string& middle, const std::string& right) {
  return Closes(Python(), left, middle, right);
}

TEST(PythonGrammar, HasNoConflicts) { EXPECT_TRUE(Python().table.conflicts().empty()); }

TEST(PythonGrammar, AssignsToTargetsOnly) {
  AllValid({"a = b = 1", "a.b, c[0], *d = e", "(a, [b, *c]) = d", "() = a", "[] = a", "*a, = b",
            "(a) = 1", "a[b:c, d] = 1", "f().a = 1", "x = yield", "x = *a, b", "(a.b)[0] = 1"});
  AllInvalid({"a + b = c", "f() = 1", "1 = a", "(a, b + c) = d", "[a, 1] = b", "(*a) = b",
              "None = 1", "a = 1 = b", "a if b else c = 1", "{a} = b", "'a' = 1", "(yield) = 1",
              "a < b = 1", "lambda: a = 1", "(a := 1) = 2", "*f() = 1", "..., = a"});
}

TEST(PythonGrammar, AugmentsAndAnnotatesOneTarget) {
  AllValid({"a += 1", "a.b **= yield", "(a) //= 2", "a: int", "a.b: int = 1", "(a): int",
            "a[0]: int = *b, c", "a @= b, c"});
  AllValid({"(a).b += 1", "(a).b = 1", "(a): int", "((a.b)): int", "(a, b)[0]: int", "f()[0]: int",
            "(f()).a: int"});
  AllInvalid({"(a).b: int", "(a.b)[0]: int", "(a)().b: int = 1", "(([], b)[:]).c: int"});
  AllInvalid({"a, b += 1", "(a, b) += 1", "[a] += 1", "a: int = b = c", "a, b: int", "(a, b): int",
              "[a]: int", "f(): int", "a += b += c"});
}

TEST(PythonGrammar, DeletesTargetsWithoutAStar) {
  AllValid({"del a", "del a, b.c, d[0]", "del (a, [b])", "del (a),", "del ()", "del [], a"});
  AllInvalid({"del", "del 1", "del f()", "del *a", "del (*a, b)", "del a + b", "del (a, b.c())",
              "del (a for a in b)"});
}

TEST(PythonGrammar, BindsTargetsInLoopsAndWith) {
  AllValid({"for a, *b in c: pass", "for (a, b).c in d: pass", "for x in *a, b: pass",
            "[a for a.b, c[0] in d if e if f]", "with a as (b, c): pass",
            "with (a as b, c as d,): pass", "with (a, b as c): pass", "with (a, b): pass",
            "with (a) as b, c: pass", "with (a, b).c: pass", "with (yield): pass",
            "with (a if b else c, d as e): pass"});
  AllInvalid({"for f() in a: pass", "for a + b in c: pass", "for a in b if c: pass",
              "[a for a in b if c else d]", "[a for a in lambda: b]", "with a as b + c: pass",
              "with (a, *b, c as d): pass", "with (a := b, c as d): pass", "with: pass",
              "[*a for a in b]", "{**a for a in b}", "f(**a for a in b)", "(a, b for a in c)"});
}

TEST(PythonGrammar, OrdersArguments) {
  AllValid({"f(a, *b, c, d=1, *e, **g, h=2,)", "f(a for a in b)", "f(**a, b=1)", "f(a := 1, *b)",
            "class A(b, c=d, **e): pass", "f(*a if b else c)"});
  AllInvalid({"f(a=1, b)", "f(**a, b)", "f(**a, *b)", "f(a for a in b, c)", "f(a, b for b in c)",
              "f(a.b=1)", "f(True=1)", "f((a)=1)", "f(,)", "f(a b)", "class A(b for b in c): pass",
              "f(a=b:=1)"});
}

TEST(PythonGrammar, OrdersParameters) {
  AllValid({"def f(a, b=1, /, c=2, *d, e, g=3, **h,): pass", "def f(a, /, b, *, c): pass",
            "def f(*, a): pass", "def f(*a: *b): pass", "def f(a: int = 1, *b: c) -> d: pass",
            "lambda a, /, b=1, *c, d, **e: f", "lambda *, a=1: a", "lambda: (yield)"});
  AllInvalid({"def f(a=1, b): pass", "def f(*): pass", "def f(*, **a): pass", "def f(/, a): pass",
              "def f(a, /, b, /): pass", "def f(*a, *b): pass", "def f(**a, b): pass",
              "def f(*a, /): pass", "def f(a, /=1): pass", "def f(a=1, /, b): pass",
              "def f((a)): pass", "lambda a: int: b", "lambda a=1, b: c", "lambda *: a",
              "def f(*a=1): pass", "def f(**a=1): pass"});
}

TEST(PythonGrammar, MatchesPatterns) {
  AllValid({"match a:\n case 1 | -1.5 | 1 + 2j | 'a' 'b' | None: pass",
            "match a, *b:\n case [_, *_] if c: pass", "match *a, b:\n case c, *d: pass",
            "match a:\n case {'b': c, d.e: 1, **f}: pass", "match a:\n case B(c, d=e,): pass",
            "match a:\n case (b as c) | _: pass", "match a:\n case _.b: pass", "match(a)",
            "match = 1", "match[a]: int", "match - a", "case = type = match",
            "type X[T: int, *U, **V] = W", "type = 1", "print(type, match)"});
  AllInvalid({"match a:\n case b as _: pass", "match a:\n case {**_}: pass",
              "match a:\n case 1 + 2: pass", "match a:\n case B(c=1, d): pass",
              "match a:\n case -b: pass", "match a:\n case {**b, 'c': d}: pass",
              "match a:\n case b():\n pass", "match a:\n pass", "match a: int b",
              "match a:\n case f() + 1: pass", "match a:\n case 'a' b'c': pass",
              "match a:\n case 1j + 2: pass", "type X[] = a", "type a.b = c"});
}

TEST(PythonGrammar, KeepsTryAndImportInShape) {
  AllValid({"try: a\nexcept: b", "try: a\nexcept* b as c: d\nelse: e\nfinally: f",
            "try: a\nfinally: b", "from ....a import b as c, d", "from . import (a, b,)",
            "import a.b as c, d"});
  AllInvalid({"try: a", "try: a\nelse: b", "try: a\nexcept b: c\nexcept* d: e",
              "try: a\nexcept*: b", "try: a\nexcept b, c: d", "from a import b,",
              "from a import ()", "import a.b as c.d", "from . a import", "import (a)",
              "from .a import *, b"});
}

TEST(PythonGrammar, PlacesAssignmentExpressions) {
  AllValid({"(a := 1)", "f(a := 1)", "{a := 1}", "a[b := 1]", "if a := 1: pass", "[a := 1, b]",
            "@a := b\ndef f(): pass", "x = (y := 0)"});
  AllInvalid({"a := 1", "f(a=b := 1)", "a[b := 1 : 2]", "lambda: a := 1", "{a := 1: 2}",
              "(a.b := 1)", "assert a := 1", "return a := 1", "(a := b := 1)"});
}

TEST(PythonGrammar, TakesTheLongestLexeme) {
  AllValid({"1if a else b", "0xfor b", "1_000", "00", "09.5", "1.e5", "1..real", "0_0", "a<-b",
            "x = a if b else-c", "1.or 2"});
  AllInvalid({"x ifa else b", "a orb", "for x inrange(3): pass", "from a importb", "a notin b",
              "0or 1", "0777", "1_", "1__0", "1e", "0x", "a--", "a++", "with 1as a: pass", "a <> b",
              "a ? b", "a $ b", "`a`", "a!"});
}

TEST(PythonGrammar, ChecksLiterals) {
  AllValid({R"('\x41\u0041\U0010ffff\N{BULLET}\d\777')", R"(r'\x')", R"(b'\x41\u')", R"(Rb'\x')",
            "u'a' 'b'", "'''a'\n''b'''", "'a\\\nb'", "b'a' rb'b'", "f'{a}' 'b'",
            "f'{a!r:>{b}}{{c}}'", "f'{a[\"b\"]}'", "f\"{a[\"b\"]}\"", "rf'\\{a}'", "f'''{a:\n}'''",
            "f'{a:{b:{c}}}'", "f'{ {1: 2}[1] }'"});
  AllInvalid({R"('\x4')",    R"('\u004')", R"('\U00110000')", R"('\N')", R"(b'\x4')",
              "b'\xc3\xa9'", "'a' b'b'",   "ur'a'",           "bu'a'",   "fb'a'",
              "'a",          "'''a",       "'a\nb'",          "f'{}'",   "f'{a'",
              "f'a}'",       "f'{a!x}'",   "f'{!r}'",         "f'{ }'",  "'a\\'"});
}

TEST(PythonGrammar, NamesCharactersAndLimitsDecimals) {
  const std::string digits(4300, '7');
  AllValid({digits, digits + "7.", digits + "7e1", digits + "7j", "0x" + digits + "7",
            std::string(5000, '0'), "1_" + digits.substr(1) + " + " + digits, "f'{" + digits + "}'",
            "case = " + digits + "\n"});
  AllInvalid({digits + "7", "-" + digits + "7", "1_" + digits, "f'{1" + digits + "}'",
              "match a:\n case 1" + digits + ": pass\n"});
  AllValid({R"('\N{EM DASH}\N{em dash}\N{NBSP}')", R"(f'\N{LF}{a:\N{LF}}')",
            R"(r'\N{x}' if b'\N{x}' else '\\N{x}')"});
  AllInvalid({R"('\N{EM DASHES}')", R"("""\N{EM DASH}\N{}""")", R"(f'\N{LFX}{a}')",
              R"(f'{a:\N{LFX}}')", R"(u'\N{ LF}')"});
}

TEST(PythonGrammar, WritesNoNamesOfCharacters) {
  EXPECT_FALSE(Python().lexeme_rules->IsPressing(constraint::kStartState, {}, 200))
      << "every mask would try every token";
}

TEST(PythonGrammar, EndsOneLineSpecificationsOfTextAloneByLineEnds) {
  AllValid({"f'{a:b\n}'", "f'{a:b{c:d\r}e}'", "f'{a:{b:{c:d\n}}}'", "f'''{a:{b}\n}'''"});
  AllInvalid({"f'{a:{b}\n}'", "f'{a:{b}c\r}'", "f'{a:b{c:{d}\n}}'", "f\"{a:{b:c}\n}\""});
}

TEST(PythonGrammar, ReadsLayout) {
  AllValid({"", "\n\n", "# a", "if a:\n\tb\n\n# c\n\td\ne\n", "if a: b; c;\n",
            "if a:\n  b\nelse:\n      c", "(a,\n\n  # b\n b)\n", "if a:\n\\\n  b\n", "a\r\nb\rc\n",
            "\xef\xbb\xbf"
            "a = 1\n",
            "x = \\\n  1\n", "x \\\n ", "(\\\n1)", "\\\nx\n", "\f\nif a:\n\f  b\n",
            "if a:\n  if b:\n    c\nd"});
  AllInvalid({" a",
              "if a:\nb",
              "if a:\n  b\n c",
              "if a:\n\tb\n        c",
              "if a:\n  b\n    c",
              "a b",
              "if a:\n",
              "a\\ \nb",
              "(a",
              "a)",
              "(a]",
              ";",
              "if a: if b: c",
              "if a:\n  b\n  \xef\xbb\xbf",
              "a = 1\n\xc2\xa0",
              "for a in b:\n# c\n",
              "x \\\n",
              "\\\n",
              "x \\\n  \\\n",
              "(\\\n"});
}

TEST(PythonGrammar, WritesJoinedLinesBehindContent) {
  Written({"x = 1 + \\\n  2\n", "(a,\n\\\n b)\n", "if a: \\\n  b\n", "a; \\\n\n",
           "if a:\n  b \\\n\n  c\n", "a \\\r\n+ b\n", "a \\\n# b\n"});
  OnlyGiven({"\\\na\n", "if a:\n\\\n  b\n", "if a:\n  \\\nb\n", "a\n\n\\\nb\n", "f'{a\\\n}'\n"});
}

TEST(PythonGrammar, WritesJumpsInTheirPlacesOnly) {
  Written({"def f():\n  return 1",
           "def f():\n  for a in b:\n    if a:\n      break\n    else:\n      continue",
           "def f():\n  a = yield\n  yield a, b\n  yield from c",
           "async def f():\n  async with a:\n    return await b",
           "async def f():\n  async for a in b:\n    continue\n  return [await c async for c in d]",
           "while a:\n  def f(): return\n  break", "class A:\n  def f(self):\n    return",
           "def f():\n  for a in b: pass\n  else: return",
           "async def f():\n  def g(a=await b): pass",
           "async def f():\n  yield a\n  b = yield\n  c = (yield)\n  return",
           "def f():\n  return (yield from a)",
           "def f():\n  (yield)\n  a = (yield b, c)\n  return (yield)",
           "class A:\n  a = lambda: (yield)", "[lambda: (yield from a) for a in b]",
           "async def f():\n  lambda: (yield from a)", "def f():\n  return (a async for a in b)",
           "class A:\n  c = f(a for d in e async for a in b if a)"});
  OnlyGiven({"return",
             "if a:\n  return 1",
             "class A:\n  return",
             "def f():\n  class A:\n    return",
             "break",
             "def f():\n  continue",
             "while a:\n  def f():\n    break",
             "while a:\n  class A:\n    break",
             "while a: pass\nelse: break",
             "yield",
             "a = yield b",
             "def f():\n  class A:\n    yield",
             "def f():\n  await a",
             "await a",
             "def f():\n  async with a: pass",
             "async def f():\n  def g():\n    await a",
             "async def f():\n  lambda: await a",
             "async def f():\n  yield from a",
             "async def f():\n  return (yield a)",
             "async def f():\n  lambda: (yield await a)",
             "class A:\n  (yield)",
             "def f():\n  [(yield) for a in b]",
             "def f():\n  ((yield) for a in b)",
             "def f():\n  return [a async for a in b]",
             "def f():\n  return ({a async for a in b} for c in d)",
             "def f():\n  return (await a async for a in b)"});
}

TEST(PythonGrammar, WritesWhatALevelBrought) {
  auto writes = [](const std::string& text, const char* level) {
    return Check(Python(), text, constraint::Strength::kEmit,
                 Python().grammar.LevelsUpTo(level).value())
        .valid;
  };
  EXPECT_FALSE(writes("match a:\n  case 1: pass", ""));
  EXPECT_TRUE(writes("match a:\n  case 1: pass", "since_3_10"));
  EXPECT_TRUE(writes("type A = b", "since_3_12"));
  EXPECT_FALSE(writes("type A = b", "since_3_11"));
  EXPECT_TRUE(writes("def f[A = b](): return", "since_3_13"));
  EXPECT_TRUE(
      writes("def f():\n  for a in b:\n    try: pass\n    except* c:\n      for d in e: break",
             "since_3_11"));
  EXPECT_FALSE(
      writes("def f():\n  for a in b:\n    try: pass\n    except* c: break", "since_3_11"));
}

TEST(PythonGrammar, GivenTextBecomesNoNewerForm) {
  EXPECT_TRUE(Fits("f(", "a, ", " [b, *c])\n"));
  EXPECT_FALSE(Fits("f(", "a", " [b, *c])\n")) << "a subscript with a star, 3.11";
  EXPECT_TRUE(Fits("f(", "a", " [b, *c])\nx[*y]\n")) << "so new already";
  EXPECT_FALSE(Fits("f(", "a", " [b, *c])\nmatch x:\n  case 1: pass\n")) << "3.10";
  EXPECT_TRUE(Fits("", "if x:\n  pass\n", "match x:\n  case 1: pass\n"));
  EXPECT_TRUE(Fits("match x:\n  ", "case 1: pass", "\n")) << "nothing older";
  EXPECT_FALSE(Fits("match ", "x:\n  case 1: pass", "\n"))
      << "a name that something older may follow";
  EXPECT_TRUE(Fits("match ", "= 1", "\n"));
}

TEST(PythonGrammar, WritesPlainFormsOfEveryVersion) {
  Written(
      {"def f(a, *b, c=1, **d):\n    return a + 1.5, \"b\\n\", r'\\d', b'e', 0xff, 2j  # comment "
       "é\n",
       "with (a as b, c as d):\n    pass\n", "if (a := 1): pass\n",
       "async def f():\n    async for a in b: await c\n", "x = \"\"\"a\nb\"\"\"\n",
       "match = type\n", "try: a\nexcept b as c: d\n", "{a := 1}\n", "'\\x41\\0\\d\\\n'\n",
       "b'\\xff\\777'\n", "u'a' R'\\x'\n", "1_000 + 0o7 + 0b1 + .5 + 1_0j\n", "a\f\n",
       "\xc3\xa9 = \xd0\xb6\xe4\xb8\xad\n"});
  OnlyGiven({"match a:\n case 1: pass\n", "try: a\nexcept* b: c\n", "def f[T](a): pass\n",
             "class A[T = int]: pass\n", "type A = b\n", "a[*b]\n", "a[b := 1]\n",
             "def f(*a: *b): pass\n", "'\\N{EM DASH}'\n", "\xc2\xb5 = 1\n", "\xef\xbb\xbf\n",
             "\xe9\xbf\xbe = 1\n",
             "a\xe9\xbf\xbd"
             "b = 1\n",
             "del a\xe9\xbf\xbf\n"});
  AllValid(
      {"match a:\n  case b\xe9\xbf\xbe: pass\n  case b as \xe9\xbf\xbe: pass\n  case "
       "{**\xe9\xbf\xbe}: pass\n",
       "def \xe9\xbf\xbe(): pass\n"});
  Written({"\xe9\xbe\xbe\xe9\xbf\xbc = 1\n"});
}

TEST(PythonGrammar, WritesFieldsAsEveryVersionReadsThem) {
  Written({"f\"{name}: {value!r:>10}\"\n", "f'{a}' f\"{b}\" rf'\\d{c}' F'''\n{d}'''\n",
           "f'{a:{b}.{c}f}'\n", "f'{a[\"b\"]}' f\"{c['d']}\"\n", "f'{{{a}}}\\n'\n",
           "f'{a = !s:^9}'\n", "f'{ {1: 2}[1]:d}'\n", "f'{(lambda a: b)(c)}'\n", "f'{a:%Y-%m}'\n",
           "f''\n", "f'{f\"{a}\"}'\n", "f\"{[f'{a!r:>{b}}{{c' for a in b]}\"\n",
           "f\"\"\"a \"b\" {c}\"\"\"\n", "rf'\\{{a\\}}'",
           "rf'^\\{{{a}\\}}$' Rf\"\\{b}\\\\\\{c}\"\n"});
  OnlyGiven({"f'{a['b']}'\n", "f'{a!r }'\n", "f'{a\n}'\n", "f'{f\"{f(a)}\\n\"}'\n",
             "f'{a:{b:{c}}}'\n", "f'{*a, b}'\n", "f'{a # b\n}'\n", "f'{\"\\n\"}'\n", "f'{yield}'\n",
             "f'{a:\"}'\n", "f'{f'{a}'}'\n", "f'{f\"'\"}'\n", "f'{f\"{'a'}\"}'\n",
             "f'{rf\"\\d\"}'\n", "f'{rf\"\\{a}\"}'\n", "f'\\{a}'\n", "f'''{f'a'}'''\n"});
}

// A data file: the cursor is in the first of many elements.
TEST(PythonGrammar, CompletesBeforeThousandsOfElements) {
  std::string numbers, calls;
  for (int i = 0; i < 3000; ++i) {
    numbers += std::to_string(i) + ", ";
    calls += "f(" + std::to_string(i) + "), ";
  }
  EXPECT_TRUE(Fits("x = [", "7, ", numbers + "]\n"));
  EXPECT_FALSE(Fits("x = [", "7, ", numbers + ")\n"));
  EXPECT_TRUE(Fits("x = g(", "7, ", calls + ")\n"));
}

TEST(PythonGrammar, CompletesInsideFStrings) {
  EXPECT_TRUE(Fits("print(f\"{na", "me", "!r:>10}\")\n"));
  EXPECT_TRUE(Fits("x = ", "f\"{name}: {value!r:>10}\"", "\n"));
  EXPECT_TRUE(Fits("x = f'{a} ", "and {b[0]:", "d}'\n"));
  EXPECT_TRUE(Fits("x = f'{a['", "k']}", "'\n")) << "the key was begun";
  EXPECT_TRUE(Fits("x = f'''{\n  a", " + b", "\n}'''\n"));
  EXPECT_FALSE(Fits("x = f'{a", "['k']", "}'\n"));
  EXPECT_TRUE(Fits("x = f'\\N{EM ", "", "DASH}'\n"));
  EXPECT_FALSE(Fits("x = f'\\N{EM ", "", "DASHES}'\n"));
  EXPECT_FALSE(Fits("x = f'{a", "\n", "}'\n"));
  EXPECT_FALSE(Fits("x = \"a", "\" f\"", "b\"\n")) << "the right context closes it";
}

}  // namespace
}  // namespace tenon::grammars
