#include "model/inference/model_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/inference/loaded_model.h"

namespace tenon::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ModelInfo, SaysWhatAFileHoldsAndWhetherItRuns) {
  const TemporaryModel file(TinyModel());
  const auto info = ReadModelInfo(file.path());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  EXPECT_TRUE(info->runs);
  EXPECT_EQ(info->layers, 2);
  EXPECT_EQ(info->vocabulary, 264);
  EXPECT_EQ(info->fim_format, "right-context-first");
  EXPECT_THAT(DescribeModel(*info),
              AllOf(HasSubstr("gpt2 (smollm), 264 tokens"), HasSubstr("runs          yes")));
}

TEST(ModelInfo, SaysWhyAFileDoesNotRun) {
  const TemporaryModel file(TinyModel({}, false));
  const auto info = ReadModelInfo(file.path());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  EXPECT_FALSE(info->runs);
  EXPECT_THAT(DescribeModel(*info), HasSubstr("no: "));
  EXPECT_THAT(info->why_not, HasSubstr("llama.block_count is missing"));
}

TEST(ModelInfo, SendsNoControlCharactersToATerminal) {
  const TemporaryModel file(
      TinyModel().Text("general.name", "a\x1b[2J").Text("general.license", "b\nruns  yes"));
  const auto info = ReadModelInfo(file.path());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  EXPECT_THAT(DescribeModel(*info), AllOf(HasSubstr("a?[2J\n"), HasSubstr("b?runs  yes\n")));
}

}  // namespace
}  // namespace tenon::model
