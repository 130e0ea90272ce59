#include "server/offers/completion_statistics.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

TEST(CompletionStatistics, PercentilesAreThoseOfTheLastAnswersByNearestRank) {
  CompletionStatistics statistics;
  EXPECT_EQ(statistics.ToJson()["completion"], (json{{"count", 0}}));
  statistics.Answered("completion", 12.34);
  EXPECT_EQ(statistics.ToJson()["completion"],
            (json{{"count", 1}, {"p50Ms", 12.3}, {"p95Ms", 12.3}}));
  for (int ms = 1; ms <= 1000; ++ms) statistics.Answered("inlineCompletion", ms);
  EXPECT_EQ(statistics.ToJson()["inlineCompletion"],
            (json{{"count", 1000}, {"p50Ms", 900.0}, {"p95Ms", 990.0}}));
}

TEST(CompletionStatistics, WhatIsShownIsCountedByItsGuarantee) {
  CompletionStatistics statistics;
  statistics.Shown(Guarantee::kFile);
  statistics.Shown(Guarantee::kFile);
  statistics.Shown(Guarantee::kNone);
  statistics.Accepted();
  const json out = statistics.ToJson();
  EXPECT_EQ(out["shown"], 3);
  EXPECT_EQ(out["accepted"], 1);
  EXPECT_EQ(out["guarantees"], (json{{"file", 2}, {"none", 1}}));
}

TEST(CompletionStatistics, WhatARemoteEngineWasAskedForIsCounted) {
  CompletionStatistics statistics;
  DecodeStatistics local;
  local.drawn = 5;
  statistics.Cost(local);
  EXPECT_FALSE(statistics.ToJson().contains("remote"));
  DecodeStatistics remote;
  remote.drawn = 6;
  remote.forced = 1;
  remote.requests = 2;
  remote.wasted = 3;
  statistics.Cost(remote);
  remote.requests = 1;
  statistics.Cost(remote);
  EXPECT_EQ(statistics.ToJson()["remote"],
            (json{{"completions", 2}, {"requests", 3}, {"tokens", 10}, {"wasted", 6}}));
}

}  // namespace
}  // namespace tenon::server
