#include "server/decode/gap_sampler.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/server/decode/tiny_engine.h"

namespace tenon::server {
namespace {

// Lists of words in brackets.
constexpr char kGrammar[] = "start: \"[\" WORD (\",\" WORD)* \"]\"\nWORD: /[a-z]+/\n%ignore / +/\n";

class GapSamplerTest : public testing::Test {
 protected:
  GapSampler Sampler(uint64_t seed) const {
    return {engine_.tokenizer(), engine_.store(), Budget(engine_.Open("[a,", "]"), kBudget), seed};
  }

  static constexpr uint32_t kBudget = 12;
  TinyEngine engine_{kGrammar};
};

TEST_F(GapSamplerTest, DrawsTextsThatCloseTheGapWithinTheBudget) {
  GapSampler sampler = Sampler(20261123);
  std::set<std::string> drawn;
  for (int i = 0; i < 50; ++i) {
    const std::string sample = sampler.Draw();
    Gap gap = engine_.Open("[a,", "]");
    EXPECT_TRUE(gap.Accept(sample) && gap.Member()) << sample;
    EXPECT_LE(engine_.tokenizer().Encode(sample, false).size(), kBudget) << sample;
    drawn.insert(sample);
  }
  EXPECT_GT(drawn.size(), 25u);
}

TEST_F(GapSamplerTest, GivesEqualSamplesForEqualSeeds) {
  GapSampler one = Sampler(7), same = Sampler(7);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(one.Draw(), same.Draw());
}

}  // namespace
}  // namespace tenon::server
