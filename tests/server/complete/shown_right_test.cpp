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

}  // namespace
}  // namespace tenon::server
