#include "model/text/hugging_face_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/model/tiny_folder.h"
#include "tests/source_path.h"

namespace tenon::model {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

tl::expected<Tokenizer, ModelError> Open(const TemporaryFolder& folder) {
  const auto opened = HuggingFaceFolder::Open(folder.path());
  EXPECT_TRUE(opened.has_value()) << opened.error().message;
  return OpenTokenizerOf(*opened);
}

TEST(HuggingFaceTokenizer, TakesEndsOfTheGenerationConfigFirst) {
  const TemporaryFolder folder;
  WriteTinyFolder(folder, TinyConfig());
  const auto of_config = Open(folder);
  ASSERT_TRUE(of_config.has_value()) << of_config.error().message;
  EXPECT_THAT(of_config->end_tokens(), ElementsAre(TokenId{1}));
  EXPECT_EQ(of_config->bos(), TokenId{0});
  EXPECT_FALSE(of_config->add_bos());
  folder.WriteJson("generation_config.json", json{{"eos_token_id", {0, 1, 0}}});
  folder.WriteJson("tokenizer_config.json", json{{"add_bos_token", true}});
  const auto of_generation = Open(folder);
  EXPECT_EQ(of_generation->eos(), TokenId{0});
  EXPECT_THAT(of_generation->end_tokens(), ElementsAre(TokenId{0}, TokenId{1}));
  EXPECT_TRUE(of_generation->add_bos());
}

TEST(HuggingFaceTokenizer, TextsOfNoTokenizerHaveNoEnds) {
  const TemporaryFolder folder;
  json config = TinyConfig();
  config.erase("eos_token_id");
  config.erase("bos_token_id");
  WriteTinyFolder(folder, config);
  const auto tokenizer = Open(folder);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_THAT(tokenizer->end_tokens(), IsEmpty());
  EXPECT_EQ(tokenizer->bos(), std::nullopt);
}

TEST(HuggingFaceTokenizer, TakesASentencepieceVocabularyWhereThereIsNoOther) {
  const TemporaryFolder folder;
  json config = TinyConfig();
  config.erase("bos_token_id");
  WriteTinyFolder(folder, config);
  folder.Remove("tokenizer.json");
  EXPECT_THAT(Open(folder).error().message,
              AllOf(HasSubstr(folder.path()), HasSubstr("tokenizer.json")));
  std::ostringstream bytes;
  bytes << std::ifstream(SourcePath("tests/model/golden/sentencepiece/bpe.model"), std::ios::binary)
               .rdbuf();
  folder.Write("tokenizer.model", bytes.str());
  const auto tokenizer = Open(folder);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  EXPECT_EQ(tokenizer->Name(*tokenizer->bos()), "<s>");
  EXPECT_TRUE(tokenizer->add_bos());
}

TEST(HuggingFaceTokenizer, RefusesAnEndThatIsNoToken) {
  const TemporaryFolder folder;
  json config = TinyConfig();
  config["eos_token_id"] = 258;
  WriteTinyFolder(folder, config);
  EXPECT_THAT(Open(folder).error().message,
              AllOf(HasSubstr("its tokens are 258"), HasSubstr("eos_token_id"), HasSubstr("258")));
  config["eos_token_id"] = 1;
  config["bos_token_id"] = 300;
  WriteTinyFolder(folder, config);
  EXPECT_THAT(Open(folder).error().message, AllOf(HasSubstr("bos_token_id"), HasSubstr("300")));
}

}  // namespace
}  // namespace tenon::model
