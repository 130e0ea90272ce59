#include "server/region/region_rules.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// May a region begin at the cursor's line, after a statement of its own?
bool MayBeginAtCursorLine(std::string text) {
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  const size_t line = text.rfind('\n', cursor - 1) + 1;
  return RegionRules(text, cursor, {cursor, cursor}, 0, text.size())
      .Allow(RegionBegin{line, "commit;\n"});
}

TEST(RegionRules, BeginNoRegionWithinAStatement) {
  EXPECT_FALSE(MayBeginAtCursorLine("insert into\n  |\n  *\nfrom b;\n"));
  EXPECT_FALSE(MayBeginAtCursorLine("select a from b\n|\n"));
  EXPECT_TRUE(MayBeginAtCursorLine("select a from b;\n|\n"));
  EXPECT_TRUE(MayBeginAtCursorLine("select a from b\n\n|\n"));
  EXPECT_TRUE(MayBeginAtCursorLine("-- some words\n|\n"));
  EXPECT_TRUE(MayBeginAtCursorLine("select a from b\nselect |\n")) << "it has begun there";
}

}  // namespace
}  // namespace tenon::server
