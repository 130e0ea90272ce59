#include "model/text/pre_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace tenon::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Pieces(std::string_view name, std::string_view text) {
  const auto splitter = PreTokenizer::ForName(name);
  EXPECT_TRUE(splitter.has_value()) << splitter.error().message;
  const auto pieces = splitter->Split(text);
  return {pieces.begin(), pieces.end()};
}

TEST(PreTokenizer, CutsAsTheModelsWereTrained) {
  EXPECT_THAT(Pieces("gpt2", "I'll see  2024!?\n x"),
              ElementsAre("I", "'ll", " see", " ", " 2024", "!?", "\n", " x"));
  EXPECT_THAT(Pieces("smollm", "x = 42\n"), ElementsAre("x", " =", " ", "4", "2", "\n"));
  EXPECT_THAT(Pieces("smollm", "a   5"), ElementsAre("a", "   ", "5"));
  EXPECT_THAT(Pieces("qwen2", "IT'S (ok)\n\n  y 12"),
              ElementsAre("IT", "'S", " (", "ok", ")\n\n", " ", " y", " ", "1", "2"));
  EXPECT_THAT(Pieces("llama-bpe", "12345"), ElementsAre("123", "45"));
  EXPECT_THAT(Pieces("deepseek-coder", "a\n漢字b1"), ElementsAre("a", "\n", "漢字", "b", "1"));
  // The Mongolian vowel separator is no white space, the ideographic space is.
  EXPECT_THAT(Pieces("gpt2", "a\u180e"), ElementsAre("a", "\u180e"));
  EXPECT_THAT(Pieces("gpt2", "!\u3000"), ElementsAre("!", "\u3000"));
}

// Kaktovik numeral zero (Unicode 15), Garay digit zero (16), Tolong Siki digit zero (17).
TEST(PreTokenizer, KnowsNumbersThatAreNewerThanTheLibrarysUnicode) {
  for (const std::string digit : {"\U0001d2c0", "\U00010d40", "\U00011de0"}) {
    EXPECT_THAT(Pieces("qwen2", "a " + digit + digit), ElementsAre("a", " ", digit, digit));
    EXPECT_THAT(Pieces("smollm", "\n " + digit), ElementsAre("\n ", digit));
    EXPECT_THAT(Pieces("gpt2", digit + "!"), ElementsAre(digit, "!"));
    EXPECT_THAT(Pieces("llama-bpe", "!" + digit), ElementsAre("!", digit));
  }
}

TEST(PreTokenizer, LosesNoByteOfInvalidText) {
  std::mt19937 random(7);
  for (const char* name : {"gpt2", "smollm", "qwen2", "llama-bpe", "deepseek-coder"}) {
    for (int round = 0; round < 200; ++round) {
      std::string text;
      for (int i = 0; i < round % 40; ++i) text.push_back(static_cast<char>(random()));
      std::string joined;
      for (const std::string& piece : Pieces(name, text)) joined += piece;
      EXPECT_EQ(joined, text);
    }
  }
}

TEST(PreTokenizer, NamesOneThatItDoesNotKnow) {
  EXPECT_THAT(PreTokenizer::ForName("klingon").error().message, HasSubstr("'klingon'"));
}

std::vector<std::string> PiecesBy(const std::vector<std::string>& patterns, std::string_view text) {
  const auto splitter = PreTokenizer::ForPatterns(patterns);
  EXPECT_TRUE(splitter.has_value()) << splitter.error().message;
  const auto pieces = splitter->Split(text);
  return {pieces.begin(), pieces.end()};
}

TEST(PreTokenizer, AnExpressionThatTakesTooLongCutsNothingMore) {
  const std::vector<std::string> patterns = {"!", "(a|aa)+[bc]"};
  EXPECT_THAT(PiecesBy(patterns, "aab!xaab"), ElementsAre("aab", "!", "x", "aab"));
  // To find that no `b` or `c` follows takes some hundred thousand attempts.
  const std::string hard(26, 'a');
  EXPECT_THAT(PiecesBy(patterns, "aab!" + hard + "!xaab"),
              ElementsAre("aab", "!", hard, "!", "xaab"));
}

TEST(PreTokenizer, ALongWordIsOnePiece) {
  const std::string word(1'000'000, 'A');
  const auto splitter = PreTokenizer::ForPatterns({R"([\p{Lu}\p{M}]*[\p{Ll}\p{M}]+|\p{L}+|\s+)"});
  ASSERT_TRUE(splitter.has_value());
  const std::string text = word + " " + word;
  EXPECT_THAT(splitter->Split(text), ElementsAre(word, " ", word));
}

TEST(PreTokenizer, TakesFewExpressions) {
  EXPECT_TRUE(PreTokenizer::ForPatterns(std::vector<std::string>(32, "a")).has_value());
  const auto refused = PreTokenizer::ForPatterns(std::vector<std::string>(33, "a"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("33 expressions, and at most 32 are run"));
}

}  // namespace
}  // namespace tenon::model
