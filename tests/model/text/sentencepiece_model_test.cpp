#include "model/text/sentencepiece_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "model/text/open_tokenizer.h"
#include "tests/model/text/sentencepiece_models.h"

namespace tenon::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Refusal(const SentencepieceModel& model) {
  const auto tokenizer = ReadTokenizerModel(Serialize(model), "x.model");
  return tokenizer ? "" : tokenizer.error().message;
}

TEST(SentencepieceModel, IsReadAsItWasWritten) {
  SentencepieceModel model = TinySentencepiece({"▁a", "b"});
  model.add_dummy_prefix = false;
  model.bos_name = "<begin>";
  const auto read = ParseSentencepieceModel(Serialize(model));
  ASSERT_TRUE(read.has_value()) << read.error();
  ASSERT_EQ(read->pieces.size(), 261u);
  EXPECT_EQ(read->pieces[259].name, "▁a");
  EXPECT_EQ(read->pieces[259].score, -1);
  EXPECT_EQ(read->pieces[3].kind, TokenKind::kByte);
  EXPECT_EQ(read->algorithm, SentencepieceModel::Algorithm::kBpe);
  EXPECT_TRUE(read->byte_fallback);
  EXPECT_FALSE(read->add_dummy_prefix);
  EXPECT_EQ(read->bos_name, "<begin>");
  EXPECT_EQ(Serialize(*read), Serialize(model));
}

TEST(SentencepieceModel, TheFilesOfTheTrainerAreRead) {
  const auto bpe = ParseSentencepieceModel(ReadGoldenSentencepiece("bpe.model"));
  ASSERT_TRUE(bpe.has_value()) << bpe.error();
  EXPECT_EQ(bpe->algorithm, SentencepieceModel::Algorithm::kBpe);
  EXPECT_TRUE(bpe->byte_fallback && bpe->add_dummy_prefix && !bpe->remove_extra_whitespaces);
  EXPECT_TRUE(bpe->charsmap.empty());
  const auto changing = ParseSentencepieceModel(ReadGoldenSentencepiece("changing.model"));
  ASSERT_TRUE(changing.has_value()) << changing.error();
  EXPECT_EQ(changing->algorithm, SentencepieceModel::Algorithm::kUnigram);
  EXPECT_TRUE(changing->remove_extra_whitespaces && !changing->byte_fallback);
  EXPECT_FALSE(changing->charsmap.empty());
  const auto tokenizer = OpenTokenizer(GoldenSentencepiecePath("bpe.model"));
  EXPECT_EQ(tokenizer->Name(*tokenizer->bos()), "<s>");
  EXPECT_EQ(tokenizer->Name(*tokenizer->eos()), "</s>");
  EXPECT_FALSE(tokenizer->add_bos());
}

TEST(SentencepieceModel, NamesOfBytesAreTwoHexadecimalDigits) {
  EXPECT_EQ(NamedByte("<0x0A>"), 0x0a);
  EXPECT_EQ(NamedByte("<0xFF>"), 0xff);
  for (const char* name : {"<0x0a>", "<0xG0>", "<0x0A", "<0x00A>", "", "A"})
    EXPECT_EQ(NamedByte(name), std::nullopt) << name;
}

TEST(SentencepieceModel, NamesWhatItRefuses) {
  struct Case {
    std::function<void(SentencepieceModel&)> spoil;
    const char* message;
  };
  const std::vector<Case> cases = {
      {[](auto& m) { m.pieces.clear(); }, "no tokens"},
      {[](auto& m) { m.algorithm = SentencepieceModel::Algorithm::kWord; }, "BPE and unigram"},
      {[](auto& m) { m.escape_whitespaces = false; }, "escape_whitespaces"},
      {[](auto& m) { m.pieces[260].name.clear(); }, "token 260 has no name"},
      {[](auto& m) { m.pieces[260].name = "▁a"; }, "two tokens are named '▁a'"},
      {[](auto& m) { m.pieces[260].name = std::string("a\0b", 3); }, "zero byte"},
      {[](auto& m) { m.pieces[260].name.assign(5000, 'a'); }, "longer than 4096"},
      {[](auto& m) { m.pieces[260].score = std::numeric_limits<float>::quiet_NaN(); }, "score"},
      {[](auto& m) { m.pieces[260].score = -std::numeric_limits<float>::infinity(); }, "score"},
      {[](auto& m) { m.pieces[0].kind = TokenKind::kControl; }, "0 tokens are of kind unknown"},
      {[](auto& m) { m.pieces[1].kind = TokenKind::kUnknown; }, "2 tokens are of kind unknown"},
      {[](auto& m) { m.byte_fallback = false; }, "256 byte tokens, but byte_fallback is off"},
      {[](auto& m) { m.pieces.erase(m.pieces.begin() + 7); }, "255 of the 256 bytes"},
      {[](auto& m) { m.pieces[7].name = "<0x1>"; }, "token 7 is of kind byte"},
      {[](auto& m) { m.pieces.resize(259); }, "all tokens are control, unknown or byte tokens"},
      {[](auto& m) {
         for (size_t n = 1; n < 70; ++n)
           m.pieces.push_back({std::string(n, 'u'), 0, TokenKind::kUserDefined});
       },
       "more than 64 user-defined tokens"},
  };
  EXPECT_EQ(Refusal(TinySentencepiece({"▁a", "b"})), "");
  for (const Case& wrong : cases) {
    SentencepieceModel model = TinySentencepiece({"▁a", "b"});
    wrong.spoil(model);
    EXPECT_THAT(Refusal(model), AllOf(HasSubstr("x.model: "), HasSubstr(wrong.message)));
  }
}

TEST(SentencepieceModel, DamagedFilesAreRefusedOrRun) {
  std::mt19937 random(7);
  for (const char* name : {"bpe.model", "unigram.model", "changing.model"}) {
    const std::string whole = ReadGoldenSentencepiece(name);
    ASSERT_GT(whole.size(), 4000u);
    for (size_t round = 0; round < 300; ++round) {
      std::string bytes = whole;
      // Where the charsmap and the trainer's settings stand, half of the time.
      const size_t from = round % 2 == 0 ? 0 : bytes.size() * 3 / 4;
      for (size_t i = 0; i <= round % 5; ++i)
        bytes[from + random() % (bytes.size() - from)] = static_cast<char>(random());
      if (round % 7 == 0) bytes.resize(random() % bytes.size());
      const auto tokenizer = ReadTokenizerModel(bytes, "x.model");
      if (!tokenizer) {
        EXPECT_THAT(tokenizer.error().message, HasSubstr("x.model: "));
        continue;
      }
      for (const char* text : {"def f(a):\n\treturn ...ﬁ  x", "", " ", "\xff\xe2\x96▁<tool>"}) {
        for (const TextPlace place : {TextPlace::kBeginning, TextPlace::kInside}) {
          for (const TokenId id : tokenizer->Encode(text, false, place))
            ASSERT_LT(id.value, tokenizer->size());
        }
      }
    }
  }
}

// A charsmap of one block: 256 units, then a text.
SentencepieceModel WithCharsmap(const std::vector<std::pair<size_t, uint32_t>>& units) {
  std::string charsmap(4 + 1024, '\0');
  charsmap[1] = 4;  // 1024
  // A unit that no byte leads to.
  for (size_t unit = 0; unit < 256; ++unit) charsmap[4 + 4 * unit + 3] = '\x80';
  for (const auto& [at, unit] : units) {
    for (size_t i = 0; i < 4; ++i) charsmap[4 + 4 * at + i] = static_cast<char>(unit >> 8 * i);
  }
  SentencepieceModel model = TinySentencepiece({"a", "b"});
  model.charsmap = charsmap + std::string("b\0", 2);
  return model;
}

TEST(SentencepieceModel, ACharsmapKeepsToItsArray) {
  constexpr uint32_t kEndsKey = 1 << 8;
  const auto unit = [](uint32_t offset, uint32_t byte) { return offset << 10 | byte; };
  // The root's children stand at `index ^ 1`; `a` has its value at 0x60 ^ 2.
  const auto rule =
      WithCharsmap({{0, unit(1, 0)}, {'a' ^ 1, unit(2, 'a') | kEndsKey}, {0x62, 0x80000000}});
  ASSERT_EQ(Refusal(rule), "");
  const auto tokenizer = ReadTokenizerModel(Serialize(rule), "x.model");
  const auto ids = tokenizer->Encode("a", false, TextPlace::kBeginning);
  ASSERT_FALSE(ids.empty());
  EXPECT_EQ(tokenizer->Name(ids.back()), "b");
  EXPECT_EQ(tokenizer->Decode(tokenizer->Encode("a", false)), "a");

  EXPECT_THAT(Refusal(WithCharsmap({{0, unit(0x1000, 0)}})), HasSubstr("leads out of itself"));
  EXPECT_THAT(Refusal(WithCharsmap({{0, unit(1, 0)}, {'a' ^ 1, unit(0x100, 'a')}})),
              HasSubstr("leads out of itself"));
  // `a` leads from a unit to itself.
  EXPECT_THAT(Refusal(WithCharsmap({{0, unit(1, 0)}, {'a' ^ 1, unit('a', 'a')}})),
              HasSubstr("has a cycle"));
  // The texts have two bytes, so the value 2 is no offset of them.
  EXPECT_THAT(Refusal(WithCharsmap(
                  {{0, unit(1, 0)}, {'a' ^ 1, unit(2, 'a') | kEndsKey}, {0x62, 0x80000002}})),
              HasSubstr("leads out of its texts"));
  auto cut = rule;
  cut.charsmap.insert(cut.charsmap.end() - 1, size_t{4} << 20, 'b');
  EXPECT_THAT(Refusal(cut), HasSubstr("at most 4194304 are read"));
  cut = rule;
  cut.charsmap.resize(600);
  EXPECT_THAT(Refusal(cut), HasSubstr("wrong size"));
  cut = rule;
  cut.charsmap.pop_back();
  EXPECT_THAT(Refusal(cut), HasSubstr("not ended"));
}

TEST(SentencepieceModel, OtherFilesAreToldApart) {
  for (const char* text : {"", "\n", "\n\n", "\n\x05zz", "\n\xff\xff\xff\xff\xff\xff\xff\xff\x7f"})
    EXPECT_FALSE(ReadTokenizerModel(text, "x.model").has_value());
  EXPECT_THAT(ReadTokenizerModel("\n\x05zz", "x.model").error().message,
              HasSubstr("no sentencepiece model"));
}

}  // namespace
}  // namespace tenon::model
