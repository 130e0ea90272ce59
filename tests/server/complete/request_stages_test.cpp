#include "server/complete/request_stages.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "server/complete/task_answer.h"
#include "tests/server/cursor_request.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

using std::chrono::milliseconds;

class RequestStagesTest : public testing::Test {
 protected:
  static CompletionRequest At(std::string text) { return RequestAt(std::move(text), "json"); }
  static Deadline::Clock Stopped() {
    return [] { return std::chrono::steady_clock::time_point(); };
  }

  std::shared_ptr<const LanguageRegistry> languages_ =
      *LanguageRegistry::Load(SourcePath("grammars"));
  TaskMaker tasks_{[](std::string_view text) { return static_cast<uint32_t>(text.size()); },
                   languages_,
                   std::make_shared<SyntaxRegistry>(
                       languages_, std::vector<std::filesystem::path>{SyntaxesFolder()})};
};

TEST_F(RequestStagesTest, PreparesATaskAndAnswersWithItsTimings) {
  const CompletionRequest request = At("[1, |]");
  RequestStages stages(request, Stopped(), {});
  EXPECT_FALSE(stages.deadline().exists());
  const auto task = stages.Prepare(tasks_);
  ASSERT_TRUE(task) << task.error().reason;
  EXPECT_TRUE(std::holds_alternative<GapTask>(*task));
  stages.End("decode");
  const CompletionAnswer answer = stages.Answer(*task, Candidates());
  EXPECT_TRUE(answer.timings_ms.contains("gap"));
  EXPECT_TRUE(answer.timings_ms.contains("decode"));
  EXPECT_FALSE(answer.cut_by_time);
}

TEST_F(RequestStagesTest, CompletesTheTextWithTheSignThatTheLineAboveLacks) {
  CompletionRequest request = At("[\n  1\n  |\n]");
  RequestStages without(request, Stopped(), {});
  EXPECT_TRUE(without.Prepare(tasks_));
  EXPECT_EQ(*without.request().text, *request.text) << "the asker cannot write it";

  request.adds_missing_sign = true;
  RequestStages stages(request, Stopped(), {});
  const auto task = stages.Prepare(tasks_);
  ASSERT_TRUE(task) << task.error().reason;
  EXPECT_EQ(*stages.request().text, "[\n  1,\n  \n]");
  EXPECT_TRUE(std::get<GapTask>(*task).opened.Check("2"));
  EXPECT_EQ(std::get<GapTask>(*task).added_sign, (MissingSign{5, ","}));
  TaskJudge judge(stages.request(), *task, {});
  const DecodeResult middle{.middle = "2", .closed = true};
  Candidates candidates;
  candidates.wanted.push_back({middle, *judge.Judge(middle)});
  const CompletionAnswer answer = stages.Answer(*task, candidates);
  EXPECT_EQ(answer.items.at(0).range_begin_bytes, request.offset_bytes);
  EXPECT_EQ(answer.items.at(0).missing_sign, (MissingSign{5, ","}));
}

TEST_F(RequestStagesTest, AnAnswerSaysThatItsTimeCutIt) {
  CompletionRequest request = At("[1, |]");
  request.time_budget = milliseconds(60'000);
  RequestStages stages(request, Stopped(), {});
  EXPECT_EQ(stages.deadline().left(), milliseconds(60'000));
  const auto task = stages.Prepare(tasks_);
  ASSERT_TRUE(task) << task.error().reason;
  Candidates candidates;
  candidates.first.ended = Ended::kTime;
  EXPECT_TRUE(stages.Answer(*task, candidates).cut_by_time);
}

TEST_F(RequestStagesTest, ACursorAfterTheEndOfTheTextHasNoTask) {
  CompletionRequest request = At("[1, |]");
  request.offset_bytes = 100;
  const auto task = RequestStages(request, Stopped(), {}).Prepare(tasks_);
  ASSERT_FALSE(task);
  EXPECT_EQ(task.error().reason, "the cursor lies after the end of the text");
}

TEST_F(RequestStagesTest, ACancelledRequestIsNotLate) {
  CompletionRequest request = At("[1, |]");
  request.time_budget = milliseconds(60'000);
  std::stop_source cancel;
  cancel.request_stop();
  const auto task = RequestStages(request, Stopped(), cancel.get_token()).Prepare(tasks_);
  ASSERT_FALSE(task);
  EXPECT_TRUE(task.error().cancelled);
  EXPECT_FALSE(task.error().cut_by_time);
}

}  // namespace
}  // namespace tenon::server
