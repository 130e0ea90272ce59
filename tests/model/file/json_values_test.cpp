#include "model/file/json_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tenon::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(JsonValues, HaveDottedNamesAndOneKindEach) {
  const auto values = JsonValues::Parse(
      R"({"n": 64, "x": 1e-5, "b": true, "t": "llama", "o": {"p": {"q": 8}}, "l": [2, 7],
          "s": ["a", "b"], "mixed": [1, "a"], "null": null, "huge": 18446744073709551615})",
      "c.json");
  ASSERT_TRUE(values.has_value()) << values.error().message;
  EXPECT_EQ(values->Integer("n"), 64);
  EXPECT_EQ(values->Real("n"), 64.0);
  EXPECT_EQ(values->Real("x"), 1e-5);
  EXPECT_EQ(values->Integer("x"), std::nullopt);
  EXPECT_EQ(values->Bool("b"), true);
  EXPECT_EQ(values->String("t"), "llama");
  EXPECT_EQ(values->Integer("o.p.q"), 8);
  EXPECT_THAT(*values->Integers("l"), ElementsAre(2, 7));
  EXPECT_THAT(*values->Strings("s"), ElementsAre("a", "b"));
  EXPECT_EQ(values->Integers("mixed"), nullptr);
  EXPECT_EQ(values->Strings("mixed"), nullptr);
  EXPECT_EQ(values->Strings("l"), nullptr);
  EXPECT_TRUE(values->Has("mixed"));
  EXPECT_TRUE(values->Has("o"));
  EXPECT_FALSE(values->Has("null"));
  EXPECT_EQ(values->Integer("huge"), std::nullopt);
  EXPECT_EQ(values->path(), "c.json");
}

TEST(JsonValues, RefuseWhatIsNoObjectAndWhatIsTooDeep) {
  for (const std::string& text :
       {std::string(), std::string("[1]"), std::string("{\"a\": 1,}"),
        std::string("{\"a\": 1, \"a\": 2}"), "{\"a\":" + std::string(100'000, '[')}) {
    const auto values = JsonValues::Parse(text, "c.json");
    ASSERT_FALSE(values.has_value()) << text.substr(0, 20);
    EXPECT_THAT(values.error().message, HasSubstr("c.json: "));
  }
}

TEST(JsonValues, LeaveOutNamesThatWouldTakeTheSquareOfTheFile) {
  const std::string key(129, 'k');
  const auto values = JsonValues::Parse(
      "{\"" + key + "\": {\"a\": 1, \"b\": 2}, \"short\": {\"" + key + "\": 3, \"c\": 4}}",
      "c.json");
  ASSERT_TRUE(values.has_value()) << values.error().message;
  EXPECT_FALSE(values->Has(key));
  EXPECT_FALSE(values->Has(key + ".a"));
  EXPECT_FALSE(values->Has("short." + key));
  EXPECT_EQ(values->Integer("short.c"), 4);
}

}  // namespace
}  // namespace tenon::model
