// Tokens of 50 real files against an independent tokenizer (golden/README.md says how they were made).
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "model/tokenizer.h"
#include "tests/model/default_model.h"

namespace tenon::model {
namespace {

TEST(GoldenTokens, FiftyFilesAreTokenizedAsByAnotherTokenizerAndComeBack) {
  const auto file = GgufFile::Open(DefaultModelPath());
  ASSERT_TRUE(file.has_value()) << kRunSetup << "\n" << file.error().message;
  const auto tokenizer = Tokenizer::FromGguf(*file);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  std::ifstream lines(TENON_SOURCE_DIR "/tests/model/golden/tokens.jsonl");
  size_t files = 0;
  for (std::string line; std::getline(lines, line); ++files) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const auto text = row["text"].get<std::string>();
    const std::vector<TokenId> ids = tokenizer->Encode(text, false);
    EXPECT_EQ(ids, row["ids"].get<std::vector<TokenId>>()) << row["name"];
    std::string encodable;
    for (const char c : text) {
      if (tokenizer->CanEncode(static_cast<uint8_t>(c))) encodable.push_back(c);
    }
    EXPECT_EQ(tokenizer->Decode(ids), encodable) << row["name"];
  }
  EXPECT_EQ(files, 50u);
}

TEST(GoldenTokens, TheDefaultVocabularyLacksOnlyBytesThatTextHardlyEverHolds) {
  const auto file = GgufFile::Open(DefaultModelPath());
  ASSERT_TRUE(file.has_value()) << kRunSetup << "\n" << file.error().message;
  const auto tokenizer = Tokenizer::FromGguf(*file);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  for (int byte = 0; byte < 256; ++byte) {
    const bool rare_control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
    if (!tokenizer->CanEncode(static_cast<uint8_t>(byte))) {
      EXPECT_TRUE(rare_control || byte == 0xc0 || byte == 0xc1 || byte >= 0xf1) << byte;
    }
  }
}

}  // namespace
}  // namespace tenon::model
