#include "server/region/region_rules.h"

#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// May a region begin at the cursor's line, after a statement of its own?
bool MayBeginAtCursorLine(std::string text) {
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  const size_t line = text.rfind('\n', cursor - 1) + 1;
  return RegionRules(text, cursor, {cursor, cursor}, 0, false, text.size())
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

// Where the head begins whose bracket no line closes; the file is cut off.
std::optional<size_t> UnclosedHead(std::string text) {
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  const auto head =
      RegionRules(text, cursor, {cursor, cursor}, 0, false, text.size()).InnermostUnclosedHead();
  return head ? std::optional(head->begin) : std::nullopt;
}

TEST(RegionRules, TellTheInnermostHeadThatNothingCloses) {
  EXPECT_EQ(UnclosedHead("a(() => {\n  b(() => {\n    c(|"), 10u);
  EXPECT_EQ(UnclosedHead("a(() => {\n  b(() => {\n    c(|\n  });\n"), 0u) << "`b` is closed";
  EXPECT_EQ(UnclosedHead("a(() => {\n  c(|\n});\n"), std::nullopt);
  EXPECT_EQ(UnclosedHead("a\n|"), std::nullopt);
}

}  // namespace
}  // namespace tenon::server
