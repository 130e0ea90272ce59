// Masks as a user of the library meets them, each compared with a check of every token.
#include "tenon/masker.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/constraint/library/test_languages.h"
#include "tests/server/temporary_folder.h"
#include "tests/token_ids.h"

namespace tenon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kTokens = {"",    "[", "]",  ",", "1", "2,",
                                          "],[", "x", "[[", " ", "1]"};

std::vector<TokenId> Checked(const Gap& gap, const Vocabulary& vocabulary) {
  std::vector<TokenId> allowed;
  for (const TokenId token : AllTokens(vocabulary.size())) {
    if (!vocabulary.Bytes(token).empty() && gap.Check(vocabulary.Bytes(token)))
      allowed.push_back(token);
  }
  return allowed;
}

TEST(PublicMasker, AllowsWhatTheGapChecks) {
  const Vocabulary vocabulary(kTokens);
  const Language lists = Compiled(kLists);
  const MaskStore store = MaskStore::Build(lists, vocabulary);
  EXPECT_GT(store.memory_bytes(), 0u);
  EXPECT_FALSE(store.file());
  Masker masker(store);
  for (const char* left : {"", "[", "[1", "[1,", "[[", "[[1]"}) {
    for (const char* right : {"", "]", "]]", ",1]", "[2]]"}) {
      Gap gap = Gap::Open(lists, left, right);
      EXPECT_EQ(TokensIn(masker.Of(gap)), Checked(gap, vocabulary)) << left << "|" << right;
      gap.Accept("[");
      EXPECT_EQ(TokensIn(masker.Of(gap)), Checked(gap, vocabulary))
          << left << gap.middle() << "|" << right;
    }
  }
  EXPECT_GT(masker.memory_bytes(), 0u);
}

TEST(PublicMasker, MasksARegularExpression) {
  const std::vector<std::string> tokens = {"1", "22", "-", "2-", "a", "222"};
  const Vocabulary vocabulary(tokens);
  const auto language = Language::FromRegex("[0-9]{2}-[0-9]");
  ASSERT_TRUE(language);
  Masker masker(MaskStore::Build(*language, vocabulary));
  Gap gap = Gap::Open(*language, "", "");
  EXPECT_THAT(NumbersOf(TokensIn(masker.Of(gap))), ElementsAre(0, 1));
  ASSERT_TRUE(gap.Accept("1"));
  EXPECT_THAT(NumbersOf(TokensIn(masker.Of(gap))), ElementsAre(0, 3));
  const Gap other = Gap::Open(*language, "22", "-1");
  EXPECT_THAT(TokensIn(masker.Of(other)), IsEmpty());
  EXPECT_THAT(NumbersOf(TokensIn(masker.Of(gap))), ElementsAre(0, 3));
}

TEST(PublicMaskStore, CountsWhatEachStepLeaves) {
  const Vocabulary vocabulary(kTokens);
  const MaskStoreCounts counts = MaskStore::Build(Compiled(kLists), vocabulary).Counts();
  ASSERT_FALSE(counts.steps.empty());
  EXPECT_EQ(counts.steps.front().name, "entries_before");
  EXPECT_EQ(counts.steps.back().name, "entries_after");
  EXPECT_LT(counts.steps.back().entries, counts.steps.front().entries);
  EXPECT_GT(counts.token_sets, 0u);
  EXPECT_TRUE(MaskStore::Build(*Language::FromRegex("a"), vocabulary).Counts().steps.empty());
}

TEST(PublicMasker, AllowsNothingWhereNothingFits) {
  const Language lists = Compiled(kLists);
  Masker masker(MaskStore::Build(lists, Vocabulary(kTokens)));
  const Gap gap = Gap::Open(lists, "[,", "");
  ASSERT_FALSE(gap.viable());
  EXPECT_EQ(masker.Of(gap).size(), 1u);
  EXPECT_THAT(TokensIn(masker.Of(gap)), IsEmpty());
}

TEST(PublicMasker, ChecksTokensWhereTheStoreSaysNothing) {
  const Vocabulary vocabulary(kTokens);
  const Language lists = Compiled(kLists), others = Compiled("start: \"x\" \"1\"\n");
  Masker masker(MaskStore::Build(lists, vocabulary));
  const Gap foreign = Gap::Open(others, "", "");
  EXPECT_EQ(TokensIn(masker.Of(foreign)), Checked(foreign, vocabulary));
  GapOptions accepted;
  accepted.emit = false;
  const Gap given = Gap::Open(lists, "[1", "]", accepted);
  EXPECT_EQ(TokensIn(masker.Of(given)), Checked(given, vocabulary));
}

TEST(PublicMasker, SharesAStore) {
  const Language lists = Compiled(kLists);
  const MaskStore store = MaskStore::Build(lists, Vocabulary(kTokens));
  Masker first(store), second(store);
  const Gap gap = Gap::Open(lists, "[", "]");
  EXPECT_EQ(TokensIn(first.Of(gap)), TokensIn(second.Of(gap)));
  Masker moved = std::move(first);
  EXPECT_EQ(TokensIn(moved.Of(gap)), TokensIn(second.Of(gap)));
  EXPECT_EQ(moved.store().vocabulary().size(), kTokens.size());
}

TEST(PublicMasker, KeepsItsStoreInACache) {
  const server::TemporaryFolder folder;
  const Cache cache(folder.path());
  const Language lists = Compiled(kLists);
  EXPECT_FALSE(MaskStore::Build(lists, Vocabulary(kTokens), cache).from_cache());
  const MaskStore kept = MaskStore::Build(lists, Vocabulary(kTokens), cache);
  EXPECT_TRUE(kept.from_cache());
  ASSERT_TRUE(kept.file());
  EXPECT_EQ(kept.file()->bytes, std::filesystem::file_size(kept.file()->path));
  Masker masker(kept);
  const Gap gap = Gap::Open(lists, "[1", "]");
  EXPECT_EQ(TokensIn(masker.Of(gap)), Checked(gap, kept.vocabulary()));
}

TEST(PublicMask, TakesTheLogitsOfOtherTokens) {
  const std::vector<uint64_t> mask = {0b101};
  std::vector<float> logits = {1, 2, 3};
  ApplyMask(mask, logits);
  EXPECT_EQ(logits[0], 1);
  EXPECT_TRUE(std::isinf(logits[1]) && logits[1] < 0);
  EXPECT_EQ(logits[2], 3);
  std::vector<float> more(70, 1);  // a model's logits may be padded beyond its vocabulary
  ApplyMask(mask, more);
  EXPECT_TRUE(std::isinf(more[69]));
  EXPECT_TRUE(Allows(mask, TokenId{2}));
  EXPECT_FALSE(Allows(mask, TokenId{64}));
}

}  // namespace
}  // namespace tenon
