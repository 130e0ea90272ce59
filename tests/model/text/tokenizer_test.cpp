#include "model/text/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

#include "model/text/byte_alphabet.h"
#include "tests/model/tiny_model.h"

namespace tenon::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

tl::expected<Tokenizer, ModelError> Make(const GgufWriter& writer) {
  const auto bytes = writer.Bytes();
  const auto file = GgufFile::Parse(bytes, "x.gguf");
  EXPECT_TRUE(file.has_value()) << file.error().message;
  return Tokenizer::FromGguf(*file);
}

Tokenizer Tiny(const TinyShape& shape = {}) {
  GgufWriter writer;
  AddTinyTokenizer(writer, shape);
  auto tokenizer = Make(writer);
  EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  return std::move(*tokenizer);
}

std::vector<std::string> Texts(const Tokenizer& tokenizer, std::string_view text,
                               bool parse_special = false) {
  std::vector<std::string> texts;
  for (const TokenId id : tokenizer.Encode(text, parse_special)) {
    texts.emplace_back(tokenizer.IsControl(id) ? tokenizer.Name(id) : tokenizer.Bytes(id));
  }
  return texts;
}

TEST(Tokenizer, MergesTheLowestRankFirst) {
  const Tokenizer tokenizer = Tiny();
  EXPECT_THAT(Texts(tokenizer, "the"), ElementsAre("the"));
  EXPECT_THAT(Texts(tokenizer, "thhe"), ElementsAre("th", "h", "e"));
  EXPECT_THAT(Texts(tokenizer, "\n      "), ElementsAre("\n", "    ", "  "));
}

TEST(Tokenizer, SpecialTokensCountOnlyWhereTheyAreAskedFor) {
  const Tokenizer tokenizer = Tiny();
  EXPECT_THAT(Texts(tokenizer, "a<file_sep>b", true), ElementsAre("a", "<file_sep>", "b"));
  const auto plain = tokenizer.Encode("<file_sep>", false);
  EXPECT_EQ(plain.size(), 10u);
  EXPECT_EQ(tokenizer.Decode(plain), "<file_sep>");
  EXPECT_EQ(tokenizer.Bytes(TokenId{1}), "");
  EXPECT_TRUE(tokenizer.IsControl(TokenId{1}));
  EXPECT_EQ(tokenizer.FindSpecial("<file_sep>"), TokenId{1});
  EXPECT_EQ(tokenizer.FindSpecial("the"), std::nullopt);
  EXPECT_EQ(tokenizer.eos(), TokenId{0});
}

TEST(Tokenizer, TheLongestSpecialTokenWins) {
  TinyShape shape;
  shape.control = {"<a", "<a>", "<"};
  EXPECT_THAT(Texts(Tiny(shape), "<a><a<", true), ElementsAre("<a>", "<a", "<"));
}

// A vocabulary of the 256 bytes and these tokens, whose ids are 256 and more.
Tokenizer WithTokens(const std::vector<std::pair<std::string, TokenKind>>& added) {
  TokenizerParts parts(*PreTokenizer::ForName("gpt2"));
  std::vector<std::string> bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(ByteAsText(static_cast<uint8_t>(byte)));
  for (const std::string& byte : bytes) parts.tokens.push_back({byte, TokenKind::kNormal});
  for (const auto& [name, kind] : added) parts.tokens.push_back({name, kind});
  auto tokenizer = Tokenizer::FromParts(std::move(parts));
  EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error();
  return *std::move(tokenizer);
}

TEST(Tokenizer, TheFirstOfSpecialTokensWithOneTextCounts) {
  const Tokenizer tokenizer = WithTokens({{"<a", TokenKind::kUserDefined},
                                          {"<ab", TokenKind::kControl},
                                          {"<ab", TokenKind::kUserDefined},
                                          {"<ab", TokenKind::kUserDefined},
                                          {"<abc", TokenKind::kControl}});
  const auto first = [&](const char* text, bool parse_special) {
    return tokenizer.Encode(text, parse_special).front().value;
  };
  EXPECT_EQ(first("<abd", true), 257u);
  EXPECT_EQ(first("<abd", false), 258u) << "a control token is plain text there";
  EXPECT_EQ(first("<abcd", true), 260u);
  EXPECT_EQ(first("<abcd", false), 258u);
  EXPECT_EQ(first("<ad", false), 256u);
  EXPECT_EQ(first("<", true), uint32_t{'<'});
  EXPECT_EQ(tokenizer.FindSpecial("<ab"), TokenId{257});
  EXPECT_EQ(tokenizer.FindSpecial("<a"), TokenId{256});
  EXPECT_EQ(tokenizer.FindSpecial("<abcd"), std::nullopt);
}

// A comparison with each of the tokens at each byte would take minutes.
TEST(Tokenizer, ManySpecialTokensThatBeginAlikeAreNoTrouble) {
  std::vector<std::pair<std::string, TokenKind>> added;
  for (int i = 0; i < 100'000; ++i)
    added.emplace_back("<<<<<<<<" + std::to_string(100'000 + i) + ">", TokenKind::kUserDefined);
  const Tokenizer tokenizer = WithTokens(added);
  const auto ids = tokenizer.Encode(std::string(100'000, '<') + "123456>", false);
  ASSERT_EQ(ids.size(), 100'000u - 8 + 1);
  EXPECT_EQ(tokenizer.Name(ids.back()), "<<<<<<<<123456>");
}

TEST(Tokenizer, IdsOutsideTheVocabularyAreEmpty) {
  const Tokenizer tokenizer = Tiny();
  const auto size = static_cast<uint32_t>(tokenizer.size());
  for (const TokenId id : {TokenId{size}, TokenId{std::numeric_limits<uint32_t>::max()}}) {
    EXPECT_EQ(tokenizer.Bytes(id), "");
    EXPECT_EQ(tokenizer.Name(id), "");
    EXPECT_FALSE(tokenizer.IsControl(id));
  }
}

// Byte-pair encoding as the paper has it: look at all pairs, merge the best, again.
std::vector<std::string> NaiveMerge(std::string_view piece) {
  const std::map<std::pair<std::string, std::string>, int> ranks = {
      {{"t", "h"}, 0}, {{"th", "e"}, 1}, {{" ", " "}, 2}, {{"  ", "  "}, 3}, {{"a", "b"}, 4}};
  std::vector<std::string> parts;
  for (const char c : piece) parts.emplace_back(1, c);
  for (;;) {
    int best = std::numeric_limits<int>::max();
    size_t where = 0;
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto found = ranks.find({parts[i], parts[i + 1]});
      if (found != ranks.end() && found->second < best) {
        best = found->second;
        where = i;
      }
    }
    if (best == std::numeric_limits<int>::max()) return parts;
    parts[where] += parts[where + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(where) + 1);
  }
}

TEST(Tokenizer, AgreesWithTheNaiveAlgorithm) {
  const Tokenizer tokenizer = Tiny();
  const auto splitter = PreTokenizer::ForName("smollm");
  std::mt19937 random(99);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (int i = 0; i < round % 30; ++i) text.push_back("theab \n"[random() % 7]);
    std::vector<std::string> expected;
    for (const std::string_view piece : splitter->Split(text)) {
      for (std::string& part : NaiveMerge(piece)) expected.push_back(std::move(part));
    }
    ASSERT_EQ(Texts(tokenizer, text), expected) << '"' << text << '"';
  }
}

TEST(Tokenizer, AnyBytesComeBack) {
  const Tokenizer tokenizer = Tiny();
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(all, false)), all);
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (int i = 0; i < round % 60; ++i) text.push_back(static_cast<char>(random()));
    ASSERT_EQ(tokenizer.Decode(tokenizer.Encode(text, false)), text);
  }
}

TEST(Tokenizer, ALineOfAMegabyteIsNoTrouble) {
  const Tokenizer tokenizer = Tiny();
  for (const char c : {'a', ' ', '5', '\xff'}) {
    const std::string text(1 << 20, c);
    EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(text, false)), text);
  }
}

TEST(Tokenizer, NamesWhatItRefuses) {
  EXPECT_THAT(Make(GgufWriter()).error().message, HasSubstr("tokenizer.ggml.model is missing"));
  EXPECT_THAT(Make(GgufWriter().Text("tokenizer.ggml.model", "rwkv")).error().message,
              ::testing::AllOf(HasSubstr("'rwkv'"), HasSubstr("sentencepiece")));
  EXPECT_THAT(Make(GgufWriter().Text("tokenizer.ggml.model", "gpt2")).error().message,
              HasSubstr("tokenizer.ggml.tokens is missing"));
  const auto with = [](const std::vector<std::string>& tokens,
                       const std::vector<std::string>& merges) {
    return Make(GgufWriter()
                    .Text("tokenizer.ggml.model", "gpt2")
                    .Texts("tokenizer.ggml.tokens", tokens)
                    .Texts("tokenizer.ggml.merges", merges));
  };
  EXPECT_THAT(with({"a", "b"}, {"a b"}).error().message, HasSubstr("merge 0 ('a b')"));
  EXPECT_THAT(with({"a", "b"}, {"ab"}).error().message, HasSubstr("no two parts"));
  EXPECT_TRUE(with({"a", "b", "ab"}, {"a b"}).has_value());
  TinyShape shape;
  shape.pre = "klingon";
  GgufWriter writer;
  AddTinyTokenizer(writer, shape);
  EXPECT_THAT(Make(writer).error().message,
              ::testing::AllOf(HasSubstr("x.gguf"), HasSubstr("'klingon'")));
}

}  // namespace
}  // namespace tenon::model
