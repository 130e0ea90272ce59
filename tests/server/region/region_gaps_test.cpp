// Regions of broken files: the constructs and statements that they hold, and one document while it
// is edited. Brackets, lists, strings and single languages: region_brackets_test.cpp and so on.
#include "server/region/region_gaps.h"

#include <optional>
#include <string>

#include "tests/server/region/region_gaps_fixture.h"

namespace tenon::server {
namespace {

TEST_F(RegionGapsTest, BeginAfterABrokenFunctionAndEndBeforeTheNext) {
  const auto found = Open("python", R"(
    def f(a:
        return
    def g(x):
        return x + |
    def h(:
        pass
    )");
  EXPECT_TRUE(Fits(found, "1"));
  EXPECT_FALSE(Fits(found, "1)"));
  const std::string judged = Judged(found);
  EXPECT_NE(judged.find("def g"), std::string::npos) << judged;
  EXPECT_EQ(judged.find("def h"), std::string::npos) << judged;
}

TEST_F(RegionGapsTest, KeepTheWholeLeftContextWhereOnlyTheRightIsBroken) {
  const auto found = Open("python", R"(
    import os

    x = os.|

    y = (1,
    )");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->region.begin, 0u);
  EXPECT_EQ(found->region.before, "");
  EXPECT_TRUE(Fits(found, "path"));
}

// No inner region lets statements come in the place of the words that go on in the construct.
TEST_F(RegionGapsTest, LetWordsGoOnInTheConstructBefore) {
  const std::string python = "def f(a):\n    try:\n        g(a)\n    |\n\n";
  const std::string broken = "def h(a, b)\n    g(a)\n\n";
  for (const std::string& text : {python + broken, broken + python})
    Expect("python", Fit{"except A:\n        pass", "finally:\n        b()"}, Unfit{"b()"}, text);
  Expect("javascript", Fit{"catch {}", "finally { b(); }"}, Unfit{"b();"}, R"(
    function f(a) {
      try {
        g(a);
      }
      |
    }

    function h(a {
    }
    )");
}

TEST_F(RegionGapsTest, StandInForTheConstructsAroundAStatement) {
  Expect("python", Fit{"break", "await g()", "return"}, R"(
    class A:
        async def f(self):
            x = [1, 2
            for i in self:
                |
                y = (
    )");
}

TEST_F(RegionGapsTest, OfferNoBreakWhereNoLoopIsAround) {
  Expect("python", Fit{"return"}, Unfit{"break"}, R"(
    x = (1,

    def f():
        if a:
            |
    )");
}

TEST_F(RegionGapsTest, FindTheHeadOfAnElse) {
  Expect("python", Fit{"1)"}, R"(
    s = 'abc
    x = (1,
    def f(a):
        y = [
        if a:
            b()
        else:
            c(|
    )");
}

TEST_F(RegionGapsTest, DoWithoutAHeadThatIsBrokenItself) {
  Expect("python", Fit{"1", "(1, 2)"}, R"(
    def f(a):
        if g(a:
            return
        else:
            return |
    )");
}

TEST_F(RegionGapsTest, ReadAHalfTypedHeadAsItIsMeant) {
  for (const std::string head : {"def f(a:", "def f(a)", "def f(a"}) {
    Expect("python", Fit{"a", "a; return"}, Unfit{"a; break"},
           head + "\n    x = 1\n    return |\n    print(x\n\ny = 2\n");
  }
}

TEST_F(RegionGapsTest, ReadAHeadThatLacksItsBrace) {
  Expect("java", Fit{"c;"}, Unfit{"c; }"}, R"(
    class A
      int b() {
        return |
      }
    }
    )");
  Expect("javascript", Fit{"c"}, Unfit{"c; {"}, R"(
    function a(b)
      d();
      return |
    }
    )");
}

TEST_F(RegionGapsTest, AreAmongTheStringsOfAPairOfBrackets) {
  Expect("python", Fit{"'c'", "f'{d}'"}, Unfit{"e"}, R"(
    a = (
        'b'
        if c
        'd'
        |
        'e'
    )
    )");
}

// The deeper lines below belong to a function whose head is missing.
TEST_F(RegionGapsTest, OpenTheConstructOfDeeperLinesBelow) {
  Expect("go", Unfit{"h(1)"}, R"(
    package p

    func f() {
    	a()
    }

    |
    	b(1)
    	c(2)
    	("d")
    	e f
    }

    func g() {
    }
    )");
}

// What stands in for the text around a region in Python has lines of its true indentation.
// What the cursor's line begins is broken further down.
TEST_F(RegionGapsTest, EndInTheBlockThatTheCursorsLineBegins) {
  Expect("python", Fit{"):", "=1, *a) -> int:"}, Unfit{")", "): pass", ")\nif a:"}, R"(
    class A:
        def f(self, res|
            a = res
            b = foo(
            return a

        def g(self):
            pass
    )");
  Expect("python", Fit{"se:", "if c:"}, Unfit{"se"}, R"(
    if a:
        b()
    el|
        x = foo(
        c()
    )");
  // The block's first line is that of the region's end: `def (` alone is broken.
  Expect("python", Fit{":", ".c:"}, Unfit{""}, R"(
    for a in b|
        def (
        c()
    )");
}

TEST_F(RegionGapsTest, KeepTheIndentationOfTheLinesThatAreLeftOut) {
  Expect("python", Fit{"y = 1"}, Unfit{" y = 1"}, R"(
    def f():
        x = ]
        |
        return y((
    )");
  Expect("python", Fit{"d()"}, Unfit{"d()\ne()"}, R"(
    def f():
        if a:
            b()
            |
            c((
    )");
  Expect("python", Fit{"d()\n    e()"}, Unfit{"d()\ne()"}, R"(
    class C:
        def f(self):
            |

        def g(self:
            pass
    )");
  Expect("python", Fit{"c()"}, R"(
    match a:
        case 1:
            |
        case 2:
            b((
    )");
}

TEST_F(RegionGapsTest, KnowHeadsOfSeveralLines) {
  Expect("java", Fit{";"}, Unfit{"; } }"}, R"(
    class A extends B
        implements C {
      A() }

      void m(int a,
          int b) {
        return |
      }
    }
    )");
  Expect("java", Fit{");"}, R"(
    class A
        extends B
    {
      A() }

      void m()
      {
        f(|
      }
    }
    )");
  Expect("python", Fit{"return"}, R"(
    x = (1

    class A:
        def f(self,
              a):
            |
    )");
}

TEST_F(RegionGapsTest, DoNotEndBetweenAHeadAndItsBrace) {
  Expect("java", Fit{"B"}, Unfit{"B {}"}, R"(
    class A
        extends |
    {
      void f() {
      }
    )");
}

TEST_F(RegionGapsTest, EndBehindTheStatementThatTheCursorIsIn) {
  Expect("go", Fit{"1"}, R"(
    package p

    var s = `half

    func f() {
    	g(
    		|,
    	)
    }

    func h( {
    )");
}

// With no middle the file is read up to the second bracket of `{b}}`.
TEST_F(RegionGapsTest, LeaveTheFirstErrorWhereItIs) {
  const auto found = Open("typescriptreact", R"(
    function F() {
      return (
        <A
          c={d}
          |
        >
          <B
            e={b}}
            f={g}
          />
        </A>
      );
    }
    )");
  ASSERT_TRUE(found);
  EXPECT_FALSE(FitsTheFile(found, "/")) << Judged(found);
  EXPECT_TRUE(FitsTheFile(found, "h={i}")) << Judged(found);
}

// What is broken in the first line of a conflict is the marker: `,` may come before it, though the
// engine reads `a <<` with no middle.
TEST_F(RegionGapsTest, ReadNoMarkerOfAConflict) {
  Expect("typescriptreact", Fit{","}, R"(
    const f = ({
      a,
      b|
    <<<<<<< HEAD
    =======
    >>>>>>> branch
      c,
    }: D) => {};
    )");
}

TEST_F(RegionGapsTest, AreTheWholeOfAFileThatIsCutOff) {
  Expect("java", Fit{"", "&& d"}, Unfit{";"}, R"(
    class A {
      static boolean f(String a) {
        return a.equals("b")
            |
            || a.equals("c")
    )");
}

TEST_F(RegionGapsTest, BeginBelowTheHeadsThemselves) {
  Expect("java", Fit{"this.b = b;\n  }"}, R"(
    class Name {
      static String a = f(b;

      Name(int b) {
        |

      Name(int b, int c) {
        this.b = b;
      }
    }
    )");
}

TEST_F(RegionGapsTest, KeepTheRegionWhileTheUserTypesInIt) {
  const std::string head = "def f(:\n    pass\n\n", tail = "\n\ndef h(:\n    pass\n";
  const auto first = Open("python", head + "def g(x):\n    |" + tail);
  const auto second = Open("python", head + "def g(x):\n    return x[|" + tail);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->region.begin, second->region.begin);
  EXPECT_EQ(first->region.end + std::string("return x[").size(), second->region.end);
  EXPECT_TRUE(Fits(second, "0]"));
  // Text that is repaired elsewhere has another region.
  const auto third = Open("python", "def f():\n    pass\n\ndef g(x):\n    return x[|" + tail);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->region.begin, 0u);
}

// `{` would close a gap in the last region, and the `}` of the function is the middle's then.
TEST_F(RegionGapsTest, AskAnewWhetherTheClosingTextMovesBlocks) {
  const std::string broken = "x = = 1;\n\n", rest = "  |\n}\n\nfunction g() {\n  b();\n}\n";
  ASSERT_TRUE(Open("javascript", broken + "if (a) {\n" + rest));
  const auto found = Open("javascript", broken + "if (a);\n" + rest);
  ASSERT_TRUE(found);
  EXPECT_NE(found->region.before, "");
}

// Below the half-typed `switch` the gap closes its bracket; above it the gap must not.
TEST_F(RegionGapsTest, AskTheRulesAnewWhereTheCursorHasMoved) {
  const std::string head = "let x = (\n\nfunction g() {\n  a();\n";
  const auto below = Open("javascript", head + "  \n  switch (a) {\n    |\n  b();\n}\n");
  EXPECT_TRUE(Fits(below, "}")) << Judged(below);
  const auto above = Open("javascript", head + "  |\n  switch (a) {\n    \n  b();\n}\n");
  EXPECT_TRUE(Fits(above, "c();")) << Judged(above);
  EXPECT_FALSE(Fits(above, "}")) << Judged(above);
}

// The region of the first text holds the line above the cursor's.
TEST_F(RegionGapsTest, LookForAnotherOnceTheLineAboveIsHalfTyped) {
  const std::string head = "let x = (\n\nfunction f(a) {\n", tail = "\n  g(|);\n}\n";
  EXPECT_TRUE(Open("javascript", head + "  a.b();" + tail));
  const auto found = Open("javascript", head + "  a.b(a." + tail);
  EXPECT_TRUE(Fits(found, "a")) << Judged(found);
  EXPECT_FALSE(Fits(found, "a)")) << Judged(found);
}

TEST_F(RegionGapsTest, WriteLineEndsAsTheFileHasThem) {
  const auto found =
      Open("python",
           "x = (1,\r\n\r\nclass A:\r\n    def f(self):\r\n        y = (\r\n        z = |\r\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->region.before.find("\n"), found->region.before.find("\r\n") + 1)
      << Judged(found);
  EXPECT_TRUE(Fits(found, "1"));
}

TEST_F(RegionGapsTest, AreNoneWhereTheStatementItselfIsBroken) {
  EXPECT_FALSE(Open("python", "x = ) + |\n"));
}

TEST_F(RegionGapsTest, AreLookedForInTheOuterConstructsOfDeepText) {
  const std::string open(1000, '['), close(1000, ']');
  EXPECT_TRUE(Fits(Open("json", "[1 2, " + open + "|" + close + "]"), "3"));
  EXPECT_FALSE(Open("json", open + "1 2, |, 3 4" + close));
}

TEST_F(RegionGapsTest, StopWhenAsked) {
  std::stop_source stop;
  const std::string text = "def f(:\n    pass\n\nx = \n";
  const auto open = [&] {
    RegionGaps gaps(*languages_->Get("python"), *syntaxes_->Get("python"));
    return gaps.Open(text, text.size() - 1, {}, stop.get_token());
  };
  EXPECT_TRUE(open());
  stop.request_stop();
  EXPECT_FALSE(open());
}

}  // namespace
}  // namespace tenon::server
