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

TEST(ContentChanges, TheEndOfTheLastEditIsWhereItsTextEnds) {
  const auto end = [](const char* changes_json) {
    TextDocument document("hello\nworld", PositionEncoding::kUtf16);
    const json changes = json::parse(changes_json);
    EXPECT_TRUE(ApplyContentChanges(changes, document).has_value());
    return EndOfLastEdit(changes, document);
  };
  EXPECT_EQ(
      end(R"([{"range":{"start":{"line":1,"character":1},"end":{"line":1,"character":2}},"text":"é"}])"),
      9U);
  EXPECT_EQ(
      end(R"([{"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":1}},"text":"ab"}])"),
      9U)
      << "swapped";
  EXPECT_EQ(
      end(R"([{"range":{"start":{"line":0,"character":1},"end":{"line":1,"character":5}},"text":""}])"),
      1U);
  EXPECT_EQ(end(R"([{"text":"whole"}])"), std::nullopt);
  EXPECT_EQ(end("[]"), std::nullopt);
}

}  // namespace
}  // namespace tenon::protocol
