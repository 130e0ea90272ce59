#include "model/sampling/token_filter.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace tenon::model {
namespace {

TEST(TokenBits, HoldTheTokensWhoseBitIsSet) {
  const std::vector<uint64_t> words = {uint64_t{1} << 3, uint64_t{1} << 63};
  for (uint32_t id = 0; id < 300; ++id) EXPECT_EQ(Holds(words, TokenId{id}), id == 3 || id == 127);
  EXPECT_FALSE(Holds(words, TokenId{std::numeric_limits<uint32_t>::max()}));
  EXPECT_FALSE(Holds({}, TokenId{0}));
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
