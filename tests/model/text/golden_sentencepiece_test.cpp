// Tokens of 50 real files and of texts that are hard to cut, against PyPI's sentencepiece
// (golden/README.md says how they were made).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "model/text/open_tokenizer.h"
#include "tests/model/text/sentencepiece_models.h"
#include "tests/source_path.h"
#include "tests/token_ids.h"

namespace tenon::model {
namespace {

// FNV-1a over the ids, four little-endian bytes each (tools/model/reference_hashes.py).
std::string Hash(const std::vector<TokenId>& ids) {
  uint64_t value = 0xcbf29ce484222325;
  for (const TokenId id : ids) {
    for (int byte = 0; byte < 4; ++byte)
      value = (value ^ (id.value >> 8 * byte & 0xff)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", value);
}

std::vector<std::string> Texts() {
  std::vector<std::string> texts;
  std::ifstream lines(SourcePath("tests/model/golden/tokens.jsonl"));
  for (std::string line; std::getline(lines, line);)
    texts.push_back(nlohmann::json::parse(line)["text"]);
  return texts;
}

TEST(GoldenSentencepiece, TextsAreCutAsByPypisSentencepieceAndComeBack) {
  const auto texts = Texts();
  std::map<std::string, size_t> rows;
  std::map<std::string, Tokenizer> tokenizers;
  std::ifstream lines(GoldenSentencepiecePath("tokens.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json row = nlohmann::json::parse(line);
    const auto name = row["model"].get<std::string>();
    auto found = tokenizers.find(name);
    if (found == tokenizers.end()) {
      auto opened = OpenTokenizer(GoldenSentencepiecePath(name + ".model"));
      ASSERT_TRUE(opened.has_value()) << opened.error().message;
      found = tokenizers.emplace(name, *std::move(opened)).first;
    }
    const Tokenizer& tokenizer = found->second;
    const bool file = row.contains("file");
    const std::string text =
        file ? texts.at(row["file"].get<size_t>()) : row["text"].get<std::string>();
    const auto ids = tokenizer.Encode(text, false, TextPlace::kBeginning);
    if (file) {
      EXPECT_EQ(ids.size(), row["count"].get<size_t>()) << line;
      EXPECT_EQ(Hash(ids), row["hash"].get<std::string>()) << line;
    } else {
      EXPECT_EQ(NumbersOf(ids), row["ids"].get<std::vector<uint32_t>>()) << line;
    }
    const std::string spelled = tokenizer.Decode(tokenizer.Encode(text, false));
    EXPECT_TRUE(spelled == text || name == "changing") << line;
    ++rows[name];
  }
  EXPECT_EQ(rows, (std::map<std::string, size_t>{{"bpe", 80}, {"changing", 80}, {"unigram", 80}}));
}

}  // namespace
}  // namespace tenon::model
