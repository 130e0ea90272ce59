#include "server/decode/mask_stores.h"

#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "model/file/file.h"
#include "tests/model/tiny_model.h"

namespace tenon::server {
namespace {

constexpr char kGrammar[] = "start: /[a-z]+/ (\"+\" /[a-z]+/)*\n";

class MaskStoresTest : public testing::Test {
 protected:
  MaskStoresTest() {
    model::GgufWriter writer;
    model::AddTinyTokenizer(writer, {});
    bytes_ = writer.Bytes();
    tokenizer_.emplace(*model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes_, "tiny")));
    stores_.emplace(*tokenizer_);
  }

  std::vector<std::byte> bytes_;
  std::optional<model::Tokenizer> tokenizer_;
  std::optional<MaskStores> stores_;
};

TEST_F(MaskStoresTest, BuildEachStoreOnceAndMeanwhileHaveNone) {
  const Language language = *Language::Compile(kGrammar, "sums.lark");
  stores_->Of(language);
  stores_->Wait();
  const auto store = stores_->Of(language);
  ASSERT_TRUE(store);
  EXPECT_EQ(store->language(), language);
  EXPECT_EQ(store->vocabulary().size(), tokenizer_->size());
  EXPECT_TRUE(store->vocabulary().Bytes(TokenId{0}).empty());  // a control token
  const Language other = *Language::Compile(kGrammar, "sums.lark");
  EXPECT_FALSE(stores_->Of(other)) << "another language, though its grammar is the same";
}

TEST_F(MaskStoresTest, OfAnExpressionNeedTheVocabularyAlone) {
  const Language expression = *Language::FromRegex("[a-z]+");
  stores_->Of(expression);
  stores_->Wait();
  const auto store = stores_->Of(*Language::FromRegex("[0-9]+"));
  ASSERT_TRUE(store);
  EXPECT_EQ(store->memory_bytes(), 0u);
  EXPECT_EQ(store->vocabulary().size(), tokenizer_->size());
}

}  // namespace
}  // namespace tenon::server
