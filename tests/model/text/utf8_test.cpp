#include "model/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace tenon::model {
namespace {

TEST(Utf8, EachCharacterHasOneSpelling) {
  const struct {
    std::string text;
    char32_t code_point;
  } right[] = {{"a", 'a'},
               {std::string(1, '\0'), 0},
               {"\xc2\x80", 0x80},
               {"\xdf\xbf", 0x7ff},
               {"\xe0\xa0\x80", 0x800},
               {"\xed\x9f\xbf", 0xd7ff},
               {"\xef\xbf\xbf", 0xffff},
               {"\xf0\x90\x80\x80", 0x10000},
               {"\xf4\x8f\xbf\xbf", 0x10ffff}};
  for (const auto& [text, code_point] : right) {
    const auto character = FirstCharacter(text + "z");
    ASSERT_TRUE(character.has_value()) << ::testing::PrintToString(text);
    EXPECT_TRUE(character->code_point == code_point);
    EXPECT_EQ(character->bytes, text.size());
    EXPECT_EQ(LeadByte(code_point), static_cast<uint8_t>(text[0]));
    EXPECT_EQ(UnfinishedBytes("x" + text), 0u);
    for (size_t cut = 1; cut < text.size(); ++cut) {
      EXPECT_FALSE(FirstCharacter(text.substr(0, cut)).has_value());
      EXPECT_EQ(UnfinishedBytes("x" + text.substr(0, cut)), cut);
    }
  }
  for (const char* wrong : {"", "\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80",
                            "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3("})
    EXPECT_FALSE(FirstCharacter(wrong).has_value()) << wrong;
}

}  // namespace
}  // namespace tenon::model
