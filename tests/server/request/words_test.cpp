#include "server/request/words.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(Words, AreOfLettersDigitsAndBytesBeyondAscii) {
  for (const char c : std::string_view("aZ09_\xc3")) EXPECT_TRUE(IsWordByte(c)) << c;
  for (const char c : std::string_view("$- \n(")) EXPECT_FALSE(IsWordByte(c)) << c;
}

TEST(Words, BlanksAreCutOff) {
  EXPECT_EQ(WithoutBlanksAtEnd(" a \t\r\n"), " a");
  EXPECT_EQ(WithoutBlanksAtEnd("  "), "");
  EXPECT_EQ(Trimmed("\f a b\r\n"), "a b");
  EXPECT_EQ(Trimmed(" \n"), "");
  EXPECT_EQ(Trimmed(" \na ", " "), "\na") << "of some blanks alone";
}

}  // namespace
}  // namespace tenon::server
