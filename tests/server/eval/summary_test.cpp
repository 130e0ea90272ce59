#include "server/eval/summary.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

json GapAnswer(bool answered, bool exact, double similarity, bool valid, double ms) {
  return {{"answered", answered},
          {"exact", exact},
          {"similarity", similarity},
          {"valid", valid},
          {"tokens", 4},
          {"ms", ms},
          {"exact_any", exact || similarity > 0.4}};
}

json GapRecord(const char* language, const char* kind, const json& nats, int bytes, json answers) {
  return {{"language", language},
          {"kind", kind},
          {"nats", nats},
          {"bytes", bytes},
          {"answers", std::move(answers)}};
}

const json* GroupOf(const std::vector<json>& groups, const char* language, const char* kind,
                    const char* constraint) {
  for (const json& group : groups) {
    if (group["language"] == language && group.value("kind", "") == kind &&
        group["constraint"] == constraint)
      return &group;
  }
  return nullptr;
}

TEST(Summary, OfGapsHasTheSharesOfEachGroup) {
  const std::vector<json> records = {
      GapRecord("go", "tail", 6.0, 2,
                {{"off", GapAnswer(true, true, 1, false, 10)},
                 {"both", GapAnswer(true, true, 1, true, 20)}}),
      GapRecord("go", "line", nullptr, 100,
                {{"off", GapAnswer(true, false, 0.5, true, 30)},
                 {"both", GapAnswer(false, false, 0, false, 40)}}),
      GapRecord("python", "tail", 2.0, 6, {{"off", GapAnswer(true, false, 0.3, true, 50)}})};
  const std::vector<json> groups = SummariseGaps(records);
  const json* off = GroupOf(groups, "all", "all", "off");
  ASSERT_NE(off, nullptr);
  EXPECT_EQ((*off)["count"], 3);
  EXPECT_NEAR((*off)["exact"], 1.0 / 3, 1e-9);
  EXPECT_NEAR((*off)["exact_any"], 2.0 / 3, 1e-9);
  EXPECT_NEAR((*off)["similarity"], 0.6, 1e-9);
  EXPECT_EQ((*off)["answered"], 1.0);
  EXPECT_NEAR((*off)["valid"], 2.0 / 3, 1e-9);
  EXPECT_NEAR((*off)["nats_a_byte"], 1.0, 1e-9) << "8 nats, 8 bytes; the gap without nats apart";
  EXPECT_EQ((*off)["ms"], json::parse(R"({"p50": 30.0, "p95": 50.0, "max": 50.0})"));
  const json* both = GroupOf(groups, "go", "all", "both");
  ASSERT_NE(both, nullptr);
  EXPECT_EQ((*both)["answered"], 0.5);
  EXPECT_EQ((*both)["valid"], 1.0) << "of the answered ones";
  const json* line = GroupOf(groups, "go", "line", "both");
  ASSERT_NE(line, nullptr);
  EXPECT_TRUE((*line)["valid"].is_null());
  EXPECT_TRUE((*line)["nats_a_byte"].is_null());
  EXPECT_EQ(GroupOf(groups, "python", "tail", "both"), nullptr) << "nobody was asked";
  EXPECT_EQ(GroupOf(groups, "python", "line", "off"), nullptr);
}

TEST(Summary, OfTypingHasTheSavedKeys) {
  const auto region = [](int characters, int keys, int acceptances, std::vector<double> ms) {
    return json{{"language", "go"},
                {"answers",
                 {{"both",
                   {{"characters", characters},
                    {"keys", keys},
                    {"acceptances", acceptances},
                    {"answered", 2},
                    {"offered_characters", 10},
                    {"right_characters", 4},
                    {"ms", std::move(ms)}}}}}};
  };
  const std::vector<json> groups =
      SummariseTyping({region(10, 4, 1, {1, 2, 3}), region(30, 30, 0, {4})});
  ASSERT_EQ(groups.size(), 1U) << "one language: no further group of all";
  EXPECT_EQ(groups[0]["language"], "go");
  EXPECT_EQ(groups[0]["count"], 2);
  EXPECT_EQ(groups[0]["requests"], 4);
  EXPECT_NEAR(groups[0]["saved"], 1 - 35.0 / 40, 1e-9);
  EXPECT_NEAR(groups[0]["right_prefix"], 0.4, 1e-9);
  EXPECT_EQ(groups[0]["answered"], 1.0);
  EXPECT_EQ(groups[0]["ms"]["p50"], 2.0);
  EXPECT_EQ(groups[0]["ms"]["p95"], 4.0);
}

TEST(Summary, OfNothingIsEmpty) {
  EXPECT_TRUE(SummariseGaps({}).empty());
  EXPECT_TRUE(SummariseTyping({}).empty());
  EXPECT_TRUE(PercentilesOf({}).is_null());
  EXPECT_EQ(LatenciesOf({}), json::object());
}

TEST(Summary, KeepsEveryLatency) {
  const std::vector<json> records = {{{"answers", {{"off", {{"ms", 1.5}}}}}},
                                     {{"answers", {{"off", {{"ms", 2.5}}}}}},
                                     {{"answers", {{"both", {{"ms", {3.0, 4.0}}}}}}}};
  EXPECT_EQ(LatenciesOf(records), json::parse(R"({"off": [1.5, 2.5], "both": [3.0, 4.0]})"));
}

}  // namespace
}  // namespace tenon::server
