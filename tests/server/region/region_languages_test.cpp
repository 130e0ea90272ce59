// Regions in constructs that one language has.
#include "tests/server/region/region_gaps_fixture.h"

namespace tenon::server {
namespace {

class RegionLanguages : public RegionGapsTest {};

TEST_F(RegionLanguages, PythonHasThemInCases) {
  Expect("python", Fit{"3"}, R"(
    match a:
        case 1:
            b(1 2)
            c = |
    )");
}

TEST_F(RegionLanguages, PythonHasThemInClausesOfBrokenStatements) {
  Expect("python", Fit{"or as b:", "or:"}, R"(
    def f(a):
        try:
            a(b
        except OSErr|
            raise
    )");
  Expect("python", Fit{"b:"}, R"(
    if a:
        b(1 2)
    elif |
        c()
    )");
  Expect("python", Unfit{"b:"}, R"(
    a(1 2)
    elif |
        c()
    )");
}

TEST_F(RegionLanguages, GoHasThemInFunctionsTypesAndLiterals) {
  Expect("go", Fit{"break"}, R"(
    package p

    func f( {
    }

    func g() int {
    	for {
    		|
    	}
    }
    )");
  Expect("go", Fit{"b string"}, R"(
    package p

    func f( {
    }

    type t struct {
    	a int
    	|
    }
    )");
  Expect("go", Fit{"2"}, R"(
    package p

    func f( {
    }

    var x = []int{1, |}

    func (
    )");
  Expect("go", Fit{"return"}, R"(
    package p

    func f( {
    }

    func g() {
    	|
    }

    func h( {
    )");
}

TEST_F(RegionLanguages, GoHasThemInGroupsOfTypes) {
  Expect("go", Fit{") string", "c int)"}, Unfit{"", ")}"}, R"(
    package p

    type (
    	a interface {
    		b(|
    		d() int
    		e() int int
    	}
    )
    )");
  Expect("go", Fit{"c int"}, Unfit{"c int int", "}"}, R"(
    package p

    type (
    	a struct {
    		|
    		d int int
    	}
    )
    )");
}

TEST_F(RegionLanguages, GoHasThemInVariables) {
  Expect("go", Fit{"4"}, R"(
    package p

    var a = []int{1 2, 3, |}
    )");
  Expect("go", Fit{"3"}, R"(
    package p

    var a = f(1 2, |)
    )");
  Expect("go", Fit{"3"}, R"(
    package p

    var a = func() {
    	b(1 2)
    	c(|)
    }
    )");
  Expect("go", Fit{"3"}, R"(
    package p

    var (
    	a = f(1 2, |)
    	b = 3
    )
    )");
  Expect("go", Fit{"int"}, R"(
    package p

    type T struct {
    	a struct {
    		b int int
    		c |
    	}
    }
    )");
}

TEST_F(RegionLanguages, GoDeclaresNothingBeforeThePackageClause) {
  Expect("go", Fit{"b"}, Unfit{"\nvar s = 1"}, R"(
    // a|
    <<<<<<< HEAD
    // b

    package p

    var b int
    )");
}

// What a line stands in for depends on the construct around: `int a = f(…);` is no argument.
// `<T>` is no element in a language that has none.
TEST_F(RegionLanguages, TypeParametersAreNoElements) {
  Expect("java", Fit{"static <T> T k(T a) { return a; }"}, R"(
    class A {
      |

      void f( {
      }
    }
    )");
  Expect("typescript", Fit{"const f = <T>(x: T) => x;"}, "|\n\nlet a = (;\n");
  Expect("python", Fit{"if a <b: h(1)"}, "|\n\ndef f(:\n    pass\n");
}

TEST_F(RegionLanguages, JavaHasThemInArguments) {
  const std::string head = "class A {\n  void m() {\n    f(1 2, ", tail = ");\n  }\n}\n";
  Expect("java", Fit{"1"}, Unfit{"1)"}, head + "() -> {\n      int x = |;\n    }" + tail);
  Expect("java", Fit{"1"}, head + "new B() {\n      int x = |;\n    }" + tail);
  Expect("java", Fit{"4", "4, 5"}, Unfit{"4)"}, head + "g(3, |)" + tail);
  Expect("java", Fit{"4"}, head + "new int[] {3, |}" + tail);
  Expect("java", Fit{"3"}, R"(
    class A {
      int[][] a = {{1}, {1 2, |}};
    }
    )");
}

TEST_F(RegionLanguages, JavaHasThemInEnumsAndSwitches) {
  Expect("java", Fit{"4"}, R"(
    enum E {
      A(1 2), B(3, |);
    }
    )");
  Expect("java", Fit{"1"}, R"(
    enum E {
      A(1 2), B;
      int x = |;
    }
    )");
  Expect("java", Fit{"1"}, R"(
    class A {
      void m() {
        switch (a) {
          case 1 -> b(2 3);
          case 2 -> {
            int c = |;
          }
        }
      }
    }
    )");
}

TEST_F(RegionLanguages, JavaBeginsNoneBehindAnAnnotation) {
  Expect("java", Fit{"int h() {"}, Unfit{"{"}, R"(
    class A {
      void f() }

      @Override
      |
        return 1;
      }

      void g() {
      }
    }
    )");
}

TEST_F(RegionLanguages, JavaScriptHasThemInObjectsAndClasses) {
  const std::string head = "a = {\n  b: 1 2,\n  ", tail = "\n};\n";
  Expect("javascript", Fit{"1"}, Unfit{"await b"}, head + "m() {\n    return |;\n  }," + tail);
  Expect("javascript", Fit{"await b"}, head + "async m() {\n    return |;\n  }," + tail);
  Expect("javascript", Fit{"yield 1"}, head + "*m() {\n    return |;\n  }," + tail);
  Expect("javascript", Fit{"6"}, head + "...f(3 4, |, 5)," + tail);
  Expect("javascript", Fit{"e"}, head + "m(c d, |) {}," + tail);
  Expect("javascript", Fit{"1"}, R"(
    class A {
      b = 1 2;
      static {
        c = |;
      }
    }
    )");
  Expect("javascript", Fit{"4"}, R"(
    class A {
      b = f(1 2, |, 3);
    }
    )");
  Expect("javascript", Fit{"d"}, R"(
    class A {
      m(b c, |) {}
    }
    )");
  for (const std::string modifier : {"", "async ", "*"})
    Expect("javascript", Fit{"c;", "c.d();"}, Unfit{"c;}"},
           "class A {\n  " + modifier + "m() {\n    let b = = 1;\n    this.|\n  }\n  g() {}\n}\n");
  Expect("javascript", Fit{"d"}, "import { a b, | } from 'c';\n");
  Expect("javascript", Fit{"d", "default as d"}, "export { a b, | } from 'c';\n");
  // A list without `from` asks for names that are declared; a region does not show them.
  Expect("javascript", Fit{}, Unfit{"d"}, R"(
    let d;
    export { a b, | };
    )");
}

TEST_F(RegionLanguages, TypeScriptHasThemInTypes) {
  Expect("typescript", Fit{"void"}, R"(
    abstract class A {
      b = 1 2;
      abstract f(): |;
    }
    )");
  Expect("typescript", Fit{"f"}, R"(
    class A {
      a: { b: c d; e: | };
    }
    )");
  Expect("typescript", Fit{"d"}, R"(
    interface A {
      m(a b, c: |): void
    }
    )");
}

TEST_F(RegionLanguages, JsxAndTsxHaveThemBetweenChildren) {
  for (const char* id : {"javascriptreact", "typescriptreact"}) {
    Expect(id, Fit{"<li>{h}</li>"}, Unfit{"<li>", "</ul>"}, R"(
    function G() {
      return (
        <ul>
          <li a=>{b}</li>
          <li>c</li>
          |
          <li>{d e}</li>
        </ul>
      );
    }
    )");
    Expect(id, Fit{"a"}, R"(
    function f( {
    }

    function G() {
      return (
        <ul>
          {|}
        </ul>
      );
    }
    )");
  }
}

TEST_F(RegionLanguages, JsxAndTsxHaveThemInAttributes) {
  for (const char* id : {"javascriptreact", "typescriptreact"}) {
    Expect(id, Fit{"j={k}"}, Unfit{">"}, R"(
    function G() {
      return (
        <ul>
          <li
            a={b c}
            d="e"
            |
            g={h}
          >
            i
          </li>
        </ul>
      );
    }
    )");
    Expect(id, Fit{"return e;"}, Unfit{"break;"}, R"(
    function G() {
      return (
        <ul>
          <br
            a={() => {
              b c;
              d();
              |
            }}
          />
        </ul>
      );
    }
    )");
  }
}

// The heads of elements have no brackets; their skeleton is closed by tags.
TEST_F(RegionLanguages, JsxAndTsxHaveThemInElementsOfBrokenOnes) {
  for (const char* id : {"javascriptreact", "typescriptreact"}) {
    Expect(id, Fit{"<b/>", "b {c}"}, Unfit{"{h: 0},", "</G>"}, R"(
    const f = g({
      h: (<G>
        <P d="M1"/>
        |
        <P d="M3"/>
        <P d={{M4"/>
        <P d="M5"/>
      </G>)
    });
    )");
    Expect(id, Fit{">"}, Unfit{"/>"}, R"(
    function f() {
      return (<a>
          <b c=={
          <b d="1" |
            <c/>
          </b>
        </a>);
    }
    )");
  }
}

// No estimate of its bytes is known.
TEST_F(RegionLanguages, JsxEndsThemAtAClosingTag) {
  Expect("javascriptreact", Fit{"o>);"}, Unfit{");"}, R"(
    function f() {
      return (<Foo>
        {a}
      </Fo|
    }
    const b = {
      (c(
      d: 0,
    };
    )");
}

TEST_F(RegionLanguages, SqlHasThemInTheColumnsOfATable) {
  Expect("sql", Fit{"e int,"}, Unfit{"e int);"}, R"(
    select 1;

    create table t (
      a int,
      |
      b text not null,
      c text not null,
    <<<<<<< HEAD
    =======
    >>>>>>> b
      d int
    );
    )");
}

TEST_F(RegionLanguages, SqlEndsAStatementBeforeTheNext) {
  Expect("sql", Fit{"two", "two\nselect 4;"}, Unfit{"two\nselect 4"}, R"(
    select 1;

    -- one |
    select f(2 from;

    select 3;
    )");
}

TEST_F(RegionLanguages, SqlEndsNoRegionWithinAStatement) {
  Expect("sql", Unfit{"*", "*;"}, R"(
    -- one
    select
        |
    left join b using (c)
    inner join d using (e);
    insert into t values (1,

    select 2;
    )");
}

// Of one statement, where another line of it is broken.
TEST_F(RegionLanguages, SqlHasThemInLinesOfAStatement) {
  Expect("sql", Fit{"c", "c = 1 and d"}, Unfit{"", "c d", "c group by"}, R"(
    select b
    from a
    where |
    group by ;
    )");
  Expect("sql", Fit{"c", "c, d"}, Unfit{"", "c,"}, R"(
    select | from a
    where c = and;
    )");
  Expect("sql", Fit{"c = 1"}, Unfit{"", "c ="}, R"(
    select b,,
    from a
    where |
    order by b;
    )");
  Expect("sql", Fit{"1", "1, c = 2"}, Unfit{"", "1 c"}, R"(
    update a
    set b = |
    where c = ;
    )");
}

// A comment without an end may swallow the rest of a file; tenon writes none.
TEST_F(RegionLanguages, SqlClosesAGapAtTheEndOfAStatement) {
  Expect("sql", Fit{";", "b;"}, Unfit{"", "/*"}, R"(
    drop table a|

    /* b */
    select 1;

    select f( from;

    select 2;
    )");
}

// The stand-in behind the region is no statement that another one may end with.
TEST_F(RegionLanguages, SqlEndsNoColumnInItsMiddle) {
  Expect("sql", Unfit{"h"}, R"(
    create table a (
      b text not null,
      c    |references d (e),
      f    text references d (e),
      g text,
    )");
}

TEST_F(RegionLanguages, SqlEndsNoStatementWithAStandIn) {
  Expect("sql", Fit{"select 2;"},
         Unfit{"insert into a", "create view a as", "with a as (select 1)"}, R"(
    select 1;
    |
    select from where;
    )");
  Expect("sql", Fit{"e int,"}, Unfit{"e as (1)"}, R"(
    create table a (
      b int,
      |
      c int check ('),
      d int
    );
    )");
  Expect("sql", Unfit{"with a as (select 1)"}, R"(
    select a,
        b
    |
    left join c;

    select from where;
    )");
}

}  // namespace
}  // namespace tenon::server
