// Brackets around a region: which ones the gap closes, and which ones a stand-in does.
#include "tests/server/region/region_gaps_fixture.h"

namespace tenon::server {
namespace {

class RegionBrackets : public RegionGapsTest {};

TEST_F(RegionBrackets, DoWithoutAHeadThatLacksABracket) {
  Expect("python", Fit{"c"}, R"(
    class A:
        def f(a:
            b()
            return |
    )");
}

// The whole files can be completed, too: `b.d(|)` is an argument of `c` there.
TEST_F(RegionBrackets, ComeAfterAHalfTypedLine) {
  Expect("java", Fit{"e", ""}, Unfit{"e)"}, R"(
    class A {
      void f() {
        a.c(b.
        b.d(|);
      }
    }
    )");
  Expect("go", Fit{"e"}, Unfit{"e)"}, R"(
    package p

    func f() {
    	a.c(b,
    	return |
    }
    )");
  Expect("python", Fit{"e"}, Unfit{"e)"}, R"(
    def f(a, b):
        if a.c(b.
        b.d(|)
    )");
}

// The statement goes on as deep as it has begun: no region begins at `c`.
TEST_F(RegionBrackets, HoldTheLineAboveWhereNothingElseIsViable) {
  Expect("sql", Fit{"d", "d where e"}, R"(
    select a, coalesce(b,
    c) from |;
    select (;
    )");
}

TEST_F(RegionBrackets, CloseTheBracketWhoseContentEndsAtTheCursor) {
  Expect("json", Fit{"0],"}, Unfit{"0"}, R"(
    {
      "f": [
        "a",
        |
      "b": 1,
      "c": {},
      "d": [
    )");
  Expect("go", Fit{"b)"}, Unfit{"b,"}, R"(
    package p

    func f() {
    	x := g(
    		a,
    		|
    	y := 2
    }

    func h( {
    )");
}

TEST_F(RegionBrackets, CloseTheBracketBeforeTheEndOfTheBlockAroundIt) {
  Expect("java", Fit{"c);"}, Unfit{"c", ""}, R"(
    class A {
      void f() {
        a()
            .b(
                |
      }

      void g( {
      }
    }
  )");
  Expect("go", Fit{"a)"}, Unfit{"a", "a,"}, R"(
    package p

    func f() {
    	g(
    		|
    }

    func h( {
    }
  )");
}

// The lines below the cursor are deeper than the bracket, and not inside it.
TEST_F(RegionBrackets, AreClosedByALineAboveTheCursor) {
  Expect("go", Fit{"func f() { a := struct {"}, Unfit{"\"fmt\"", ""}, R"(
    package p

    import (
    	"os"
    )
    |

    		in string
    	}{
    		{in: "a"},
    	}
    }

    func g(
    )");
}

// A stand-in for the bracket of `"a": {` would be closed, and another bracket opened for it.
TEST_F(RegionBrackets, CloseAndReopenNoStandIn) {
  Expect("json", Fit{R"("u": 2},)"}, Unfit{R"("u": 2)", "\"u\": 2},\n  \"v\": {"}, R"(
    {
      "a": {
        "t": 1,
        |
      "b": 2,
      "c": [1 2]
    }
    )");
}

// The brace that closes `f` is that of a block, which the gap opens behind `)`.
TEST_F(RegionBrackets, CloseTheHeadWhoseLineOfTheEndClosesAnotherBracket) {
  Expect("typescript", Fit{") => {"}, Unfit{"c"}, R"(
    const f = (
      a: b,
      |
      g(a);
    };
    class {
    )");
  EXPECT_FALSE(Open("typescriptreact", R"(
    const f = (
      a: b,
      c: d
    |
      const e = g(a);
      (a) {
      return e;
    };
    )"));
}

// `({` before the cursor and `}: T) {` below: a stand-in for `)` alone would leave `}` to the gap.
TEST_F(RegionBrackets, CloseTheInnermostBracketOfAHead) {
  Expect("typescript", Unfit{"}"}, R"(
    export function f({
      a,
      |
    }: T) {
      const b = c;
      ]
      d();
    }
    )");
}

// `type G = {` was half typed; the text would close the stand-in's bracket, and it the other one.
TEST_F(RegionBrackets, CloseNoStandInForAHalfTypedBracket) {
  Expect("typescript", Fit{" extends J"}, Unfit{";};a"}, R"(
    export type G<a> = I<a> extends true
      ? c extends true
        ? {
            a: I|
              ? S
              : b | S
          type A = {
          }
        : { a?: b | S }
      : { a?: b | S }
    )");
}

// What is broken is in the bracket that the gap opens, below the cursor.
TEST_F(RegionBrackets, EndInTheBracketThatTheGapOpens) {
  Expect("javascript", Fit{"function () {", "() => {"}, Unfit{"1", "b)"}, R"(
    function f(a) {
      return a.map(|
        g();
        h = [1, 2
        i();
      });
    }
    )");
  Expect("json", Fit{R"(": {)", R"(": {"x": 0,)"}, Unfit{R"(": 1,)", R"(": {"x": 0)", R"(": [)"},
         R"(
    {
      "a": 1,
      "b|
        "c": [1 2],
        "d": 3
      },
      "e": 4
    }
    )");
}

TEST_F(RegionBrackets, OpenTheBracketThatALineBelowTheCursorCloses) {
  Expect("json", Fit{R"("e": {)"}, Unfit{R"("e": 0,)"}, R"(
    {
      "a": 1,
      |
        "b": 2
      },
      "c": 3,
      "d": [4 5]
    }
    )");
}

// `); b: T,` would be members of the interface, and `): void;` an end too many.
TEST_F(RegionBrackets, DoNotEndBeforeTheBracketThatTheGapOpens) {
  Expect("typescript", Fit{"): void;\n  r("}, Unfit{");"}, R"(
    interface A {
      p(
        a: T,
      |
        b: T,
      ): void;
      q(
        c: T,
    )");
}

TEST_F(RegionBrackets, DoNotEndInBracketsOfWhichTheGapOpensSeveral) {
  Expect("json", Unfit{R"("a": {)"}, R"(
    {
      |
          "c": [1 2],
          "d": 3
        },
        "e": 4
      },
      "f": 5
    }
    )");
}

TEST_F(RegionBrackets, DoNotBeginInsideABracketThatNothingStandsInFor) {
  Expect("json", Unfit{"{"}, R"(
    {
      "a": {
    <<<<<<< HEAD
    =======
    >>>>>>> b
        "t": 1,
        |
      "s": {
        "u": 2
      },
      "d": {
        "v": 3
      }
    }
    )");
}

TEST_F(RegionBrackets, BeginBelowAStatementThatLacksItsBracket) {
  Expect("java", Fit{"", "e(f);"}, Unfit{"e(f)"}, R"(
    class A {
      void b() {
        c(d;
        |
      }
    }
    )");
  Expect("go", Fit{"", "e(f)"}, Unfit{"e(f"}, R"(
    package a

    func b() {
    	c(d
    	|
    }
    )");
  Expect("javascript", Fit{"f();"}, Unfit{"f());"}, R"(
    function b() {
      c(d
      e.|
    }
    )");
}

TEST_F(RegionBrackets, DoNotBeginBetweenTypeParameters) {
  Expect("typescript", Fit{"> = J<"}, Unfit{" `a`"}, R"(
    export type B<
      C extends boolean = boolean,
      |
      D,
      E,
    > &
      F

    export type G<
      H,
     = I<
      H
    >
    )");
}

// The bracket of `g` must be closed by the gap: that of `h` belongs to another statement.
TEST_F(RegionBrackets, DoNotCloseAListByTheBracketOfAnotherStatement) {
  Expect("java", Fit{"int b) {"}, Unfit{"int b"}, R"(
    class A {
      A(int a,   // b
        |
        c = d;
      }

      void h(int e) {
        f(1, );
      }
    }
    )");
}

TEST_F(RegionBrackets, CloseTheBracesBetweenTheCursorAndTheEnd) {
  Expect("java", Fit{"", "c, int d"}, Unfit{"){}}record a(a "}, R"(
    class A {
      A(int a,
        int b|e) {
        super(a);
        f = a;
      }

      void g() {
    )");
}

// The file is cut off: no line closes the bracket around the cursor.
TEST_F(RegionBrackets, EndInABracketOfAFileThatIsCutOff) {
  Expect("json", Fit{R"(")"}, R"(
    {
      "a": {
        "b": 1,
        "c|: 2
    )");
  Expect("json", Fit{R"("e": {)"}, Unfit{R"("e": 0)", R"("e": 0}, "f": {})"}, R"(
    {
      "a": {
        "b": 1,
        |
        },
        "c": 2,
        "d": {
    )");
}

TEST_F(RegionBrackets, CloseWhatAFileThatIsCutOffLeavesOpen) {
  Expect("javascript", Fit{"1"}, Unfit{"1)"}, R"(
    f(|);

    g(() => {
      h();
    )");
}

// The file's end closes neither the switch nor the function: the gap has to close none of them.
TEST_F(RegionBrackets, AreClosedWhereTheFileIsCutOffInAllConstructs) {
  Expect("go", Fit{"case 2:"}, Unfit{"}"}, R"(
    package p

    func f() {
    	switch a {
    	case 1:
    		b()
    	|
    		c()

    	case 3:
    		d()
    	case 4:
    )");
}

}  // namespace
}  // namespace tenon::server
