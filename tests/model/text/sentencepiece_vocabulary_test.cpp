#include "model/text/sentencepiece_vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "model/text/open_tokenizer.h"
#include "tests/model/text/sentencepiece_models.h"

namespace tenon::model {
namespace {

using ::testing::ElementsAre;

Tokenizer Make(const SentencepieceModel& model) {
  auto tokenizer = Tokenizer::FromSentencepiece(model, {});
  EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error();
  return *std::move(tokenizer);
}

std::vector<std::string> Names(const Tokenizer& tokenizer, std::string_view text,
                               TextPlace place = TextPlace::kInside, bool parse_special = false) {
  std::vector<std::string> names;
  for (const TokenId id : tokenizer.Encode(text, parse_special, place))
    names.emplace_back(tokenizer.Name(id));
  return names;
}

const std::vector<std::string> kPieces = {"▁t", "he", "▁the", "▁▁", "▁", "t", "h", "e", "é", "="};

TEST(SentencepieceVocabulary, MergesTheHighestScoreFirst) {
  const Tokenizer tokenizer = Make(TinySentencepiece(kPieces));
  EXPECT_THAT(Names(tokenizer, " the"), ElementsAre("▁the"));
  EXPECT_THAT(Names(tokenizer, "thet"), ElementsAre("t", "he", "t"));
  EXPECT_THAT(Names(tokenizer, "   the"), ElementsAre("▁▁", "▁the"));
}

TEST(SentencepieceVocabulary, UnigramTakesTheLargestSumOfScores) {
  SentencepieceModel model = TinySentencepiece({"ab", "bc", "a", "b", "c"});
  model.algorithm = SentencepieceModel::Algorithm::kUnigram;
  EXPECT_THAT(Names(Make(model), "abc"), ElementsAre("a", "bc"));  // -5, and -6 for ab c
}

TEST(SentencepieceVocabulary, ASpaceStandsBeforeABeginningAndNowhereElse) {
  SentencepieceModel model = TinySentencepiece(kPieces);
  EXPECT_THAT(Names(Make(model), "the", TextPlace::kBeginning), ElementsAre("▁the"));
  EXPECT_THAT(Names(Make(model), " the", TextPlace::kBeginning), ElementsAre("▁", "▁the"));
  EXPECT_THAT(Names(Make(model), "the"), ElementsAre("t", "he"));
  EXPECT_THAT(Names(Make(model), "", TextPlace::kBeginning), ElementsAre());
  model.add_dummy_prefix = false;
  EXPECT_THAT(Names(Make(model), "the", TextPlace::kBeginning), ElementsAre("t", "he"));
  model = TinySentencepiece(kPieces);
  model.whitespace_as_suffix = true;
  EXPECT_THAT(Names(Make(model), "the", TextPlace::kBeginning), ElementsAre("t", "he", "▁"));
  EXPECT_THAT(Names(Make(model), "the"), ElementsAre("t", "he"));
}

TEST(SentencepieceVocabulary, BytesStandForWhatTheVocabularyLacks) {
  const Tokenizer tokenizer = Make(TinySentencepiece(kPieces));
  EXPECT_THAT(Names(tokenizer, "tA\n"), ElementsAre("t", "<0x41>", "<0x0A>"));
  EXPECT_EQ(tokenizer.Bytes(tokenizer.Encode("A", false)[0]), "A");
  EXPECT_THAT(Names(tokenizer, "é"), ElementsAre("é"));
  // What is no character, or would be read as a space, is spelled by its bytes.
  EXPECT_THAT(Names(tokenizer, "t\xc3h"), ElementsAre("t", "<0xC3>", "h"));
  EXPECT_THAT(Names(tokenizer, "▁"), ElementsAre("<0xE2>", "<0x96>", "<0x81>"));
  EXPECT_THAT(Names(tokenizer, "▁", TextPlace::kBeginning), ElementsAre("▁▁"));
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(text, false)), text) << byte;
  }
}

TEST(SentencepieceVocabulary, WithoutBytesTheUnknownTokenStandsForWhatItLacks) {
  SentencepieceModel model = TinySentencepiece(kPieces);
  model.byte_fallback = false;
  std::erase_if(model.pieces, [](const auto& piece) { return piece.kind == TokenKind::kByte; });
  const Tokenizer tokenizer = Make(model);
  EXPECT_THAT(Names(tokenizer, "tABe\xff\xfeh"), ElementsAre("t", "<unk>", "e", "<unk>", "h"));
  EXPECT_THAT(Names(tokenizer, " "), ElementsAre("▁"));
  EXPECT_THAT(Names(tokenizer, "t"), ElementsAre("t"));
  EXPECT_THAT(Names(tokenizer, "A"), ElementsAre("<unk>"));
  EXPECT_THAT(Names(tokenizer, "\xc3"), ElementsAre("<unk>"));
}

TEST(SentencepieceVocabulary, TokensHaveTheBytesThatTheyStandFor) {
  SentencepieceModel model = TinySentencepiece({"▁the", "x▁▁y"});
  model.pieces.push_back({"▁▁==", 0, TokenKind::kUserDefined});
  model.pieces.push_back({"gone", 0, TokenKind::kUnused});
  const Tokenizer tokenizer = Make(model);
  EXPECT_EQ(tokenizer.Bytes(TokenId{0}), "");
  EXPECT_EQ(tokenizer.Bytes(TokenId{2}), "");
  EXPECT_EQ(tokenizer.Bytes(TokenId{3}), std::string(1, '\0'));
  EXPECT_EQ(tokenizer.Bytes(TokenId{3 + 0x41}), "A");
  EXPECT_EQ(tokenizer.Bytes(TokenId{3 + 0xff}), "\xff");
  EXPECT_EQ(tokenizer.Bytes(TokenId{259}), " the");
  EXPECT_EQ(tokenizer.Bytes(TokenId{260}), "x  y");
  EXPECT_EQ(tokenizer.Bytes(TokenId{261}), "  ==");
  EXPECT_EQ(tokenizer.Bytes(TokenId{262}), "");
  EXPECT_TRUE(tokenizer.IsControl(TokenId{0}));
  EXPECT_TRUE(tokenizer.IsControl(TokenId{262}));
  EXPECT_FALSE(tokenizer.IsControl(TokenId{3}));
  EXPECT_EQ(tokenizer.size(), 263u);
}

TEST(SentencepieceVocabulary, UserDefinedTokensAreTakenWhereverTheyStand) {
  SentencepieceModel model = TinySentencepiece({"▁", "t", "<", ">", "t<"});
  model.pieces.push_back({"<t>", 0, TokenKind::kUserDefined});
  model.pieces.push_back({"▁▁=", 0, TokenKind::kUserDefined});
  const Tokenizer tokenizer = Make(model);
  EXPECT_THAT(Names(tokenizer, "t<t>t"), ElementsAre("t", "<t>", "t"));
  EXPECT_THAT(Names(tokenizer, "t   =t"), ElementsAre("t", "▁", "▁▁=", "t"));
  EXPECT_EQ(tokenizer.FindSpecial("<t>"), TokenId{264});
  EXPECT_FALSE(tokenizer.IsControl(TokenId{264}));
}

TEST(SentencepieceVocabulary, ControlTokensCountOnlyWhereTheyAreAskedFor) {
  const Tokenizer tokenizer = Make(TinySentencepiece(kPieces));
  EXPECT_THAT(Names(tokenizer, "t</s>t", TextPlace::kInside, true), ElementsAre("t", "</s>", "t"));
  const auto plain = tokenizer.Encode("t</s>t", false);
  EXPECT_EQ(plain.size(), 6u);
  EXPECT_EQ(tokenizer.Decode(plain), "t</s>t");
}

const std::vector<uint8_t> kLetters = {'a', 'e', 'h', 't'};
std::string Settled(const Tokenizer& tokenizer, std::string_view text,
                    const std::vector<uint8_t>& next) {
  return std::string(text.substr(0, tokenizer.SettledBytes(text, next)));
}

TEST(SentencepieceVocabulary, ATextIsSettledWhereNoTokenStandsAcross) {
  const Tokenizer tokenizer = Make(TinySentencepiece(kPieces));
  EXPECT_EQ(Settled(tokenizer, "t= th", kLetters), "t=");
  EXPECT_EQ(Settled(tokenizer, "t= th", {'='}), "t= th");
  EXPECT_EQ(Settled(tokenizer, "t= the", kLetters), "t= the");  // no token goes on behind e
  EXPECT_EQ(Settled(tokenizer, "t= ", {' '}), "t=");
  EXPECT_EQ(Settled(tokenizer, "t= ", {'='}), "t= ");
  EXPECT_EQ(Settled(tokenizer, "", kLetters), "");
  EXPECT_EQ(Settled(tokenizer, "tt\xe2\x96", {0x81}), "tt");
  EXPECT_EQ(Settled(tokenizer, "t\xff", kLetters), "t\xff");
}

std::string RandomText(std::mt19937& random, size_t characters) {
  const std::vector<std::string> kParts = {
      " ",    "  ",       "\n",           "\t\t",     "t",
      "the",  "==",       "==  ",         "<tool>",   "é",
      "▁",    "\xe2",     "\xff",         "\xc3\x28", "中",
      "😀",    "\xf0\x9f", "self",         "re",       "0x",
      "12",   "\r",       "\xed\xa0\x80", "\xc0\xaf", "\xef\xbf\xbd",
      "</s>", "_"};
  std::string text;
  for (size_t i = 0; i < characters; ++i) text += kParts[random() % kParts.size()];
  if (random() % 4 == 0) text.push_back('\0');
  return text;
}

std::vector<Tokenizer> Golden() {
  std::vector<Tokenizer> all;
  for (const char* name : {"bpe.model", "unigram.model"}) {
    auto tokenizer = OpenTokenizer(GoldenSentencepiecePath(name));
    EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
    all.push_back(*std::move(tokenizer));
  }
  return all;
}

TEST(SentencepieceVocabulary, TokensInsideATextSpellAnyBytes) {
  std::mt19937 random(5);
  for (const Tokenizer& tokenizer : Golden()) {
    for (int round = 0; round < 1000; ++round) {
      std::string text = RandomText(random, random() % 40);
      if (round % 3 == 0) {
        for (char& c : text) c = random() % 5 == 0 ? static_cast<char>(random()) : c;
      }
      ASSERT_EQ(tokenizer.Decode(tokenizer.Encode(text, false)), text) << round;
    }
  }
}

TEST(SentencepieceVocabulary, SettledTokensStayWhateverFollows) {
  std::mt19937 random(6);
  size_t settled_bytes = 0;
  for (const Tokenizer& tokenizer : Golden()) {
    for (int round = 0; round < 2000; ++round) {
      const std::string text = RandomText(random, random() % 12);
      const std::string follow = RandomText(random, 1 + random() % 4);
      if (follow.empty()) continue;
      const std::vector<uint8_t> next = {static_cast<uint8_t>(follow[0])};
      const size_t settled = tokenizer.SettledBytes(text, next);
      ASSERT_LE(settled, text.size());
      settled_bytes += settled;
      const auto head = tokenizer.Encode(std::string_view(text).substr(0, settled), false);
      for (const std::string& whole : {text, text + follow}) {
        const auto longer = tokenizer.Encode(whole, false);
        ASSERT_LE(head.size(), longer.size());
        ASSERT_TRUE(std::equal(head.begin(), head.end(), longer.begin()))
            << "round " << round << ": " << ::testing::PrintToString(whole) << " settled to "
            << settled;
      }
    }
  }
  EXPECT_GT(settled_bytes, 4000u);
}

TEST(SentencepieceVocabulary, ALineOfAMegabyteIsNoTrouble) {
  for (const Tokenizer& tokenizer : Golden()) {
    for (const char c : {'a', ' ', '5', '\xff'}) {
      const std::string text(1 << 20, c);
      EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(text, false)), text);
    }
  }
}

}  // namespace
}  // namespace tenon::model
