#include "model/inference/torch_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/inference/model_family.h"
#include "tests/model/inference/loaded_model.h"
#include "tests/model/inference/naive_forward.h"
#include "tests/model/inference/tiny_adapter.h"

namespace tenon::model {
namespace {

LoadOptions OnTorch(Precision precision = Precision::kAuto) {
  LoadOptions options{2, precision};
  options.engine = Engine::kTorch;
  options.device = Device::kCpu;
  return options;
}

std::vector<float> Naive(const GgufWriter& writer, const std::vector<TokenId>& tokens,
                         const PeftAdapter* adapter = nullptr) {
  const auto bytes = writer.Bytes();
  const GgufFile file = *GgufFile::Parse(bytes, "x.gguf");
  const LlamaConfig config = *ReadLlamaConfig(file);
  const NaiveForward naive(file, config,
                           adapter ? MultipliedOut(*adapter, config) : NaiveForward::Sums());
  const std::vector<double> logits = naive.Logits(tokens);
  return {logits.begin(), logits.end()};
}

TEST(TorchEngine, HasTheLogitsOfANaiveComputationInEachFamily) {
  const auto tokens = SomeTokens(20);
  for (const ModelFamily& family : ModelFamilies()) {
    SCOPED_TRACE(family.name);
    for (const bool in_blocks : {false, true}) {
      const GgufWriter writer =
          TinyModel({.architecture = std::string(family.name), .in_blocks = in_blocks});
      const auto session = Load(writer, OnTorch())->NewSession();
      ExpectNear(*session->Prefill(tokens, {}), Naive(writer, tokens), 1e-4f);
    }
  }
}

TEST(TorchEngine, AgreesWithTheKernelsHoweverATextIsComputed) {
  const auto tokens = SomeTokens(300);
  const auto kernels = Tiny()->NewSession(), torch = Load(TinyModel(), OnTorch())->NewSession();
  ExpectNear(*torch->Prefill(tokens, {}), *kernels->Prefill(tokens, {}), 1e-3f);
  // Another text with the same beginning is a copy of the cache.
  auto other = tokens;
  other.resize(40);
  other.push_back({7});
  ExpectNear(*torch->Prefill(other, {}), *kernels->Prefill(other, {}), 1e-3f);
  const std::vector<TokenId> draft = {{3}, {90}, {14}};
  ExpectNear(*torch->Decode({12}, draft), *kernels->Decode({12}, draft), 1e-3f);
  ExpectNear(*torch->Decode(draft[0]), *kernels->Decode(draft[0]), 1e-3f);
  torch->Truncate(20);
  kernels->Truncate(20);
  ExpectNear(*torch->Decode({200}), *kernels->Decode({200}), 1e-3f);
  // The first text is as it was.
  ExpectNear(*torch->Prefill(tokens, {}), *kernels->Prefill(tokens, {}), 1e-3f);
}

TEST(TorchEngine, AddsAnAdapterToTheWeights) {
  KeepOpenMpInThisThread();
  auto tokens = SomeTokens(20);
  for (const ModelFamily& family : ModelFamilies()) {
    SCOPED_TRACE(family.name);
    const GgufWriter writer = TinyModel({.architecture = std::string(family.name)});
    const auto bytes = writer.Bytes();
    const GgufFile file = *GgufFile::Parse(bytes, "x.gguf");
    LlamaConfig config = *ReadLlamaConfig(file);
    config.threads = 2;
    PeftAdapter adapter = TinyAdapter(config);
    adapter.embedding->tokens[0] = tokens[3];
    const auto engine = LoadTorchEngine(file, config, &adapter, {Device::kCpu});
    ASSERT_TRUE(engine.has_value()) << engine.error().message;
    const auto pass = (*engine)->NewForwardPass(600);
    const auto cache = pass->NewCache();
    pass->Run(*cache, tokens, 0, 1);
    ExpectNear(pass->logits(), Naive(writer, tokens, &adapter), 1e-3f);
  }
}

TEST(TorchEngine, InBFloat16IsNearTheSameInFloats) {
  const auto tokens = SomeTokens(40);
  const auto floats = Copy(*Load(TinyModel(), OnTorch())->NewSession()->Prefill(tokens, {}));
  const auto model = Load(TinyModel(), OnTorch(Precision::kBFloat16));
  EXPECT_EQ(model->config().precision, Precision::kBFloat16);
  const auto halves = Copy(*model->NewSession()->Prefill(tokens, {}));
  const auto [low, high] = std::minmax_element(floats.begin(), floats.end());
  ExpectNear(halves, floats, 0.05f * (*high - *low));
  EXPECT_NE(halves, floats);
}

TEST(TorchEngine, NamesItsDeviceAndHearsOfItsReading) {
  uint64_t read = 0, all = 0;
  LoadOptions options = OnTorch();
  options.on_progress = [&](uint64_t read_bytes, uint64_t all_bytes) {
    EXPECT_LE(read, read_bytes);
    read = read_bytes;
    all = all_bytes;
  };
  const auto model = Load(TinyModel(), options);
  EXPECT_EQ(model->device(), "cpu");
  EXPECT_EQ(Tiny()->device(), "cpu");
  EXPECT_GT(read, 0u);
  EXPECT_EQ(read, all);
  model->KeepPanels();  // it has none
  EXPECT_FALSE(model->found_panels());
}

TEST(TorchEngine, RefusesAGpuThatIsNotThere) {
  LoadOptions options = OnTorch();
  options.device = Device::kCuda;
  const TemporaryModel file(TinyModel());
  const auto model = LlamaModel::Load(file.path(), options);
  if (model) GTEST_SKIP() << "this machine has a GPU: " << (*model)->device();
  EXPECT_EQ(model.error().message,
            file.path() +
                ": this installation's libtorch has no CUDA, or no GPU is there; use the device "
                "'cpu'");
}

TEST(TorchEngine, RefusesAModelThatTheMemoryIsTooSmallFor) {
  LoadOptions options = OnTorch();
  options.available_bytes = 100'000;
  const TemporaryModel file(TinyModel());
  const auto refused = LlamaModel::Load(file.path(), options);
  ASSERT_FALSE(refused.has_value());
  EXPECT_TRUE(refused.error().message.ends_with(
      " MB of memory for the weights, and 0 MB are available; use the engine 'kernels', or a "
      "smaller model"))
      << refused.error().message;
  options.available_bytes = 10'000'000;
  EXPECT_TRUE(LlamaModel::Load(file.path(), options).has_value());
}

TEST(TorchEngine, RefusesWhatTheKernelsRefuse) {
  const auto message = [](const GgufWriter& writer, LoadOptions options) {
    const TemporaryModel file(writer);
    const auto model = LlamaModel::Load(file.path(), options);
    return model ? std::string("loaded") : model.error().message;
  };
  GgufWriter twice = TinyModel();
  twice.Floats("blk.0.unknown.weight", {4}, {1, 2, 3, 4});
  GgufWriter infinite = TinyModel({.layers = 1});
  infinite.Floats("rope_freqs.weight", {4}, {1, INFINITY, 1, 1});
  for (const GgufWriter& writer : {twice, infinite}) {
    const std::string refused = message(writer, OnTorch());
    EXPECT_NE(refused, "loaded");
    EXPECT_EQ(refused, message(writer, {2, Precision::kFloat32}));
  }
}

}  // namespace
}  // namespace tenon::model
