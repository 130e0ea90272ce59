// Small tokenizer.json files of each kind against Hugging Face's `tokenizers` (golden/README.md
// says how they were made).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/text/text.h"
#include "tests/model/text/hash_of_ids.h"
#include "tests/source_path.h"

namespace tenon::model {
namespace {

using nlohmann::json;

const std::string kGolden = SourcePath("tests/model/golden/");
constexpr const char* kNames[] = {"llama3", "qwen2",     "starcoder", "deepseek-coder",
                                  "llama2", "metaspace", "gemma"};

Tokenizer Open(const std::string& name) {
  auto tokenizer = OpenTokenizer(kGolden + "tokenizers/" + name + ".json");
  EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  return *std::move(tokenizer);
}

// The texts of tests/model/golden/tokens.jsonl.
std::map<std::string, std::string> RealTexts() {
  std::map<std::string, std::string> texts;
  std::ifstream lines(kGolden + "tokens.jsonl");
  for (std::string line; std::getline(lines, line);) {
    const json row = json::parse(line);
    texts.emplace(row["name"], row["text"]);
  }
  return texts;
}

// The texts of texts.jsonl, each with its answers.
std::vector<std::pair<std::string, json>> Questions() {
  const auto real = RealTexts();
  std::vector<std::pair<std::string, json>> questions;
  std::ifstream lines(kGolden + "tokenizers/texts.jsonl");
  for (std::string line; std::getline(lines, line);) {
    const json row = json::parse(line);
    questions.emplace_back(row.contains("text") ? row["text"].get<std::string>()
                                                : real.at(row["name"].get<std::string>()),
                           row["answers"]);
  }
  return questions;
}

TEST(GoldenTokenizers, TextsAreTokenizedAsByAnotherTokenizer) {
  const auto questions = Questions();
  ASSERT_EQ(questions.size(), 66u);
  for (const char* name : kNames) {
    const Tokenizer tokenizer = Open(name);
    for (const auto& [text, answers] : questions) {
      const json& wanted = answers[name];
      const auto ids = tokenizer.Encode(text, false, TextPlace::kBeginning);
      EXPECT_EQ(ids.size(), wanted["count"].get<size_t>()) << name << ": " << text.substr(0, 200);
      EXPECT_EQ(HashOfIds(ids), wanted["hash"].get<std::string>())
          << name << ": " << text.substr(0, 200);
      EXPECT_EQ(HashOfIds(tokenizer.Encode(text, true, TextPlace::kBeginning)),
                wanted["hash_with_markers"].get<std::string>())
          << name << ": " << text.substr(0, 200);
    }
  }
}

TEST(GoldenTokenizers, AnyBytesComeBackFromInsideAText) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  all += "\xe2\x96\x81 \xe2\x96\x81x \xed\xa0\x80 \xf4\x90\x80\x80 \xc3";
  for (const char* name : kNames) {
    const Tokenizer tokenizer = Open(name);
    EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(all, false)), all) << name;
    for (const auto& [text, answers] : Questions())
      EXPECT_EQ(tokenizer.Decode(tokenizer.Encode(text, false)), text) << name;
  }
}

// Whatever follows with one of the bytes, the tokens of the settled bytes stay.
TEST(GoldenTokenizers, SettledBytesKeepTheirTokens) {
  const std::string text = "def foo(self):\n    return  self.name + ' the\xc3\xa4 for";
  const std::string_view nexts = " (a1\n\xc3'";
  for (const char* name : kNames) {
    const Tokenizer tokenizer = Open(name);
    for (size_t end = 1; end <= text.size(); ++end) {
      const std::string begin = text.substr(0, end);
      for (const char next : nexts) {
        const auto byte = static_cast<uint8_t>(next);
        const size_t settled = tokenizer.SettledBytes(begin, std::span(&byte, 1));
        ASSERT_LE(settled, begin.size());
        const auto kept = tokenizer.Encode(begin.substr(0, settled), false);
        for (const char* after : {"", "m", "elf", "\xa4 the", " x"}) {
          const auto all = tokenizer.Encode(begin + next + after, false);
          ASSERT_GE(all.size(), kept.size());
          EXPECT_TRUE(std::equal(kept.begin(), kept.end(), all.begin()))
              << name << ": " << begin << "|" << next << after;
        }
      }
    }
  }
}

TEST(GoldenTokenizers, KnowsTheTokenBeforeEveryText) {
  const Tokenizer llama3 = Open("llama3");
  EXPECT_TRUE(llama3.add_bos());
  EXPECT_EQ(llama3.Name(*llama3.bos()), "<|endoftext|>");
  EXPECT_FALSE(Open("qwen2").add_bos());
  EXPECT_FALSE(Open("llama2").add_bos());
}

}  // namespace
}  // namespace tenon::model
