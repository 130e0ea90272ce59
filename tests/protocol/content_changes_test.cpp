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
  const ContentChanges read = ReadContentChanges(&changes);
  EXPECT_EQ(read.fault, std::nullopt);
  Apply(read, document);
  EXPECT_EQ(document.text(), "bye\nworld!");
  EXPECT_FALSE(read.BeginWithWholeText());

  const json whole = json::parse(
      R"([{"text":"new"},{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":3}},"text":"s"}])");
  const ContentChanges read_whole = ReadContentChanges(&whole);
  Apply(read_whole, document);
  EXPECT_EQ(document.text(), "news");
  EXPECT_TRUE(read_whole.BeginWithWholeText());
}

TEST(ContentChanges, TheFirstUnreadableEditIsNamedAndEndsIt) {
  TextDocument document("abc", PositionEncoding::kUtf16);
  const json changes =
      json::parse(R"([{"text":"x"},{"range":{"start":{"line":0}},"text":"y"},{"text":"z"}])");
  const ContentChanges read = ReadContentChanges(&changes);
  ASSERT_TRUE(read.fault);
  EXPECT_EQ(read.fault->rfind("contentChanges[1]", 0), 0U) << *read.fault;
  Apply(read, document);
  EXPECT_EQ(document.text(), "x");
  for (const char* wrong : {R"([{"text":1}])", "[3]", "null"}) {
    const json list = json::parse(wrong);
    EXPECT_TRUE(ReadContentChanges(&list).fault) << wrong;
  }
  EXPECT_TRUE(ReadContentChanges(nullptr).fault);
}

TEST(ContentChanges, TheEndOfTheLastEditIsWhereItsTextEnds) {
  const auto end = [](const char* changes_json) {
    TextDocument document("hello\nworld", PositionEncoding::kUtf16);
    const json changes = json::parse(changes_json);
    const ContentChanges read = ReadContentChanges(&changes);
    Apply(read, document);
    return EndOfLastEdit(read, document);
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
