#include "model/inference/forward_pass.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model/inference/loaded_model.h"
#include "tests/model/inference/naive_forward.h"
#include "tests/model/inference/tiny_adapter.h"

namespace tenon::model {
namespace {

constexpr const char* kFamilies[] = {"llama", "qwen2",  "qwen3",    "starcoder2",
                                     "gemma", "gemma3", "starcoder"};

class ForwardPassOfTheTinyModel : public ::testing::Test {
 protected:
  ForwardPassOfTheTinyModel()
      : bytes_(TinyModel().Bytes()), file_(*GgufFile::Parse(bytes_, "x.gguf")) {
    KeepOpenMpInThisThread();
    config_ = *ReadLlamaConfig(file_);
    config_.threads = 2;
    weights_ = std::make_unique<LlamaWeights>(*PackLlamaWeights(file_, config_));
  }
  // A pass and the cache of one text.
  struct Computed {
    std::unique_ptr<ForwardPass> pass;
    std::unique_ptr<KvCache> cache;
    void Run(std::span<const TokenId> tokens, int position, int logit_rows) const {
      pass->Run(*cache, tokens, position, logit_rows);
    }
    std::span<float> logits() const { return pass->logits(); }
  };
  Computed Make() const {
    auto pass = MakeForwardPass(config_, *weights_, 600);
    auto cache = pass->NewCache();
    return {std::move(pass), std::move(cache)};
  }
  // The logits after `tokens`, computed at once.
  std::vector<float> Reference(std::span<const TokenId> tokens) const {
    const auto pass = Make();
    pass.Run(tokens, 0, 1);
    return Copy(pass.logits());
  }

  std::vector<std::byte> bytes_;
  GgufFile file_;
  LlamaConfig config_;
  std::unique_ptr<LlamaWeights> weights_;
};

TEST_F(ForwardPassOfTheTinyModel, AStretchReadsTheStretchesBeforeIt) {
  const auto tokens = SomeTokens(40);
  const auto pass = Make();
  pass.Run(std::span(tokens).first(3), 0, 0);
  pass.Run(std::span(tokens).subspan(3, 1), 3, 0);
  pass.Run(std::span(tokens).subspan(4), 4, 1);
  ASSERT_EQ(pass.logits().size(), static_cast<size_t>(config_.vocabulary));
  ExpectNear(pass.logits(), Reference(tokens), 1e-4f);
}

TEST_F(ForwardPassOfTheTinyModel, AStretchOverwritesFromItsPositionOn) {
  const auto old = SomeTokens(50), tokens = SomeTokens(30, 11);
  std::vector<TokenId> both(old.begin(), old.begin() + 20);
  both.insert(both.end(), tokens.begin(), tokens.end());
  const auto pass = Make();
  pass.Run(old, 0, 1);
  pass.Run(tokens, 20, 1);
  ExpectNear(pass.logits(), Reference(both), 1e-4f);
}

TEST_F(ForwardPassOfTheTinyModel, ACopyOfACacheGoesOnByItself) {
  const auto tokens = SomeTokens(90), other = SomeTokens(40, 17);
  const auto text = Make();
  text.Run(tokens, 0, 0);
  const auto copy = text.pass->Copy(*text.cache, 70);
  EXPECT_GT(copy->bytes(), 0u);
  EXPECT_LT(copy->bytes(), text.cache->bytes());
  text.pass->Run(*copy, other, 70, 1);
  std::vector<TokenId> both(tokens.begin(), tokens.begin() + 70);
  both.insert(both.end(), other.begin(), other.end());
  ExpectNear(text.logits(), Reference(both), 1e-4f);
  // The first text is as it was.
  text.Run(other, 90, 1);
  both = tokens;
  both.insert(both.end(), other.begin(), other.end());
  ExpectNear(text.logits(), Reference(both), 1e-4f);
}

TEST_F(ForwardPassOfTheTinyModel, TheLogitsAreThoseOfTheLastRunThatWantedThem) {
  const auto tokens = SomeTokens(5);
  const auto pass = Make();
  pass.Run(std::span(tokens).first(4), 0, 1);
  const std::vector<float> before = Copy(pass.logits());
  pass.Run(std::span(tokens).subspan(4), 4, 0);
  ExpectNear(pass.logits(), before, 0);
}

TEST_F(ForwardPassOfTheTinyModel, SomeRowsHaveLogits) {
  const auto tokens = SomeTokens(20);
  const auto pass = Make();
  pass.Run(tokens, 0, 3);
  const auto size = static_cast<size_t>(config_.vocabulary);
  const std::vector<float> rows = Copy(pass.logits());
  ASSERT_EQ(rows.size(), 3 * size);
  for (size_t row = 0; row < 3; ++row) {
    ExpectNear(std::span(rows).subspan(row * size, size),
               Reference(std::span(tokens).first(18 + row)), 1e-4f);
  }
}

// Logits after `tokens` of a file, in one stretch or token by token.
std::vector<float> LogitsOf(const TinyShape& shape, Precision precision,
                            const std::vector<TokenId>& tokens, bool at_once) {
  const auto model = Load(TinyModel(shape), {2, precision});
  const auto session = model->NewSession();
  if (at_once) return Copy(*session->Prefill(tokens, {}));
  std::vector<float> logits = Copy(*session->Prefill(std::span(tokens).first(1), {}));
  for (size_t i = 1; i < tokens.size(); ++i) logits = Copy(*session->Decode(tokens[i]));
  return logits;
}

TEST(ForwardPassInBlocks, IsNearTheSameWeightsAsFloats) {
  for (const char* family : kFamilies) {
    const TinyShape shape{.architecture = family, .in_blocks = true};
    const auto tokens = SomeTokens(40);
    const auto floats = LogitsOf(shape, Precision::kFloat32, tokens, true);
    // Activations of 8 bits move a logit by a few hundredths of the spread of all logits. A wrong
    // rotation, bias or order of rows moves it by about the spread.
    const auto [low, high] = std::minmax_element(floats.begin(), floats.end());
    const float tolerance = 0.05f * (*high - *low);
    ExpectNear(LogitsOf(shape, Precision::kBlocks, tokens, true), floats, tolerance);
    ExpectNear(LogitsOf(shape, Precision::kBlocks, tokens, false), floats, tolerance);
  }
}

TEST(ForwardPassInBlocks, AStretchAndSingleTokensAgree) {
  const TinyShape shape{.in_blocks = true};
  const auto tokens = SomeTokens(40);
  // The same integers are summed; only the order of floats differs.
  ExpectNear(LogitsOf(shape, Precision::kBlocks, tokens, true),
             LogitsOf(shape, Precision::kBlocks, tokens, false), 0.05f);
}

TEST(ForwardPassOfEachFamily, HasTheLogitsOfANaiveComputation) {
  const auto tokens = SomeTokens(20);
  for (const char* family : kFamilies) {
    for (const bool in_blocks : {false, true}) {
      const TinyShape shape{.architecture = family, .in_blocks = in_blocks};
      const auto bytes = TinyModel(shape).Bytes();
      const GgufFile file = *GgufFile::Parse(bytes, "x.gguf");
      const LlamaConfig config = *ReadLlamaConfig(file);
      const std::vector<double> naive = NaiveForward(file, config).Logits(tokens);
      const std::vector<float> expected(naive.begin(), naive.end());
      ExpectNear(LogitsOf(shape, Precision::kFloat32, tokens, true), expected, 1e-3f);
      ExpectNear(LogitsOf(shape, Precision::kFloat32, tokens, false), expected, 1e-3f);
    }
  }
}

// A window of 12 in a text of 150: the blocks of a long stretch skip the keys before it.
TEST(ForwardPassOfEachFamily, SeesNothingBeforeItsWindow) {
  const auto tokens = SomeTokens(150);
  for (const auto& [family, in_blocks] :
       {std::pair("starcoder2", false), {"starcoder2", true}, {"gemma3", false}}) {
    const TinyShape shape{.architecture = family, .in_blocks = in_blocks};
    const auto bytes = TinyModel(shape).Bytes();
    const GgufFile file = *GgufFile::Parse(bytes, "x.gguf");
    const std::vector<double> naive = NaiveForward(file, *ReadLlamaConfig(file)).Logits(tokens);
    const std::vector<float> expected(naive.begin(), naive.end());
    ExpectNear(LogitsOf(shape, Precision::kFloat32, tokens, true), expected, 1e-3f);
    ExpectNear(LogitsOf(shape, Precision::kFloat32, tokens, false), expected, 1e-3f);
  }
}

// Logits after `tokens` with an adapter, in stretches of `stretch` tokens.
std::vector<float> AdaptedLogits(const GgufFile& file, LlamaConfig config, Precision precision,
                                 const PeftAdapter& adapter, std::span<const TokenId> tokens,
                                 size_t stretch) {
  config.threads = 2;
  config.precision = precision;
  const auto weights = PackLlamaWeights(file, config, &adapter);
  EXPECT_TRUE(weights.has_value()) << weights.error().message;
  const auto pass = MakeForwardPass(config, *weights, 600);
  const auto cache = pass->NewCache();
  for (size_t at = 0; at < tokens.size(); at += stretch) {
    const auto part = tokens.subspan(at, std::min(stretch, tokens.size() - at));
    pass->Run(*cache, part, static_cast<int>(at), 1);
  }
  return Copy(pass->logits());
}

TEST(ForwardPassWithAnAdapter, HasTheLogitsOfTheSumOfBothMatrices) {
  KeepOpenMpInThisThread();
  const auto tokens = SomeTokens(20);
  for (const char* family : kFamilies) {
    for (const bool in_blocks : {false, true}) {
      const auto bytes = TinyModel({.architecture = family, .in_blocks = in_blocks}).Bytes();
      const GgufFile file = *GgufFile::Parse(bytes, "x.gguf");
      const LlamaConfig config = *ReadLlamaConfig(file);
      PeftAdapter adapter = TinyAdapter(config);
      adapter.embedding->tokens[0] = tokens[3];
      const auto naive = NaiveForward(file, config, MultipliedOut(adapter, config)).Logits(tokens);
      const std::vector<float> expected(naive.begin(), naive.end());
      const auto [low, high] = std::minmax_element(expected.begin(), expected.end());
      for (const size_t stretch : {tokens.size(), size_t{1}}) {
        const auto logits = [&](Precision precision) {
          return AdaptedLogits(file, config, precision, adapter, tokens, stretch);
        };
        ExpectNear(logits(Precision::kFloat32), expected, 2e-3f);
        // Activations of 8 bits, as above.
        if (in_blocks) ExpectNear(logits(Precision::kBlocks), expected, 0.05f * (*high - *low));
      }
    }
  }
}

}  // namespace
}  // namespace tenon::model
