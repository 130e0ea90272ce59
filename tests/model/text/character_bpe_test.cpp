#include "model/text/character_bpe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tenon::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kSpace = "\xe2\x96\x81";

// The tokens <unk>, ▁, a, b, ▁a, ab, then the bytes of U+2581 and of ä.
tl::expected<CharacterBpe, std::string> Example(SpaceBefore space_before) {
  static const std::string kSpaceA = std::string(kSpace) + "a";
  static const std::string kMerge = std::string(kSpace) + " a";
  const std::vector<CharacterBpe::Entry> entries = {{"<unk>", TokenKind::kUnknown},
                                                    {kSpace},
                                                    {"a"},
                                                    {"b"},
                                                    {kSpaceA},
                                                    {"ab"},
                                                    {"<0xE2>", TokenKind::kByte},
                                                    {"<0x96>", TokenKind::kByte},
                                                    {"<0x81>", TokenKind::kByte},
                                                    {"<0xC3>", TokenKind::kByte},
                                                    {"<0xA4>", TokenKind::kByte}};
  const std::vector<std::string_view> merges = {kMerge, "a b"};
  return CharacterBpe::Make(entries, merges, space_before);
}

std::vector<uint32_t> Ids(const tl::expected<CharacterBpe, std::string>& bpe, std::string_view text,
                          TextPlace place) {
  std::vector<TokenId> ids;
  if (bpe) bpe->Encode(text, place, ids);
  std::vector<uint32_t> numbers;
  for (const TokenId id : ids) numbers.push_back(id.value);
  return numbers;
}

TEST(CharacterBpe, BeginsATextWithASpaceWhereTheRuleSaysSo) {
  const auto always = Example(SpaceBefore::kAlways), unless = Example(SpaceBefore::kUnlessThere),
             never = Example(SpaceBefore::kNever);
  EXPECT_THAT(Ids(always, "ab b", TextPlace::kBeginning), ElementsAre(4, 3, 1, 3));
  EXPECT_THAT(Ids(always, " a", TextPlace::kBeginning), ElementsAre(1, 4));
  EXPECT_THAT(Ids(unless, "a", TextPlace::kBeginning), ElementsAre(4));
  EXPECT_THAT(Ids(unless, " a", TextPlace::kBeginning), ElementsAre(4));
  EXPECT_THAT(Ids(never, "a", TextPlace::kBeginning), ElementsAre(2));
  EXPECT_THAT(Ids(always, "a", TextPlace::kInside), ElementsAre(2));
  EXPECT_THAT(Ids(always, "", TextPlace::kBeginning), ElementsAre());
}

TEST(CharacterBpe, SpellsWhatItLacksByBytes) {
  const auto bpe = Example(SpaceBefore::kAlways);
  EXPECT_THAT(Ids(bpe, "\xc3\xa4", TextPlace::kInside), ElementsAre(9, 10));
  // U+2581 is a space at the beginning, as the library has it, and itself inside.
  EXPECT_THAT(Ids(bpe, kSpace, TextPlace::kInside), ElementsAre(6, 7, 8));
  EXPECT_THAT(Ids(bpe, kSpace, TextPlace::kBeginning), ElementsAre(1, 1));
  // A byte that begins no character; a character of which a byte is missing.
  EXPECT_THAT(Ids(bpe, "\xc3", TextPlace::kInside), ElementsAre(9));
  EXPECT_THAT(Ids(bpe, "a\xc3\xa5z", TextPlace::kInside), ElementsAre(2, 0, 0));
}

TEST(CharacterBpe, NamesAMergeThatIsNone) {
  const std::vector<CharacterBpe::Entry> entries = {{"a"}, {"b"}};
  const std::vector<std::string_view> merges = {"a b"};
  const auto bpe = CharacterBpe::Make(entries, merges, SpaceBefore::kNever);
  ASSERT_FALSE(bpe.has_value());
  EXPECT_THAT(bpe.error(), HasSubstr("merge 0 ('a b')"));
}

}  // namespace
}  // namespace tenon::model
