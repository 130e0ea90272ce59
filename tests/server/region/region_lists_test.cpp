// Regions between the items of lists, their commas, and the file behind them.
#include "tests/server/region/region_gaps_fixture.h"

namespace tenon::server {
namespace {

class RegionLists : public RegionGapsTest {};

TEST_F(RegionLists, FillTheUnitsOfAListThatAreLeftOut) {
  Expect("json", Fit{"6"}, Unfit{"6,", ""}, R"({"a": [1, 2 3], "b": [4, |, 5], "c": [})");
}

// The file is cut off below, so that its tree is one error.
TEST_F(RegionLists, NeedACommaBeforeTheNextItemOfAListThatIsCutOff) {
  Expect("json", Fit{R"("a": 0,)"}, Unfit{R"("a": 0)"}, R"(
    {
      |
      "b": 1,
      "c": [
    )");
}

TEST_F(RegionLists, NeedACommaBeforeAnItemWhoseListIsNotClosed) {
  Expect("json", Fit{" 0,"}, Unfit{" 0"}, R"(
    {
    	"a": "b",
    	"c":|
    	"d: {
    		"e": 1
    	},
    	"f": 2
    }
    )");
}

// Behind the comma of an item that is left out another item has to come.
TEST_F(RegionLists, BeginBehindACommaWithAnItem) {
  Expect("json", Fit{R"("d": 2)"}, Unfit{"", "},\n  \"d\": {"}, R"(
    {
      "a": {
        "b": 1,
        |
      },
      "c": [1 2]
    }
    )");
}

// The next line goes on with what the comma began.
TEST_F(RegionLists, DoNotEndBehindACommaThatNoListHas) {
  Expect("go", Unfit{"a:}},a{"}, R"(
    package p

    func f() {
    	g(func() {
    		switch a := a.(type) {
    		case *b,
    			|T,
    			*c:
    			return

    		case *d:
    			if e {
    )");
}

TEST_F(RegionLists, AreFoundInTheListsOfStatements) {
  Expect("sql", Fit{"e,"}, Unfit{"e);"}, R"(
    update a
    set b = json_set(
      c,
      |
      'd', f(1)
    )
    where = = ;
    )");
  Expect("sql", Fit{"d,"}, Unfit{"1,"}, R"(
    insert into a (
      b,
      |
      c
    ) values (
      1,,
      2
    );
    )");
  Expect("sql", Fit{"d,"}, Unfit{"d from e where"}, R"(
    select
      a,
      |
      b,
      c,
      where
      d
    from e;
    )");
}

TEST_F(RegionLists, AreFoundInPatterns) {
  Expect("javascript", Fit{"e,", "e = 1,"}, Unfit{"e();"}, R"(
    const f = a => {
      const {
        b,
    <<<<<<< HEAD
    =======
    >>>>>>> b
        c,
        |
        d,
      } = a;
    };
    )");
}

// With a set's stand-in `0` the gap would be that of `**0`.
TEST_F(RegionLists, ReadOnBehindTheRegion) {
  Expect("python", Fit{"3: 4,"}, Unfit{"**"}, R"(
    a = {
        1: 2,
        |
        5: 6,
        class
        7: 8,
    }
    )");
  Expect("python", Fit{"7: 8,"}, R"(
    a = {
        1: f(2,
        3: 4,
        |
        5: 6,
    }
    )");
}

// In the file the middle goes on with `foreign`, in the region with a stand-in.
TEST_F(RegionLists, TakeNoMiddleThatStopsTheFileBehindTheRegion) {
  const auto found = Open("sql", R"(
    create table a (
      b int,
      |
      foreign key (b) references c()
    );
    )");
  ASSERT_TRUE(found);
  EXPECT_GT(found->region.read_on_bytes, 0u);
  EXPECT_TRUE(Fits(found, R"("d")")) << Judged(found);
  EXPECT_FALSE(FitsTheFile(found, R"("d")"));
  EXPECT_TRUE(FitsTheFile(found, R"("d",)"));
}

// In the file the bracket is still open, and holds one function.
TEST_F(RegionLists, TakeNoMiddleThatStopsAFileThatIsGoodSoFar) {
  const auto found = Open("javascript", R"(
    let x = (

    function g() {
      a();
      |
      switch (a) {
      b();
    }
    )");
  ASSERT_TRUE(found);
  EXPECT_GT(found->region.begin, 0u);
  EXPECT_TRUE(Fits(found, "}\nfunction h() {")) << Judged(found);
  EXPECT_FALSE(FitsTheFile(found, "}\nfunction h() {"));
  EXPECT_TRUE(FitsTheFile(found, "c();"));
}

TEST_F(RegionLists, EndNoFileThatGoesOn) {
  Expect("json", Unfit{"0]"}, R"(
    [
    ["a", 1],
    |
    ["c", 3],
    ["d", 4,
    ["e", 5]
    ]
    )");
}

}  // namespace
}  // namespace tenon::server
