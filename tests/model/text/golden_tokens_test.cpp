// Tokens of 50 real files against an independent tokenizer (golden/README.md says how they were
// made).
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "model/text/byte_alphabet.h"
#include "model/text/open_tokenizer.h"
#include "model/text/tokenizer.h"
#include "model/text/tokenizer_json.h"
#include "tests/model/small_model.h"
#include "tests/model/text/hash_of_ids.h"
#include "tests/source_path.h"
#include "tests/token_ids.h"

namespace tenon::model {
namespace {

// [byte] True where the vocabulary spells the byte: its tokens stand for it again.
std::array<bool, 256> SpelledBytes(const Tokenizer& tokenizer) {
  std::array<bool, 256> spelled{};
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    spelled[static_cast<size_t>(byte)] = tokenizer.Decode(tokenizer.Encode(text, false)) == text;
  }
  return spelled;
}

TEST(GoldenTokens, FiftyFilesAreTokenizedAsByAnotherTokenizerAndComeBack) {
  const auto file = GgufFile::Open(SmallModelPath());
  ASSERT_TRUE(file.has_value()) << kRunSetup << "\n" << file.error().message;
  const auto tokenizer = Tokenizer::FromGguf(*file);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const std::array<bool, 256> spelled = SpelledBytes(*tokenizer);
  std::ifstream lines(SourcePath("tests/model/golden/tokens.jsonl"));
  size_t files = 0;
  for (std::string line; std::getline(lines, line); ++files) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const auto text = row["text"].get<std::string>();
    const std::vector<TokenId> ids = tokenizer->Encode(text, false);
    EXPECT_EQ(NumbersOf(ids), row["ids"].get<std::vector<uint32_t>>()) << row["name"];
    std::string encodable;
    for (const char c : text) {
      if (spelled[static_cast<uint8_t>(c)]) encodable.push_back(c);
    }
    EXPECT_EQ(tokenizer->Decode(ids), encodable) << row["name"];
  }
  EXPECT_EQ(files, 50u);
}

// The small model's vocabulary as a tokenizer.json spells it, pre-tokenizer and all.
nlohmann::json DefaultTokenizerJson(const GgufFile& file) {
  nlohmann::json vocabulary = nlohmann::json::object();
  for (const std::string_view name : *file.Strings("tokenizer.ggml.tokens"))
    vocabulary[std::string(name)] = vocabulary.size();
  return {{"pre_tokenizer",
           {{"type", "Sequence"},
            {"pretokenizers",
             {{{"type", "Digits"}, {"individual_digits", true}},
              {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}}}}}},
          {"model",
           {{"type", "BPE"},
            {"vocab", vocabulary},
            {"merges", *file.Strings("tokenizer.ggml.merges")}}}};
}

TEST(GoldenTokens, ATokenizerJsonOfTheSameVocabularyGivesTheSameTokens) {
  const auto file = GgufFile::Open(SmallModelPath());
  ASSERT_TRUE(file.has_value()) << kRunSetup << "\n" << file.error().message;
  const auto tokenizer = ReadTokenizerJson(DefaultTokenizerJson(*file).dump(), "default.json");
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  std::ifstream lines(SourcePath("tests/model/golden/tokens.jsonl"));
  size_t files = 0;
  for (std::string line; std::getline(lines, line); ++files) {
    const nlohmann::json row = nlohmann::json::parse(line);
    EXPECT_EQ(NumbersOf(tokenizer->Encode(row["text"].get<std::string>(), false)),
              row["ids"].get<std::vector<uint32_t>>())
        << row["name"];
  }
  EXPECT_EQ(files, 50u);
}

TEST(GoldenTokens, Qwen3sTokenizerJsonTokenizesAsByAnotherTokenizer) {
  if (!std::filesystem::exists(Qwen3TokenizerPath()))
    GTEST_SKIP() << Qwen3TokenizerPath() << " is not there; tools/setup --all fetches it";
  const auto tokenizer = OpenTokenizer(Qwen3TokenizerPath());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->size(), 151'669u);
  std::ifstream texts(SourcePath("tests/model/golden/tokens.jsonl"));
  std::ifstream hashes(SourcePath("tests/model/golden/tokens_qwen3.jsonl"));
  size_t files = 0;
  for (std::string line, expected; std::getline(texts, line) && std::getline(hashes, expected);
       ++files) {
    const nlohmann::json row = nlohmann::json::parse(expected);
    const auto text = nlohmann::json::parse(line)["text"].get<std::string>();
    const std::vector<TokenId> ids = tokenizer->Encode(text, false);
    EXPECT_EQ(ids.size(), row["count"].get<size_t>()) << row["name"];
    EXPECT_EQ(HashOfIds(ids), row["hash"].get<std::string>()) << row["name"];
    EXPECT_EQ(tokenizer->Decode(ids), text) << row["name"];
  }
  EXPECT_EQ(files, 50u);
}

// Random texts of mixed scripts, runs of blanks, line ends, digits of all sorts, joined emoji,
// control characters, combining marks and markers; what another tokenizer makes of them stands in
// the file of hashes.
void ExpectHashesOfHardTexts(const Tokenizer& tokenizer, const std::string& hashes) {
  std::ifstream rows(SourcePath("tests/model/golden/") + hashes);
  size_t texts = 0;
  for (std::string line; std::getline(rows, line); ++texts) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const auto text = row["text"].get<std::string>();
    const std::vector<TokenId> ids = tokenizer.Encode(text, false);
    EXPECT_EQ(ids.size(), row["count"].get<size_t>()) << row["text"];
    EXPECT_EQ(HashOfIds(ids), row["hash"].get<std::string>()) << row["text"];
    EXPECT_EQ(HashOfIds(tokenizer.Encode(text, true)), row["hash_with_markers"].get<std::string>())
        << row["text"];
  }
  EXPECT_EQ(texts, 100u);
}

TEST(GoldenTokens, HardTextsAreTokenizedAsByAnotherTokenizer) {
  const auto tokenizer = OpenTokenizer(SmallModelPath());
  ASSERT_TRUE(tokenizer.has_value()) << kRunSetup << "\n" << tokenizer.error().message;
  ExpectHashesOfHardTexts(*tokenizer, "hard_tokens.jsonl");
}

TEST(GoldenTokens, HardTextsAreTokenizedWithQwensVocabularyAsByAnotherTokenizer) {
  const std::string path = PulledModelPath("qwen2.5-coder-0.5b");
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is not there; tools/model/pull qwen2.5-coder-0.5b fetches it";
  const auto tokenizer = OpenTokenizer(path);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  ExpectHashesOfHardTexts(*tokenizer, "hard_tokens_qwen2.jsonl");
}

// Tokens of what is settled stay whatever follows; and enough is settled: all but the last
// pre-token, nearly always.
void ExpectSettledTokensToStay(const Tokenizer& tokenizer) {
  const std::vector<std::string> parts = {
      "word", " the", "s",  "'",  "'re", "re", "ll",       "12",           "0",    " ",
      "  ",   "\n",   "\t", "):", "=",   "\"", "\xc3\xa9", "\xe2\x80\x94", "\xc3", "\r\n"};
  std::mt19937 random(20261121);
  const auto text_of = [&](size_t most) {
    std::string text;
    for (size_t n = 1 + random() % most; n > 0; --n) text += parts[random() % parts.size()];
    return text;
  };
  size_t settled_bytes = 0, bytes = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::string text = text_of(6), more = text_of(4);
    const auto next = static_cast<uint8_t>(more[0]);
    const size_t settled = tokenizer.SettledBytes(text, {&next, 1});
    ASSERT_LE(settled, text.size());
    settled_bytes += settled;
    bytes += text.size();
    const std::vector<TokenId> before = tokenizer.Encode(text, false),
                               after = tokenizer.Encode(text + more, false);
    size_t at = 0;
    for (size_t t = 0; t < before.size() && at + tokenizer.Bytes(before[t]).size() <= settled;
         ++t) {
      at += tokenizer.Bytes(before[t]).size();
      ASSERT_LT(t, after.size());
      ASSERT_EQ(before[t], after[t]) << '[' << text << "] before [" << more << ']';
    }
  }
  EXPECT_GT(settled_bytes * 2, bytes);
  const auto settled = [&](const char* text, const char* next) {
    return tokenizer.SettledBytes(text,
                                  {reinterpret_cast<const uint8_t*>(next), std::strlen(next)});
  };
  EXPECT_EQ(settled("a = tr", "u"), 3u);
  EXPECT_EQ(settled("a = true", ",]"), 8u);
  EXPECT_EQ(settled("a = true", ",x"), 3u);
}

TEST(GoldenTokens, SettledTokensStayWhateverFollows) {
  auto tokenizer = OpenTokenizer(SmallModelPath());
  ASSERT_TRUE(tokenizer) << kRunSetup;
  ExpectSettledTokensToStay(*tokenizer);
  if (!std::filesystem::exists(Qwen3TokenizerPath()))
    GTEST_SKIP() << Qwen3TokenizerPath() << " is not there; tools/setup --all fetches it";
  tokenizer = OpenTokenizer(Qwen3TokenizerPath());
  ASSERT_TRUE(tokenizer);
  ExpectSettledTokensToStay(*tokenizer);
}

TEST(GoldenTokens, TheDefaultVocabularyLacksOnlyBytesThatTextHardlyEverHolds) {
  const auto file = GgufFile::Open(SmallModelPath());
  ASSERT_TRUE(file.has_value()) << kRunSetup << "\n" << file.error().message;
  const auto tokenizer = Tokenizer::FromGguf(*file);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const std::array<bool, 256> spelled = SpelledBytes(*tokenizer);
  for (int byte = 0; byte < 256; ++byte) {
    const bool rare_control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    if (!spelled[static_cast<size_t>(byte)]) {
      EXPECT_TRUE(rare_control || byte == 0xc0 || byte == 0xc1 || byte >= 0xf1) << byte;
    }
  }
}

}  // namespace
}  // namespace tenon::model
