#include "server/eval/text_lines.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(TextLines, HaveBlanksContentAndALineEnd) {
  const std::string_view text = "  x = 1 \r\n\n\tend";
  const std::vector<TextLine> lines = LinesOf(text);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].begin_bytes, 0U);
  EXPECT_EQ(lines[0].content_begin_bytes, 2U);
  EXPECT_EQ(lines[0].content_end_bytes, 7U);
  EXPECT_EQ(lines[0].end_bytes, 8U);
  EXPECT_TRUE(lines[1].blank());
  EXPECT_EQ(lines[1].begin_bytes, 10U);
  EXPECT_EQ(text.substr(lines[2].content_begin_bytes), "end");
  EXPECT_TRUE(LinesOf("").empty());
  EXPECT_EQ(LinesOf("a\n").size(), 1U) << "no line begins after the last line end";
}

TEST(TextLines, OffsetsAreThoseOfCharacters) {
  EXPECT_EQ(CharacterOffsets("aé€b", 0, 7), (std::vector<size_t>{0, 1, 3, 6, 7}));
  EXPECT_EQ(CharacterOffsets("ab", 1, 1), (std::vector<size_t>{1}));
}

TEST(TextLines, EndsAreCutOff) {
  EXPECT_EQ(FirstLineOf("a\r\nb"), "a");
  EXPECT_EQ(FirstLineOf("\nb"), "");
  EXPECT_EQ(FirstLineOf("ab"), "ab");
}

}  // namespace
}  // namespace tenon::server
