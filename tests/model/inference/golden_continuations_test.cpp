// The small model's choices, computed in the file's blocks, against llama.cpp's
// (golden/README.md says how they were made).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/inference/inference.h"
#include "tests/model/small_model.h"
#include "tests/source_path.h"
#include "tests/token_ids.h"

namespace tenon::model {
namespace {

// Both sides round activations to 8 bits, each in its own order. Their logits differ by up to 0.8,
// by 0.12 on average; a larger lead is no matter of rounding.
constexpr float kClearLead = 1.0f;

struct Choices {
  size_t same = 0, all = 0;
  size_t clear = 0, wrong_clear = 0;
};

// The most likely token at each position of llama.cpp's continuations.
Choices CompareWithGolden() {
  Choices choices;
  const auto model = LlamaModel::Load(SmallModelPath(), {0, Precision::kBlocks});
  if (!model) {
    ADD_FAILURE() << kRunSetup << "\n" << model.error().message;
    return choices;
  }
  const auto session = (*model)->NewSession(256);
  std::ifstream rows(SourcePath("tests/model/golden/continuations.jsonl"));
  for (std::string line; std::getline(rows, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const auto then = TokensOf(row["then"].get<std::vector<uint32_t>>());
    const auto leads = row["leads"].get<std::vector<float>>();
    session->Truncate(0);
    auto logits = session->Prefill(TokensOf(row["ids"].get<std::vector<uint32_t>>()), {});
    for (size_t i = 0; i < then.size(); ++i) {
      if (!logits) {
        ADD_FAILURE() << logits.error().message;
        return choices;
      }
      const auto first = std::max_element(logits->begin(), logits->end()) - logits->begin();
      ++choices.all;
      choices.same += first == then[i].value;
      choices.clear += leads[i] > kClearLead;
      choices.wrong_clear += leads[i] > kClearLead && first != then[i].value;
      logits = session->Decode(then[i]);
    }
  }
  EXPECT_EQ(choices.all, 160u);
  EXPECT_GT(choices.clear, 100u);
  return choices;
}

TEST(GoldenContinuations, InBlocksAreThoseOfLlamaCpp) {
  const Choices choices = CompareWithGolden();
  EXPECT_EQ(choices.wrong_clear, 0u);
  EXPECT_GE(choices.same, 154u);
}

}  // namespace
}  // namespace tenon::model
