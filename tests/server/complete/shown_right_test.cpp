#include "server/complete/shown_right.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(ShownRight, LeavesOutALinesRestThatOnlyCloses) {
  EXPECT_EQ(ShownRight(")\nprint()\n"), "\nprint()\n");
  EXPECT_EQ(ShownRight("\"]);  \r\nx"), "\nx");
  EXPECT_EQ(ShownRight(")"), "");
}

TEST(ShownRight, ShowsEverythingElse) {
  for (const char* right : {"", "\nx", ", b)\n", "):\n    pass\n", "x)\n"})
    EXPECT_EQ(ShownRight(right), right);
}

TEST(ClosedAhead, IsWhatOnlyClosesUpToTheEndOfTheLine) {
  EXPECT_EQ(ClosedAhead(")\nprint()\n"), ")");
  EXPECT_EQ(ClosedAhead("\"])  \r\nx"), "\"])");
  EXPECT_EQ(ClosedAhead("`"), "`");
  for (const char* right : {"", "}", "\n)", ", b)\n", "):\n", ");\n", ") x\n", "))))))))))\n"})
    EXPECT_EQ(ClosedAhead(right), "") << right;
}

}  // namespace
}  // namespace tenon::server
