// JSX's and TSX's grammars on the hazards of elements: `<` that compares, begins an element, a list
// of types or an arrow function's type parameters; text, names that match, what a gap closes. Each
// text has the verdict of TypeScript's parser and babel's, which agree on all of them but those of
// WhatOneParserRefusesIsNotWritten. tests/exactness asks both.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "tests/grammars/shipped_language.h"

namespace tenon::grammars {
namespace {

const constraint::Language& Tsx() { return ShippedLanguage("tsx.lark"); }
const constraint::Language& Jsx() { return ShippedLanguage("jsx.lark"); }

bool Fits(const std::string& left, const std::string& middle, const std::string& right) {
  return Closes(Tsx(), left, middle, right);
}

void ExpectAll(const std::vector<std::string>& texts, bool accepted) {
  for (const std::string& text : texts) EXPECT_EQ(Accepts(Tsx(), text), accepted) << text;
}

const std::vector<std::string> kElements = {
    "let x = <a b=\"c\" d={e} {...f} g-h='i' j:k=\"l\" m>n {o} {/* p */}</a>",
    "let x = <><a/>{b && <c/>}</>",
    "let x = <a.b.c>d</a.b.c>",
    "let x = a ? <b/> : <c></c>",
    "let x = <a>{b.map(c => <d key={c}>{c}</d>)}</a>",
    "function f() { return <a/> }",
    "let x = <a\n  b // c\n  /* d */ e={1}\n/>",
    "let x = <a b=\"&amp;\n\">\"c\" 'd' & // e</a>",
    "let x = <div class if={a}/>",
    "class A { c = <d/> }",
    "let x = (<a/>).b",
    "let x = <a>b\n  c</a>\nlet y = 1",
    "f(<a/>, <b/>)",
    "let x = [<a/>, <b/>]",
    "let x = <a b={c > d}>e</a>",
    "let x = <a>{...b}</a>",
    "let x = <a>{`b${c}`}</a>",
    "let x = <a>{`b${<c>{`d`}</c>}`}</a>",
    "let x = <a extends=\"b\"/>",
    "let x = <extends/>",
    "let x = < a></ a >",
    "let x = <if></if>",
};

TEST(Jsx, ElementsAreWrittenWithEntitiesAndWordsAsNames) {
  for (const char* text : {"let x = <a>b&nbsp;c & d</a>;", "let x = <a b=\"c &amp; d\"/>;",
                           "let x = <a b='&quot;'/>;", "let x = <label class=\"a\" for=\"b\"/>;",
                           "let x = <Slide in={a}/>;", "let x = <h1 data-x2-y3=\"a\"/>;"}) {
    EXPECT_TRUE(Emits(Jsx(), text)) << text;
    EXPECT_TRUE(Emits(Tsx(), text)) << text;
  }
  for (const char* text : {"let x = <a>&#10;</a>;", "let x = <a b=\"&#10;\"/>;"}) {
    EXPECT_TRUE(Accepts(Jsx(), text)) << text;
    EXPECT_FALSE(Emits(Jsx(), text)) << text;
  }
}

TEST(Jsx, ElementsAreValues) {
  for (const std::string& text : kElements) {
    EXPECT_TRUE(Accepts(Jsx(), text)) << text;
    EXPECT_TRUE(Accepts(Tsx(), text)) << text;
  }
  EXPECT_FALSE(Accepts(Jsx(), "let x: A = <a/>"));
}

TEST(Jsx, AClosingTagHasTheNameOfItsElement) {
  ExpectAll({"let x = <a></b>", "let x = <a>", "let x = <></a>", "let x = <a></>",
             "let x = <a><b></a></b>", "let x = <a.b></a.c>", "let x = <a b={<c></a>}></a>"},
            false);
  ExpectAll({"let x = <a><a></a><b/></a>", "let x = <a b={<c></c>}></a>",
             "let x = <A b={() => { if (c) { return <d/> } }}></A>"},
            true);
}

TEST(Jsx, WhatBothParsersRefuseIsRefused) {
  ExpectAll({"let x = <a/> < b", "let x = <a b=c/>", "let x = <a {b}/>", "let x = < /a>",
             "let x = <a/><b/>", "let x = <a b=\"c\"\"d\"/>", "let x = <a b.c=\"d\"/>",
             "let x = <a -b/>", "let x = <T>a", "let x = <a:b.c/>"},
            false);
}

TEST(Tsx, ComparisonsTypeArgumentsAndTypeParametersAreToldFromElements) {
  ExpectAll(
      {"let x = a < b", "let x = f<T>(a)", "let x = f<<T>(a: T) => a>(b)",
       "let x = function <T>(a: T) {}", "class A { b<T>() {} }", "let x: A<B> = <c/>",
       "let x = <A<B> c={d}/>", "let x = <A<B<C>, D[]> c>e</A>", "let x = <A<B<C>>>e</A>",
       "let x = <A<{b: C<D<E>>}> f/>", "let x = <T,>(a: T) => a", "let x = <T, U>(a: T, b: U) => a",
       "let x = <T extends U>(a: T) => a", "let x = <T extends U<V>, W = T>(a: T) => a",
       "let x = <T = U>(a: T) => a", "let x = <const T,>(a: T) => a",
       "let x = async <T,>(a: T) => a", "let x = <a/> as B", "f(a < b, <c d={e}>g</c>)"},
      true);
}

TEST(Tsx, WhatOneParserRefusesIsNotWritten) {
  for (const char* text :
       {"class A { b?<T>(): c }", "let x = <T>(a: T) => a", "let x = async <T>(a: T) => a",
        "let x = <a/>.b", "let x = <a>></a>", "let x = <a>}</a>", "let x = <a b={}/>",
        "let x = <a.b-c/>", "let x = a</b/.c", "let x = a</é/.c", "let x = <a<<b>() => c>/>"})
    EXPECT_FALSE(Emits(Tsx(), text)) << text;
}

TEST(Jsx, AnAttributesEmptyBracesAreReadAndNotWritten) {
  for (const constraint::Language* language : {&Jsx(), &Tsx()}) {
    EXPECT_TRUE(Accepts(*language, "let x = <a b={}/>"));
    EXPECT_FALSE(Closes(*language, "let x = <a b=", "{}", "/>\n"));
    EXPECT_TRUE(Closes(*language, "let x = <a b={", "c", "}/>\n"));
  }
}

TEST(Tsx, ElementsAreWritten) {
  for (const char* text :
       {"let x = <a b=\"c\" d={e} {...f} g-h='i' m>n {o} </a>;", "let x = <><a/>{b && <c/>}</>;",
        "function F({ a }: Props) {\n  return (\n    <A.B c={d}>e</A.B>\n  );\n}",
        "let x = <A<B<C>> d={e}>f</A>;", "let x = <T,>(a: T) => a;",
        "let x = <T extends U>(a: T) => a;", "let x = a </*b*/ c;",
        "let x = a ? b ? <c/> : <d/> : <e f={g('h', i > 0)}/>;", "let a; export { a };"})
    EXPECT_TRUE(Emits(Tsx(), text)) << text;
}

// TypeScript reads `</` as the beginning of a closing tag. The lexer sees it up to U+FFFF.
TEST(Jsx, ARegularExpressionIsWrittenWithoutTheCharactersThatAreTooLong) {
  for (const auto* jsx : {&Jsx(), &Tsx()}) {
    EXPECT_FALSE(Emits(*jsx, "let x = a </\U0001F600/;"));
    EXPECT_FALSE(Emits(*jsx, "let x = a </b/;"));
    EXPECT_TRUE(Emits(*jsx, "let x = a < /b/;"));
    EXPECT_TRUE(Emits(*jsx, "let x = /[\U0001F600]/;"));
  }
}

// The right context asks for the name of the element whose beginning is missing.
TEST(Tsx, ClosesWithTheElementOfAGivenClosingTag) {
  const std::shared_ptr<const constraint::Language> tsx(std::shared_ptr<void>(), &Tsx());
  const auto closing = [&](std::string_view left, std::string_view right) {
    const auto found = constraint::FindClosing(constraint::OpenGap(tsx, left, right, {}));
    return found ? found->text : "none";
  };
  EXPECT_EQ(closing("let x = ", "a</Abc>;"), "<Abc>");
  EXPECT_EQ(closing("let x = <b>", " c={d}>e</Abc></b>;"), "<Abc");
}

TEST(Tsx, AGapKnowsTheElementsAroundIt) {
  EXPECT_TRUE(Fits("let x = <ul>", "<li>a</li>", "</ul>;\n"));
  EXPECT_TRUE(Fits("let x = <ul>{a.map(b => ", "<li key={b}>{b}</li>", ")}</ul>;\n"));
  EXPECT_TRUE(Fits("let x = <ul><li>", "a</li>", "</ul>;\n"));
  EXPECT_TRUE(Fits("let x = <u", "l a=\"b\" c={d}", ">e</ul>;\n"));
  EXPECT_TRUE(Fits("let x = <ul", "", "></ul>;\n"));
  EXPECT_FALSE(Fits("let x = <ul><li>", "a</ul>", "</ul>;\n"));
  EXPECT_FALSE(Fits("let x = <u", "", "></ul>;\n"));
  EXPECT_FALSE(Fits("let x = <ul>", "<li>", "</ul>;\n"));
}

// Right of the gap hundreds of readings begin: each line `d={e}` may be an assignment as well. All
// but a few end behind the first lines.
TEST(Tsx, AGapBeforeALongComponentIsRead) {
  std::string right = "seMemo(() =>\n    a === 'b' ? c(d) : (e ?? {}),\n    [f]\n  );\n";
  for (int i = 0; i < 40; ++i)
    right += "  const g = useCallback((h: I) => {\n    if (a.b === 'c') { d.e(h); }\n  }, [a]);\n";
  right += "  return (\n    <A\n      b={[c]}\n";
  for (int i = 0; i < 16; ++i) right += "      d={e ? f : undefined}\n";
  right += "    />\n  );\n};\n";
  EXPECT_TRUE(Fits("const f = () => {\n  const a = u", "", right));
  EXPECT_FALSE(Fits("const f = () => {\n  const a = u", " u", right));
}

TEST(Tsx, AClosingTextEndsElementsWithTheirNames) {
  for (const char* left : {"let x = <ul><li>a", "let x = <A.B c={", "let x = <ul><li",
                           "let x = <ul></", "let x = <data-list>{`a${"}) {
    const std::shared_ptr<const constraint::Language> tsx(std::shared_ptr<void>(), &Tsx());
    const constraint::GapState state = constraint::OpenGap(tsx, left, "", {});
    const std::optional<constraint::Closing> closing = constraint::FindClosing(state);
    ASSERT_TRUE(closing) << left;
    EXPECT_TRUE(Emits(Tsx(), left + closing->text)) << left << closing->text;
  }
}

}  // namespace
}  // namespace tenon::grammars
