#include "model/sampling/token_filter.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenon::model {
namespace {

TEST(TokenBits, HoldTheTokensWhoseBitIsSet) {
  const std::vector<uint64_t> words = {uint64_t{1} << 3, uint64_t{1} << 63};
  for (TokenId token = 0; token < 300; ++token)
    EXPECT_EQ(Holds(words, token), token == 3 || token == 127);
  EXPECT_FALSE(Holds(words, -1));
  EXPECT_FALSE(Holds({}, 0));
}

TEST(TokenFilter, HasNoMaskUnlessItMakesOne) {
  struct Any final : TokenFilter {
    bool Check(TokenId) override { return true; }
    bool Accept(TokenId) override { return true; }
  } filter;
  EXPECT_TRUE(filter.Mask().empty());
}

}  // namespace
}  // namespace tenon::model
