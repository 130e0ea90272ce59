#include "server/complete/mask_stores.h"

#include <gtest/gtest.h>

#include "constraint/language/language.h"
#include "model/file/file.h"
#include "tests/model/tiny_model.h"

namespace tenon::server {
namespace {

using constraint::Language;

constexpr char kGrammar[] = "start: /[a-z]+/ (\"+\" /[a-z]+/)*\n";

TEST(MaskStores, ReadTheVocabularyOnceAndMeanwhileHaveNone) {
  model::GgufWriter writer;
  model::AddTinyTokenizer(writer, {});
  const auto bytes = writer.Bytes();
  const auto tokenizer = *model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes, "tiny"));
  MaskStores stores(tokenizer);
  stores.Vocabulary();
  stores.Wait();
  const auto vocabulary = stores.Vocabulary();
  ASSERT_TRUE(vocabulary);
  EXPECT_EQ(vocabulary->size(), static_cast<size_t>(tokenizer.size()));
  const auto language = *Language::Compile(kGrammar, "sums.lark");
  stores.Of(language);
  stores.Wait();
  EXPECT_EQ(stores.Of(language)->shared_vocabulary(), vocabulary);
}

TEST(MaskStores, BuildsEachStoreOnceAndMeanwhileHasNone) {
  model::GgufWriter writer;
  model::AddTinyTokenizer(writer, {});
  const auto bytes = writer.Bytes();
  const auto tokenizer = *model::Tokenizer::FromGguf(*model::GgufFile::Parse(bytes, "tiny"));
  const auto language = *Language::Compile(kGrammar, "sums.lark");
  MaskStores stores(tokenizer);
  stores.Of(language);
  stores.Wait();
  const auto store = stores.Of(language);
  ASSERT_TRUE(store);
  EXPECT_EQ(&store->language(), language.get());
  EXPECT_EQ(store->vocabulary().size(), static_cast<size_t>(tokenizer.size()));
  EXPECT_TRUE(store->vocabulary().Bytes({0}).empty());  // a control token
  EXPECT_EQ(stores.Of(language), store);
}

}  // namespace
}  // namespace tenon::server
