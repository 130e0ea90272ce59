#include "server/complete/unfinished_request.h"

#include <chrono>
#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

CompletionRequest Hurried() {
  CompletionRequest request;
  request.text = std::string("total = ");
  request.time_budget = std::chrono::milliseconds(300);
  request.on_progress = [](const CompletionProgress& /*progress*/) {};
  return request;
}

TEST(UnfinishedRequest, IsTakenOnceWithItsListenerAndWithoutItsTime) {
  UnfinishedRequest unfinished;
  unfinished.Note(Hurried(), CompletionAnswer::Late(*Hurried().time_budget, "too soon"));
  const auto request = unfinished.Take();
  ASSERT_TRUE(request);
  EXPECT_EQ(*request->text, "total = ");
  EXPECT_FALSE(request->time_budget);
  EXPECT_TRUE(request->on_progress);
  EXPECT_FALSE(unfinished.Take());
}

TEST(UnfinishedRequest, IsNoneWhereTheLastAnswerWasWhole) {
  UnfinishedRequest unfinished;
  unfinished.Note(Hurried(), CompletionAnswer::Late(*Hurried().time_budget, "too soon"));
  unfinished.Note(Hurried(), CompletionAnswer::Nothing("nothing fits"));
  EXPECT_FALSE(unfinished.Take());
}

TEST(UnfinishedRequest, IsForgotten) {
  UnfinishedRequest unfinished;
  unfinished.Note(Hurried(), CompletionAnswer::Late(*Hurried().time_budget, "too soon"));
  unfinished.Forget();
  EXPECT_FALSE(unfinished.Take());
}

}  // namespace
}  // namespace tenon::server
