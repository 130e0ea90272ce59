#include "server/settings/setting_values.h"

#include <array>

#include <gtest/gtest.h>

#include "server/settings/setting_table.h"

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(SettingValues, AWholeNumberLiesWithinItsBoundsAndIsNoOtherType) {
  const auto read = WholeNumber(1, 4096);
  int number = 7;
  std::optional<int> optional;
  EXPECT_TRUE(read(64, number));
  EXPECT_TRUE(read(4096, optional));
  EXPECT_EQ(number, 64);
  EXPECT_EQ(optional, 4096);
  for (const json& wrong :
       {json(0), json(4097), json(1.5), json("64"), json(true), json(UINT64_MAX)})
    EXPECT_FALSE(read(wrong, number)) << wrong;
  EXPECT_EQ(number, 64);
}

TEST(SettingValues, ASeedIsAnyNumberThatIsNotNegative) {
  uint64_t seed = 7;
  EXPECT_FALSE(ReadSeed(-1, seed));
  EXPECT_FALSE(ReadSeed(1.5, seed));
  EXPECT_EQ(seed, 7U);
  EXPECT_TRUE(ReadSeed(UINT64_MAX, seed));
  EXPECT_EQ(seed, UINT64_MAX);
  EXPECT_TRUE(ReadSeed(3, seed));
  EXPECT_EQ(seed, 3U);
}

TEST(SettingValues, TextsAreNotEmptyUnlessTheyMayBe) {
  std::optional<std::string> text = "before";
  EXPECT_FALSE(ReadText("", text));
  EXPECT_FALSE(ReadText(1, text));
  EXPECT_FALSE(ReadLine("a\nb", text));
  EXPECT_EQ(text, "before");
  EXPECT_TRUE(ReadText("a\nb", text));
  EXPECT_TRUE(ReadLine("a", text));
  EXPECT_EQ(text, "a");
  EXPECT_TRUE(ReadTextOrNone("", text));
  EXPECT_EQ(text, "");
}

TEST(SettingValues, AnObjectByLanguageHasValuesOfOneType) {
  std::map<std::string, bool> on = {{"go", true}};
  EXPECT_FALSE(ReadByLanguage(json{{"json", false}, {"python", 1}}, on));
  EXPECT_FALSE(ReadByLanguage(json(true), on));
  EXPECT_EQ(on, (std::map<std::string, bool>{{"go", true}}));
  EXPECT_TRUE(ReadByLanguage(json{{"json", false}}, on));
  EXPECT_EQ(on, (std::map<std::string, bool>{{"json", false}}));
}

TEST(SettingValues, OneOfSomeWords) {
  static constexpr std::array<std::string_view, 2> kWords = {"cpu", "cuda"};
  std::string word = "auto";
  EXPECT_FALSE(OneOf(kWords)("tpu", word));
  EXPECT_FALSE(OneOf(kWords)(1, word));
  EXPECT_EQ(word, "auto");
  EXPECT_TRUE(OneOf(kWords)("cuda", word));
  EXPECT_EQ(word, "cuda");
}

// Reading back what is written changes nothing, but for a key, which is never shown.
TEST(SettingTable, EveryEntryReadsWhatItWrites) {
  Settings settings;
  settings.model = "m";
  settings.adapter = "";
  settings.remote.kind = "openai";
  settings.remote.url = "http://127.0.0.1:1";
  settings.remote.key = "secret";
  settings.log_level = "warn";
  settings.cache_mb = 3;
  settings.languages = {{"*", false}};
  settings.levels = {{"python", "since_3_12"}};
  settings.scope = Scope::kLine;
  settings.constraint = ConstraintMode::kLeft;
  settings.multiline = false;
  settings.temperature = 0.5F;
  Settings read;
  for (const SettingEntry& entry : SettingTable()) {
    const json written = entry.write(settings);
    if (written.is_null()) continue;
    EXPECT_TRUE(entry.read(written, read)) << entry.description.name;
  }
  EXPECT_EQ(read.remote.key, "(not shown)");
  read.remote.key = settings.remote.key;
  EXPECT_EQ(read, settings);
}

}  // namespace
}  // namespace tenon::server
