// Vocabularies as a user of the library meets them.
#include "tenon/vocabulary.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tenon/masker.h"
#include "tests/token_ids.h"

namespace tenon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kTokens = {"",    "[", "]",  ",", "1", "2,",
                                          "],[", "x", "[[", " ", "1]"};

TEST(PublicVocabulary, HoldsTheBytesOfTokens) {
  std::vector<std::string> tokens = kTokens;
  const Vocabulary vocabulary(tokens);
  tokens.clear();
  ASSERT_EQ(vocabulary.size(), kTokens.size());
  for (const TokenId token : AllTokens(kTokens.size()))
    EXPECT_EQ(vocabulary.Bytes(token), kTokens[token.value]);
  EXPECT_EQ(Vocabulary(std::vector<std::string>{}).size(), 0u);
}

TEST(PublicVocabulary, FindsTokensAlongAText) {
  const Vocabulary vocabulary(kTokens);
  EXPECT_THAT(NumbersOf(TokensIn(vocabulary.MaskAlong("["))), ElementsAre(1, 8));  // [ and [[
  EXPECT_THAT(NumbersOf(TokensIn(vocabulary.MaskAlong("[[1"))),
              ElementsAre(1, 8));  // each begins it
  EXPECT_THAT(NumbersOf(TokensIn(vocabulary.MaskAlong("],"))),
              ElementsAre(2, 6));  // ] begins it, ],[ goes on behind it
  EXPECT_THAT(TokensIn(vocabulary.MaskAlong("y")), IsEmpty());
  EXPECT_THAT(TokensIn(vocabulary.MaskAlong("")), IsEmpty());
}

}  // namespace
}  // namespace tenon
