#include "protocol/lsp_types.h"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

using nlohmann::json;

TEST(LspTypes, FindPathWalksMembersAndStopsAtWhatIsNoObject) {
  const json value = {{"a", {{"b", {{"c", true}}}}}};
  EXPECT_TRUE(IsTrue(value, "a/b/c"));
  EXPECT_FALSE(IsTrue(value, "a/b"));
  EXPECT_FALSE(IsTrue(value, "a/b/c/d"));
  EXPECT_FALSE(IsTrue(json(3), "a"));
  EXPECT_EQ(FindPath(value, "a/x"), nullptr);
}

TEST(LspTypes, PositionsAreReadOrRefusedByName) {
  const json value =
      json::parse(R"({"good":{"line":3,"character":4},"huge":{"line":99999999999999,"character":0},
      "negative":{"line":-1,"character":0},"half":{"line":0.5,"character":0},"text":{"line":"1","character":0},
      "lacks":{"line":1},"number":7})");
  EXPECT_EQ(ReadPosition(value, "good"), (Position{3, 4}));
  EXPECT_EQ(ReadPosition(value, "huge"), (Position{4294967295U, 0}));
  for (const char* bad : {"negative", "half", "text", "lacks", "number", "absent"}) {
    const auto position = ReadPosition(value, bad);
    ASSERT_FALSE(position.has_value()) << bad;
    EXPECT_NE(position.error().find(bad), std::string::npos) << position.error();
  }
}

TEST(LspTypes, RangesAreReadAndWrittenBack) {
  const json range =
      json::parse(R"({"start":{"line":1,"character":2},"end":{"line":3,"character":4}})");
  const auto read = ReadRange({{"range", range}}, "range");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(ToJson(*read), range);
  EXPECT_FALSE(ReadRange({{"range", {{"start", range["start"]}}}}, "range").has_value());
  EXPECT_FALSE(ReadRange({{"range", {{"end", range["end"]}}}}, "range").has_value());
  EXPECT_FALSE(ReadRange(json::object(), "range").has_value());
}

}  // namespace
}  // namespace tenon::protocol
