// Vocabularies of kind `llama` in the metadata of GGUF files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/text/fim.h"
#include "model/text/tokenizer.h"
#include "tests/model/gguf_writer.h"
#include "tests/model/text/sentencepiece_models.h"

namespace tenon::model {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Metadata {
  std::vector<std::string> names;
  std::vector<float> scores;
  std::vector<int32_t> kinds;
  bool has_scores = true, has_kinds = true;

  explicit Metadata(const SentencepieceModel& model) {
    for (const auto& piece : model.pieces) {
      names.push_back(piece.name);
      scores.push_back(piece.score);
      kinds.push_back(static_cast<int32_t>(piece.kind));
    }
  }
  void Add(const std::string& name, TokenKind kind) {
    names.push_back(name);
    scores.push_back(-1000);
    kinds.push_back(static_cast<int32_t>(kind));
  }
  GgufWriter Write() const {
    GgufWriter file;
    file.Text("tokenizer.ggml.model", "llama").Texts("tokenizer.ggml.tokens", names);
    if (has_kinds) file.Integers("tokenizer.ggml.token_type", kinds);
    if (has_scores) {
      // A list (9) of floats (6).
      const uint32_t type = 6;
      const uint64_t count = scores.size();
      std::string list(reinterpret_cast<const char*>(&type), sizeof type);
      list.append(reinterpret_cast<const char*>(&count), sizeof count);
      list.append(reinterpret_cast<const char*>(scores.data()), scores.size() * sizeof(float));
      file.Raw("tokenizer.ggml.scores", 9, list);
    }
    file.Unsigned("tokenizer.ggml.bos_token_id", 1).Unsigned("tokenizer.ggml.eos_token_id", 2);
    return file;
  }
};

struct File {
  explicit File(const GgufWriter& writer)
      : bytes(writer.Bytes()), gguf(*GgufFile::Parse(bytes, "x.gguf")) {}
  tl::expected<Tokenizer, ModelError> Open() const { return Tokenizer::FromGguf(gguf); }

  std::vector<std::byte> bytes;
  GgufFile gguf;
};

std::vector<std::string> Names(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  std::vector<std::string> names;
  for (const TokenId id : ids) names.emplace_back(tokenizer.Name(id));
  return names;
}

Metadata Tiny() { return Metadata(TinySentencepiece({"▁a", "▁", "a", "b", "<", ">"})); }

TEST(TokenizerGguf, ALlamaVocabularyIsSentencepieces) {
  const auto tokenizer = File(Tiny().Write()).Open();
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_THAT(Names(*tokenizer, tokenizer->Encode("ab a", false, TextPlace::kBeginning)),
              ElementsAre("▁a", "b", "▁a"));
  EXPECT_THAT(Names(*tokenizer, tokenizer->Encode("ab\n", false)), ElementsAre("a", "b", "<0x0A>"));
  EXPECT_EQ(tokenizer->bos(), TokenId{1});
  EXPECT_EQ(tokenizer->eos(), TokenId{2});
  EXPECT_TRUE(tokenizer->add_bos());
}

TEST(TokenizerGguf, TheFileSaysWhatStandsBeforeAText) {
  auto writer = Tiny().Write();
  writer.Bool("tokenizer.ggml.add_space_prefix", false).Bool("tokenizer.ggml.add_bos_token", false);
  const auto tokenizer = File(writer).Open();
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_THAT(Names(*tokenizer, tokenizer->Encode("ab", false, TextPlace::kBeginning)),
              ElementsAre("a", "b"));
  EXPECT_FALSE(tokenizer->add_bos());
}

TEST(TokenizerGguf, TheUnknownTokenMayBeNamedAlone) {
  Metadata metadata = Tiny();
  metadata.kinds[0] = 3;
  auto writer = metadata.Write();
  writer.Unsigned("tokenizer.ggml.unknown_token_id", 0);
  const auto tokenizer = File(writer).Open();
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_TRUE(tokenizer->IsControl(TokenId{0}));
}

TEST(TokenizerGguf, UserDefinedTokensMayHaveSpacesAsTheyAre) {
  Metadata metadata = Tiny();
  metadata.Add("  b", TokenKind::kUserDefined);
  const auto tokenizer = File(metadata.Write()).Open();
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_THAT(Names(*tokenizer, tokenizer->Encode("a  b", false)), ElementsAre("a", "▁▁b"));
  EXPECT_EQ(tokenizer->Bytes(TokenId{static_cast<uint32_t>(tokenizer->size() - 1)}), "  b");
}

TEST(TokenizerGguf, CodeLlamasMarkersLayThePromptAndActInNoText) {
  Metadata metadata = Tiny();
  for (const char* marker : {"▁<PRE>", "▁<SUF>", "▁<MID>", "▁<EOT>"})
    metadata.Add(marker, TokenKind::kNormal);
  const File file(metadata.Write());
  const auto tokenizer = file.Open();
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const auto format = FimFormat::Detect(file.gguf, *tokenizer);
  ASSERT_TRUE(format.has_value()) << format.error().message;
  EXPECT_EQ(format->name(), "codellama");
  EXPECT_THAT(Names(*tokenizer, format->end_tokens()), ElementsAre("▁<EOT>", "</s>"));
  // The left context begins a text, the right one does not.
  EXPECT_THAT(Names(*tokenizer, format->BuildPrompt(*tokenizer, "x", "ab", "a", 100).tokens),
              ElementsAre("<s>", "▁<PRE>", "▁a", "b", "▁<SUF>", "a", "▁<MID>"));
  const auto plain = tokenizer->Encode("▁<PRE> <PRE>", false);
  for (const TokenId id : plain) EXPECT_FALSE(tokenizer->IsControl(id));
  EXPECT_EQ(tokenizer->Decode(plain), "▁<PRE> <PRE>");
}

TEST(TokenizerGguf, ListsThatDisagreeAreNamed) {
  const auto refusal = [](const Metadata& metadata) {
    const auto tokenizer = File(metadata.Write()).Open();
    return tokenizer ? "" : tokenizer.error().message;
  };
  EXPECT_EQ(refusal(Tiny()), "");
  Metadata wrong = Tiny();
  wrong.scores.pop_back();
  EXPECT_THAT(refusal(wrong), HasSubstr("265 tokens but 264 entries of tokenizer.ggml.scores"));
  wrong = Tiny();
  wrong.kinds.push_back(1);
  EXPECT_THAT(refusal(wrong), HasSubstr("265 tokens but 266 entries of tokenizer.ggml.token_type"));
  wrong = Tiny();
  wrong.has_scores = false;
  EXPECT_THAT(refusal(wrong), HasSubstr("tokenizer.ggml.scores is missing"));
  wrong = Tiny();
  wrong.has_kinds = false;
  EXPECT_THAT(refusal(wrong), HasSubstr("tokenizer.ggml.token_type is missing"));
  wrong = Tiny();
  wrong.kinds[260] = 7;
  EXPECT_THAT(refusal(wrong), AllOf(HasSubstr("token 260"), HasSubstr("is 7")));
  wrong = Tiny();
  wrong.kinds[260] = -250;
  EXPECT_THAT(refusal(wrong), HasSubstr("is -250"));
  wrong = Tiny();
  wrong.names.clear();
  wrong.scores.clear();
  wrong.kinds.clear();
  EXPECT_THAT(refusal(wrong), HasSubstr("no tokens"));
  wrong = Tiny();
  wrong.kinds[0] = 3;
  EXPECT_THAT(refusal(wrong), AllOf(HasSubstr("x.gguf"), HasSubstr("kind unknown")));
}

// Byte-level vocabularies.

struct ByteLevelFile {
  std::string pre = "default";
  std::vector<std::string> names = {"a", "b", "ab", "<|fim_prefix|>"};
  std::vector<int32_t> kinds = {1, 1, 1, 4};

  GgufWriter Write() const {
    GgufWriter file;
    file.Text("tokenizer.ggml.model", "gpt2").Text("tokenizer.ggml.pre", pre);
    file.Texts("tokenizer.ggml.tokens", names).Texts("tokenizer.ggml.merges", {});
    file.Integers("tokenizer.ggml.token_type", kinds);
    return file.Unsigned("tokenizer.ggml.bos_token_id", 0);
  }
};

TEST(ByteLevelOfGguf, AMarkerIsNoText) {
  const File file(ByteLevelFile().Write());
  const auto tokenizer = file.Open();
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_TRUE(tokenizer->IsControl(TokenId{3}));
  EXPECT_THAT(tokenizer->Encode("<|fim_prefix|>", false),
              ::testing::Not(::testing::Contains(TokenId{3})));
}

TEST(ByteLevelOfGguf, AKindIsOneOfSix) {
  ByteLevelFile with;
  with.kinds[1] = 7;
  EXPECT_THAT(File(with.Write()).Open().error().message,
              HasSubstr("tokenizer.ggml.token_type of token 1 ('b') is 7"));
}

TEST(ByteLevelOfGguf, OfLlama3TakesWholeTokensAndBeginsWithOne) {
  ByteLevelFile with;
  const File other(with.Write());
  EXPECT_THAT(other.Open()->Encode("ab", false), ElementsAre(TokenId{0}, TokenId{1}));
  EXPECT_FALSE(other.Open()->add_bos());
  with.pre = "llama-bpe";
  const File llama(with.Write());
  EXPECT_THAT(llama.Open()->Encode("ab", false), ElementsAre(TokenId{2}));
  EXPECT_TRUE(llama.Open()->add_bos());
}

}  // namespace
}  // namespace tenon::model
