#include "protocol/json_text.h"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

std::string Nested(int depth) {
  return std::string(static_cast<size_t>(depth), '[') +
         std::string(static_cast<size_t>(depth), ']');
}

TEST(JsonText, IsAValueOrTheReasonWhyItIsNone) {
  EXPECT_EQ(ParseJson("[1, 2]"), nlohmann::json::array({1, 2}));
  EXPECT_EQ(ParseJson("[1, x").error(), "wrong at byte 5 of 5");
  EXPECT_EQ(ParseJson("").error(), "wrong at byte 1 of 0");
  EXPECT_EQ(ParseJson("1e999").error(), "a number is too large");
}

TEST(JsonText, NestsAsDeepAsItsBoundAndNoDeeper) {
  EXPECT_TRUE(ParseJson(Nested(kMaxJsonDepth)));
  EXPECT_EQ(ParseJson(Nested(kMaxJsonDepth + 1)).error(), "more than 128 brackets are nested");
  EXPECT_FALSE(ParseJson(std::string(130'000, '{')));
}

TEST(JsonText, CountsNoBracketOfAString) {
  EXPECT_FALSE(NestsDeeperThan(R"(["[[[", "\"[[[", "\\", "[\\\"["])", 1));
  EXPECT_TRUE(NestsDeeperThan(R"(["\\", [1]])", 1));
  EXPECT_FALSE(NestsDeeperThan(R"({"a": [1], "b": [2], "c": {}})", 2));
  EXPECT_TRUE(NestsDeeperThan(R"({"a": [1], "b": [[2]]})", 2));
  EXPECT_FALSE(NestsDeeperThan(R"(["[[[[ without an end)", 1));
}

}  // namespace
}  // namespace tenon::protocol
