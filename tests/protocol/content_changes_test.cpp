#include "protocol/content_changes.h"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

using nlohmann::json;

TEST(ContentChanges, RangedAndWholeEditsApplyInOrder) {
  TextDocument document("hello\nworld", PositionEncoding::kUtf16);
  const json changes = json::parse(R"([
    {"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":5}},"text":"bye"},
    {"range":{"start":{"line":1,"character":5},"end":{"line":1,"character":5}},"rangeLength":0,"text":"!"}])");
  ASSERT_TRUE(ApplyContentChanges(changes, document).has_value());
  EXPECT_EQ(document.text(), "bye\nworld!");
  EXPECT_FALSE(ContainsWholeText(changes));

  const json whole = json::parse(
      R"([{"text":"new"},{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":3}},"text":"s"}])");
  ASSERT_TRUE(ApplyContentChanges(whole, document).has_value());
  EXPECT_EQ(document.text(), "news");
  EXPECT_TRUE(ContainsWholeText(whole));
}

TEST(ContentChanges, TheFirstUnreadableEditIsNamedAndEndsIt) {
  TextDocument document("abc", PositionEncoding::kUtf16);
  const json changes =
      json::parse(R"([{"text":"x"},{"range":{"start":{"line":0}},"text":"y"},{"text":"z"}])");
  const auto applied = ApplyContentChanges(changes, document);
  ASSERT_FALSE(applied.has_value());
  EXPECT_EQ(applied.error().rfind("contentChanges[1]", 0), 0U) << applied.error();
  EXPECT_EQ(document.text(), "x");
  EXPECT_FALSE(ApplyContentChanges(json::parse(R"([{"text":1}])"), document).has_value());
  EXPECT_FALSE(ApplyContentChanges(json::parse(R"([3])"), document).has_value());
  EXPECT_FALSE(ApplyContentChanges(json(), document).has_value());
}

}  // namespace
}  // namespace tenon::protocol
