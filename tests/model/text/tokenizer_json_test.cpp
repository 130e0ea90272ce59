#include "model/text/tokenizer_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "model/text/byte_alphabet.h"
#include "model/text/open_tokenizer.h"

namespace tenon::model {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// All bytes, then "th", "the" and a run of blanks.
json Tiny() {
  json vocabulary = json::object();
  for (int byte = 0; byte < 256; ++byte) vocabulary[ByteAsText(static_cast<uint8_t>(byte))] = byte;
  vocabulary["th"] = 256;
  vocabulary["the"] = 257;
  vocabulary["ĠĠ"] = 258;
  return {
      {"normalizer", {{"type", "NFC"}}},
      {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}}},
      {"added_tokens",
       {{{"id", 260}, {"content", "<end>"}, {"special", true}},
        {{"id", 261}, {"content", "<tool>"}, {"special", false}}}},
      {"model",
       {{"type", "BPE"},
        {"vocab", vocabulary},
        {"merges", {"t h", json::array({"th", "e"}), "Ġ Ġ"}}}}};
}

tl::expected<Tokenizer, ModelError> Read(const json& file) {
  return ReadTokenizerJson(file.dump(), "x.json");
}

std::string Refusal(const json& file) {
  const auto tokenizer = Read(file);
  return tokenizer ? "" : tokenizer.error().message;
}

std::vector<std::string> Texts(const Tokenizer& tokenizer, std::string_view text,
                               bool parse_special = false) {
  std::vector<std::string> texts;
  for (const TokenId id : tokenizer.Encode(text, parse_special))
    texts.emplace_back(tokenizer.Bytes(id));
  return texts;
}

TEST(TokenizerJson, ReadsVocabularyMergesOfBothSpellingsAndAddedTokens) {
  const auto tokenizer = Read(Tiny());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->size(), 262u);
  EXPECT_THAT(Texts(*tokenizer, "the   tth"), ElementsAre("the", "  ", " ", "t", "th"));
  EXPECT_TRUE(tokenizer->IsControl(TokenId{260}));
  EXPECT_EQ(tokenizer->FindSpecial("<end>"), TokenId{260});
  EXPECT_EQ(tokenizer->Encode("<end>", false).size(), 5u);
  EXPECT_THAT(tokenizer->Encode("<end>", true), ElementsAre(TokenId{260}));
  EXPECT_THAT(tokenizer->Encode("<tool>", false), ElementsAre(TokenId{261}));
  // An id that nothing names stands for no text.
  EXPECT_EQ(tokenizer->Bytes(TokenId{259}), "");
  EXPECT_TRUE(tokenizer->IsControl(TokenId{259}));
}

TEST(TokenizerJson, AddedTokensNamedLikeMarkersAreNoText) {
  json file = Tiny();
  file["added_tokens"].push_back({{"id", 262}, {"content", "<|fim_prefix|>"}, {"special", false}});
  const auto tokenizer = Read(file);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_TRUE(tokenizer->IsControl(TokenId{262}));
  EXPECT_EQ(tokenizer->Encode("<|fim_prefix|>", false).size(), 14u);
  EXPECT_THAT(tokenizer->Encode("<|fim_prefix|>", true), ElementsAre(TokenId{262}));
}

TEST(TokenizerJson, AWholeTokenGoesBeforeMergesWhereTheFileSaysSo) {
  json file = Tiny();
  file["model"]["vocab"]["zebra"] = 259;
  EXPECT_THAT(Texts(*Read(file), "zebra"), ElementsAre("z", "e", "b", "r", "a"));
  file["model"]["ignore_merges"] = true;
  EXPECT_THAT(Texts(*Read(file), "zebra"), ElementsAre("zebra"));
  // A pre-token that is no token is merged.
  EXPECT_THAT(Texts(*Read(file), "zebras"), ElementsAre("z", "e", "b", "r", "a", "s"));
}

TEST(TokenizerJson, CutsBySequencesOfDigitsSplitsAndByteLevel) {
  json file = Tiny();
  file["pre_tokenizer"] = {
      {"type", "Sequence"},
      {"pretokenizers",
       {{{"type", "Digits"}, {"individual_digits", true}},
        {{"type", "Split"}, {"behavior", "Isolated"}, {"pattern", {{"Regex", R"(\s+|[^\s\d]+)"}}}},
        {{"type", "ByteLevel"}, {"use_regex", false}}}}};
  const auto tokenizer = Read(file);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_THAT(Texts(*tokenizer, "  the"), ElementsAre("  ", "the"));
}

TEST(TokenizerJson, GivesTheBytesOfAnyTextBack) {
  const auto tokenizer = Read(Tiny());
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
  EXPECT_EQ(tokenizer->Decode(tokenizer->Encode(all, false)), all);
}

TEST(TokenizerJson, NamesWhatItRefuses) {
  EXPECT_THAT(ReadTokenizerJson("{\"model\": ", "x.json").error().message,
              HasSubstr("this is not JSON; the file is damaged"));
  for (const std::string& deep : {std::string(130'000, '['), "{\"model\":" + std::string(33, '[') +
                                                                 std::string(33, ']') + "}"})
    EXPECT_THAT(ReadTokenizerJson(deep, "x.json").error().message,
                HasSubstr("more than 32 brackets are nested"));
  EXPECT_THAT(Refusal(json::array()), HasSubstr("no member 'model'"));
  struct Case {
    const char* pointer;
    json value;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"/model/type", "Unigram", "'Unigram'"},
      {"/model/vocab", json::array(), "model.vocab"},
      {"/model/vocab/t", -1, "token 't'"},
      {"/model/vocab/t", 4'000'000'000, "token 't'"},
      {"/model/vocab/t", 1, "two tokens have id 1"},
      {"/model/merges", 7, "model.merges"},
      {"/model/merges/0", json::array({"t"}), "merge 0"},
      {"/model/merges/0", "t zz", "merge 0"},
      {"/model/vocab/t", 70'000, "token 't': its id must be a number below"},
      {"/model/byte_fallback", true, "byte_fallback"},
      {"/model/end_of_word_suffix", "</w>", "end_of_word_suffix"},
      {"/normalizer", {{"type", "Lowercase"}}, "'Lowercase'"},
      {"/normalizer", {{"type", "Prepend"}, {"prepend", "\u2581"}}, "without model.byte_fallback"},
      {"/normalizer", {{"type", "Prepend"}, {"prepend", "x"}}, "'Prepend'"},
      {"/pre_tokenizer", nullptr, "pre_tokenizer"},
      {"/pre_tokenizer", {{"type", "Metaspace"}}, "'Metaspace'"},
      {"/pre_tokenizer", {{"type", "Digits"}}, "no ByteLevel"},
      {"/pre_tokenizer/add_prefix_space", true, "add_prefix_space"},
      {"/pre_tokenizer", {{"type", "Sequence"}}, "pretokenizers"},
      {"/pre_tokenizer", {{"type", "Split"}, {"pattern", {{"String", " "}}}}, "Split"},
      {"/added_tokens", 3, "added_tokens"},
      {"/added_tokens/0/content", "", "content"},
      {"/added_tokens/1/lstrip", true, "'<tool>'"},
  };
  for (const Case& wrong : cases) {
    json file = Tiny();
    file[json::json_pointer(wrong.pointer)] = wrong.value;
    EXPECT_THAT(Refusal(file), AllOf(HasSubstr("x.json: "), HasSubstr(wrong.message)))
        << wrong.pointer;
  }
}

TEST(TokenizerJson, NamesExpressionsThatItRefuses) {
  const auto with = [](const std::string& pattern) {
    json file = Tiny();
    file["pre_tokenizer"] = {
        {"type", "Sequence"},
        {"pretokenizers",
         {{{"type", "Split"}, {"behavior", "Isolated"}, {"pattern", {{"Regex", pattern}}}},
          {{"type", "ByteLevel"}}}}};
    return Refusal(file);
  };
  EXPECT_EQ(with("a+"), "");
  EXPECT_THAT(with("a*"), HasSubstr("empty text"));
  EXPECT_THAT(with("(a"), HasSubstr("(a"));
  EXPECT_THAT(with("[\\S]"), HasSubstr("\\S"));
  EXPECT_THAT(with(std::string(5000, 'a')), HasSubstr("longer than 4096"));
}

TEST(TokenizerJson, AFileThatCannotBeReadIsNamed) {
  for (const std::string path : {"/nowhere/tokenizer.json", "/tmp"})
    EXPECT_THAT(OpenTokenizer(path).error().message,
                AllOf(HasSubstr(path), HasSubstr("--tokenizer")));
}

}  // namespace
}  // namespace tenon::model
