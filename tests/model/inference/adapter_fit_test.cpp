#include "model/inference/adapter_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/inference/tiny_adapter.h"
#include "tests/model/tiny_model.h"

namespace tenon::model {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

LlamaConfig ConfigOf(const char* family) {
  const auto bytes = TinyModel({.architecture = family}).Bytes();
  return *ReadLlamaConfig(*GgufFile::Parse(bytes, "x.gguf"));
}

std::string Error(const PeftAdapter& adapter) {
  const auto fits = CheckAdapter(adapter, ConfigOf("qwen2"));
  return fits ? "" : fits.error().message;
}

TEST(AdapterFit, AnAdapterOfAnotherBaseIsRefused) {
  const PeftAdapter adapter = TinyAdapter(ConfigOf("qwen2"));
  EXPECT_EQ(Error(adapter), "");
  PeftAdapter other = adapter;
  other.changes[1].rows = 31;
  EXPECT_THAT(Error(other),
              AllOf(HasSubstr("adapter: the adapter does not fit this model: layer 1"),
                    HasSubstr("q_proj: 31 x 32, but the model's is 32 x 32"),
                    HasSubstr("made for some/base")));
  other = adapter;
  other.changes.back().layer = 2;
  EXPECT_THAT(Error(other), HasSubstr("changes layer 2, and the model has 2 layers"));
  other = adapter;
  other.embedding->columns = 33;
  EXPECT_THAT(Error(other), HasSubstr("33 numbers, the model's have 32"));
  other = adapter;
  other.embedding->tokens[1] = TokenId{100000};
  EXPECT_THAT(Error(other), HasSubstr("changes token 100000"));
  other = adapter;
  other.scale = 1e30f;
  other.changes[1].b[0] = 1e20f;
  EXPECT_THAT(Error(other), HasSubstr("its numbers times its scale of 1e+30 are too large"));
}

TEST(AdapterFit, RowsOfQueriesAreInTheOrderOfTheFile) {
  // One number a row: its number.
  const auto scaled_rows = [](const char* family, Projection projection) {
    const LlamaConfig config = ConfigOf(family);
    PeftAdapter adapter = TinyAdapter(config, 1);
    for (LowRankChange& change : adapter.changes) {
      for (size_t row = 0; row < change.b.size(); ++row) change.b[row] = static_cast<float>(row);
    }
    auto rows = ChangesOf(adapter, config, 1, {projection})[0].b;
    rows.resize(10);
    return rows;
  };
  // Heads of width 8; the scale is one half.
  EXPECT_THAT(scaled_rows("llama", Projection::kQuery),
              ElementsAre(0, 2, 0.5, 2.5, 1, 3, 1.5, 3.5, 4, 6));
  EXPECT_THAT(scaled_rows("llama", Projection::kKey),
              ElementsAre(0, 2, 0.5, 2.5, 1, 3, 1.5, 3.5, 4, 6));
  EXPECT_THAT(scaled_rows("llama", Projection::kValue),
              ElementsAre(0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5));
  EXPECT_THAT(scaled_rows("qwen2", Projection::kQuery),
              ElementsAre(0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5));
}

TEST(AdapterFit, AGateFitsNoFamilyWithoutOne) {
  LlamaConfig config = ConfigOf("qwen2");
  const PeftAdapter adapter = TinyAdapter(config);
  config.traits.has_no_gate = true;
  const auto fits = CheckAdapter(adapter, config);
  ASSERT_FALSE(fits.has_value());
  EXPECT_THAT(fits.error().message, HasSubstr("layer 1, gate_proj: the model has no such matrix"));
  EXPECT_TRUE(CheckAdapter(TinyAdapter(config), config).has_value());
}

TEST(AdapterFit, ChangesAreNumberedAsTheyAreAskedFor) {
  const LlamaConfig config = ConfigOf("qwen2");
  const PeftAdapter adapter = TinyAdapter(config);
  const auto changes = ChangesOf(adapter, config, 1, {Projection::kGate, Projection::kUp});
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[1].matrix, 1);
  EXPECT_EQ(changes[1].a.data(), adapter.Find(1, Projection::kUp)->a.data());
  // Layer 0 has a changed query and nothing else.
  const auto of_query =
      ChangesOf(adapter, config, 0, {Projection::kKey, Projection::kQuery, Projection::kValue});
  ASSERT_THAT(of_query, SizeIs(1));
  EXPECT_EQ(of_query[0].matrix, 1);
}

}  // namespace
}  // namespace tenon::model
