// Regions at strings and comments: where they begin and end, and which may be written.
#include "tests/server/region/region_gaps_fixture.h"

namespace tenon::server {
namespace {

class RegionStrings : public RegionGapsTest {};

TEST_F(RegionStrings, DoNotEndInsideAStringOfSeveralLines) {
  Expect("python", Unfit{R"(""")"}, R"(
    class A(B):
        """One.
            |
        """
                c=1,
            )
            d = None,
    )");
}

// Read from within the first docstring, the code of `inspect` would be a string.
TEST_F(RegionStrings, DoNotBeginInsideAStringOfSeveralLines) {
  Expect("python", Fit{"a,"}, Unfit{"\"\"\"\ndef x("}, R"(
    def f():
        doc = """half
        return 1


    def g():
        """One.

        Two.
        """
        h(
            a,
        )


    def inspect(
        |
        b=1,
    ):
        """Three.

        Four.
        """
        return b
    )");
}

// tree-sitter takes `"b` and the beginning of the next line for a string.
TEST_F(RegionStrings, DoNotTakeTwoLinesForAStringThatHasOne) {
  Expect("json", Fit{R"(": {)"}, Unfit{R"(": 0,)"}, R"(
    {
      "b|
        "c": {
    <<<<<<< HEAD
    =======
    >>>>>>> d
          "e": 1
        },
        "f": {}
      },
      "g": {
        "h": 2
      }
    }
    )");
}

// Behind `\\` a string of one line may go on in the next.
TEST_F(RegionStrings, BeginBeforeAStringWhoseEscapeIsCut) {
  Expect("python", Fit{"033"}, R"(
    x = ]


    def f():
        a('\033')
        a('\|[104m')
        a('b')
    )");
}

TEST_F(RegionStrings, BeginBeforeAStringOrCommentThatTheLineOpens) {
  Expect("sql", Fit{"c"}, R"(
    select 1 from where;

    select 'a |b', 2;
    )");
  Expect("sql", Fit{"c"}, R"(
    select 1 from where;

    /* a |b */
    select 2;
    )");
  Expect("typescript", Fit{"d"}, Unfit{"*/ }"}, R"(
    type A<B>  C;
    /** a's |b. */
    let c = 1;
    )");
}

TEST_F(RegionStrings, JoinTheRestOfAString) {
  const std::string text = R"(
    {
      "a": 1,
      "b|0.2",
      "c": [1 2]
    }
    )";
  Expect("json", Fit{R"(": "^)"}, Unfit{R"(": 1)"}, text);
  EXPECT_EQ(Open("json", text)->seam, Seam::kLine);
}

TEST_F(RegionStrings, StayInACommentWithoutAnEnd) {
  Expect("java", Fit{"two", ""}, Unfit{"*/", "*/ int b;"}, R"(
    class A {
      int a;

      /*
       * One |
       * three
    )");
  Expect("typescript", Fit{"two"}, Unfit{"*/", "*/;"}, R"(
    f(a);

    /**
     * |
     * @b c - D {@link e}
    )");
}

// The half-typed line turns strings and code around: the tree reads the method as a string.
TEST_F(RegionStrings, DoNotTakeAMethodForAString) {
  Expect("python", Fit{"= b"}, Unfit{"\"\"\"\n    if x:"}, R"(
    class C(D):
        """One two.
            a = """half
        """
        def f(
        ):
            self.a|
        """Three
        """
    )");
}

// The next `*/` ends another comment.
TEST_F(RegionStrings, CloseACommentThatHasLostItsEnd) {
  Expect("java", Fit{"two */", "*/"}, Unfit{"two"}, R"(
    /**
     * One
     * |
    final class A {
      int a;

      /**
       * Three
       */
      void f( {
      }
    }
    )");
}

TEST_F(RegionStrings, AreFoundAroundACommentOfSeveralLines) {
  Expect("java", Fit{"of it"}, R"(
    /*
     * One line,
     * another |
     */
    class A {
        void f( {
        }
    }
    )");
  Expect("java", Fit{"of it"}, R"(
    class B {
        /**
         * |
         */
        int a;
    }
    class A {
        void f( {
        }
    }
    )");
}

// The tree takes the marker's `<` for the beginning of an element, and the rest for its text.
TEST_F(RegionStrings, KnowACommentByItsLines) {
  Expect("typescriptreact", Fit{" of it"}, R"(
    export { a } from 'b';
    <<<<<<< HEAD
    =======
    >>>>>>> branch
    export { c } from 'd';

    /**
     *|
     */
    export { e };
    )");
}

TEST_F(RegionStrings, KnowACommentWhereTheTreeIsOneError) {
  Expect("java", Fit{"of it"}, R"(
    }}) (
    /*
     * |
     */
    int a;
    class A {
        void f( {
        }
    }
    ((
    )");
}

// `/*` would swallow the broken statement and the rest of the file: SQLite takes a comment without
// an end. tenon writes none, so the region ends before that statement.
TEST_F(RegionStrings, AreThoseThatATextOfItsOwnCloses) {
  const auto found = Open("sql", R"(
    select 1;

    select f(2, |);

    create table t (
    )");
  ASSERT_TRUE(found);
  EXPECT_LE(found->region.end, std::string("select 1;\n\nselect f(2, );\n\n").size());
  EXPECT_TRUE(found->gap.Close());
}

}  // namespace
}  // namespace tenon::server
