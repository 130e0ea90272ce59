#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "model/llama.h"
#include "model/model_info.h"
#include "tests/model/tiny_model.h"

namespace tenon::model {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A file that lives as long as the test.
class TemporaryModel {
 public:
  explicit TemporaryModel(const GgufWriter& writer)
      : path_(::testing::TempDir() + "/tenon_" + ::testing::UnitTest::GetInstance()->current_test_info()->name() +
              ".gguf") {
    const auto bytes = writer.Bytes();
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  ~TemporaryModel() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::shared_ptr<const LlamaModel> Load(const GgufWriter& writer, LoadOptions options) {
  const TemporaryModel file(writer);
  auto model = LlamaModel::Load(file.path(), options);
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return *model;
}

std::shared_ptr<const LlamaModel> Tiny(int threads = 2) { return Load(TinyModel(), {threads, Precision::kFloat32}); }

std::vector<TokenId> SomeTokens(int n, int from = 0) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < n; ++i) tokens.push_back((from + i * 37) % 260);
  return tokens;
}

std::vector<float> Copy(std::span<const float> logits) { return {logits.begin(), logits.end()}; }

void ExpectNear(std::span<const float> a, std::span<const float> b, float tolerance) {
  ASSERT_EQ(a.size(), b.size());
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::isnan(a[i]) ? INFINITY : std::abs(a[i] - b[i]));
  EXPECT_LE(largest, tolerance);
}

TEST(Session, StretchesOfEveryLengthGiveTheSameLogits) {
  const auto model = Tiny();
  const auto tokens = SomeTokens(540);
  const auto whole = model->NewSession();
  const std::vector<float> reference = Copy(*whole->Prefill(tokens, {}));
  for (const size_t first : {1, 2, 3, 8, 9, 31, 200, 255, 256, 257, 539}) {
    const auto session = model->NewSession();
    ASSERT_TRUE(session->Prefill(std::span(tokens).first(first), {}).has_value());
    const auto logits = session->Prefill(tokens, {});
    ASSERT_TRUE(logits.has_value());
    EXPECT_EQ(session->last_prefill_tokens(), static_cast<int>(tokens.size() - first));
    ExpectNear(*logits, reference, 1e-4f);
  }
}

TEST(Session, DecodeGivesWhatPrefillGives) {
  const auto model = Tiny();
  const auto tokens = SomeTokens(40);
  const auto one_by_one = model->NewSession(), at_once = model->NewSession();
  for (size_t n = 1; n <= tokens.size(); ++n) {
    const auto decoded = one_by_one->Decode(tokens[n - 1]);
    at_once->Truncate(0);
    const auto prefilled = at_once->Prefill(std::span(tokens).first(n), {});
    ASSERT_TRUE(decoded.has_value() && prefilled.has_value());
    ExpectNear(*decoded, *prefilled, 1e-4f);
  }
  EXPECT_EQ(one_by_one->tokens(), tokens);
}

TEST(Session, ThreadsDoNotChangeTheLogits) {
  const auto tokens = SomeTokens(100);
  const auto reference_session = Tiny(1)->NewSession();
  const std::vector<float> reference = Copy(*reference_session->Prefill(tokens, {}));
  for (const int threads : {2, 3, 7}) {
    const auto session = Tiny(threads)->NewSession();
    ExpectNear(*session->Prefill(tokens, {}), reference, 1e-4f);
  }
}

TEST(Session, AChangedPromptReusesWhatIsCommon) {
  const auto model = Tiny();
  const auto session = model->NewSession(), fresh = model->NewSession();
  auto tokens = SomeTokens(60);
  ASSERT_TRUE(session->Prefill(tokens, {}).has_value());
  tokens[50] = 5;
  tokens.resize(55);
  const auto changed = session->Prefill(tokens, {});
  EXPECT_EQ(session->last_prefill_tokens(), 5);
  ExpectNear(*changed, *fresh->Prefill(tokens, {}), 1e-4f);
  // The same again: nothing to do. A part of it: only its last token.
  const std::vector<float> before = Copy(*changed);
  ExpectNear(*session->Prefill(tokens, {}), before, 0);
  EXPECT_EQ(session->last_prefill_tokens(), 0);
  ASSERT_TRUE(session->Prefill(std::span(tokens).first(20), {}).has_value());
  EXPECT_EQ(session->last_prefill_tokens(), 1);
  EXPECT_EQ(session->tokens().size(), 20u);
}

TEST(Session, TruncateForgets) {
  const auto model = Tiny();
  const auto session = model->NewSession();
  const auto tokens = SomeTokens(30);
  const std::vector<float> reference = Copy(*session->Prefill(tokens, {}));
  ASSERT_TRUE(session->Decode(3).has_value());
  session->Truncate(29);
  ExpectNear(*session->Decode(tokens[29]), reference, 1e-4f);
}

TEST(Session, MoreThanItHoldsIsRefused) {
  const auto session = Tiny()->NewSession(10);
  EXPECT_EQ(session->Prefill(SomeTokens(11), {}).error().code, ModelErrorCode::kTooLong);
  ASSERT_TRUE(session->Prefill(SomeTokens(10), {}).has_value());
  EXPECT_EQ(session->Decode(1).error().code, ModelErrorCode::kTooLong);
  EXPECT_EQ(session->tokens().size(), 10u);
}

TEST(Session, ATokenOutsideTheVocabularyIsRefused) {
  const auto session = Tiny()->NewSession();
  for (const TokenId token : {-1, 100000}) EXPECT_EQ(session->Decode(token).error().code, ModelErrorCode::kFormat);
  EXPECT_TRUE(session->tokens().empty());
}

TEST(Session, ACancelledPrefillKeepsWhatIsWholeAndCanGoOn) {
  const auto model = Tiny();
  const auto session = model->NewSession(), fresh = model->NewSession();
  std::stop_source stop;
  stop.request_stop();
  const auto tokens = SomeTokens(300);
  ASSERT_TRUE(session->Prefill(std::span(tokens).first(100), {}).has_value());
  EXPECT_EQ(session->Prefill(tokens, stop.get_token()).error().code, ModelErrorCode::kCancelled);
  EXPECT_EQ(session->tokens().size(), 100u);
  ExpectNear(*session->Prefill(tokens, {}), *fresh->Prefill(tokens, {}), 1e-4f);
}

TEST(Session, TwoSessionsOfAModelRunAtOnce) {
  const auto model = Tiny();
  const auto tokens = SomeTokens(200);
  const auto reference_session = model->NewSession();
  const std::vector<float> reference = Copy(*reference_session->Prefill(tokens, {}));
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        const auto session = model->NewSession();
        ExpectNear(*session->Prefill(tokens, {}), reference, 1e-4f);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Session, BFloat16StaysCloseToFloat32WhereTheProcessorHasIt) {
  const auto model = Load(TinyModel(), {2, Precision::kAuto});
  const auto exact = Tiny();
  const auto session = model->NewSession(), exact_session = exact->NewSession();
  ExpectNear(*session->Prefill(SomeTokens(100), {}), *exact_session->Prefill(SomeTokens(100), {}), 0.3f);
}

TEST(LlamaModel, RunsShapesThatDoNotDivideEvenly) {
  for (const auto& [width, heads, kv_heads, feed_forward] :
       {std::tuple{20u, 2u, 1u, 34u}, std::tuple{36u, 6u, 6u, 50u}, std::tuple{24u, 4u, 2u, 17u}}) {
    TinyShape shape;
    shape.width = width;
    shape.heads = heads;
    shape.kv_heads = kv_heads;
    shape.feed_forward = feed_forward;
    const auto one = Load(TinyModel(shape), {1, Precision::kFloat32}),
               three = Load(TinyModel(shape), {3, Precision::kFloat32});
    const auto a = one->NewSession(), b = three->NewSession();
    ExpectNear(*a->Prefill(SomeTokens(70), {}), *b->Prefill(SomeTokens(70), {}), 1e-4f);
    ExpectNear(*a->Decode(7), *b->Decode(7), 1e-4f);
  }
}

std::string LoadError(const GgufWriter& writer) {
  const TemporaryModel file(writer);
  const auto model = LlamaModel::Load(file.path(), {1, Precision::kFloat32});
  return model ? "" : model.error().message;
}

TEST(LlamaModel, NamesWhatAFileLacks) {
  EXPECT_THAT(LoadError(GgufWriter()), HasSubstr("general.architecture is missing"));
  EXPECT_THAT(LoadError(GgufWriter().Text("general.architecture", "mamba")), HasSubstr("architecture 'mamba'"));
  EXPECT_THAT(LoadError(TinyModel({}, false)), HasSubstr("llama.block_count is missing"));
  EXPECT_THAT(LoadError(TinyModel().Floats("blk.0.attn_q.bias", {32}, std::vector<float>(32))),
              HasSubstr("tensor blk.0.attn_q.bias is no part"));
  EXPECT_THAT(LoadError(TinyModel().Text("llama.rope.scaling.type", "yarn")), HasSubstr("'yarn'"));
  TinyShape shape;
  shape.layers = 0;
  EXPECT_THAT(LoadError(TinyModel(shape)), HasSubstr("llama.block_count is 0"));
}

TEST(LlamaModel, NamesATensorThatIsMissingOrHasTheWrongShape) {
  const auto file_with = [](uint32_t layers, uint32_t feed_forward) {
    GgufWriter writer;
    writer.Text("general.architecture", "llama").Unsigned("llama.block_count", layers);
    writer.Unsigned("llama.embedding_length", 4).Unsigned("llama.feed_forward_length", feed_forward);
    writer.Unsigned("llama.attention.head_count", 2).Unsigned("llama.context_length", 10);
    writer.Real("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    AddTinyTokenizer(writer, {});
    writer.Floats("token_embd.weight", {4, TinyVocabulary({})}, std::vector<float>(4 * TinyVocabulary({})));
    return writer;
  };
  EXPECT_THAT(LoadError(file_with(1, 8)), HasSubstr("tensor output_norm.weight is missing"));
  EXPECT_THAT(LoadError(file_with(1, 8).Floats("output_norm.weight", {3}, {1, 1, 1})),
              HasSubstr("tensor output_norm.weight is 1 x 3, the metadata needs 1 x 4"));
  EXPECT_THAT(LoadError(file_with(1 << 23, 8)), HasSubstr("8388608 layers, but 1 tensors"));
  EXPECT_THAT(LoadError(file_with(1, 1u << 30)), HasSubstr("llama.feed_forward_length"));
}

TEST(ModelInfo, SaysWhatAFileHoldsAndWhetherItRuns) {
  const TemporaryModel file(TinyModel());
  const auto info = ReadModelInfo(file.path());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  EXPECT_TRUE(info->runs);
  EXPECT_EQ(info->layers, 2);
  EXPECT_EQ(info->vocabulary, 264);
  EXPECT_EQ(info->fim_format, "right-context-first");
  EXPECT_THAT(DescribeModel(*info), AllOf(HasSubstr("gpt2 (smollm), 264 tokens"), HasSubstr("runs          yes")));
}

TEST(ModelInfo, SaysWhyAFileDoesNotRun) {
  const TemporaryModel file(TinyModel({}, false));
  const auto info = ReadModelInfo(file.path());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  EXPECT_FALSE(info->runs);
  EXPECT_THAT(DescribeModel(*info), HasSubstr("no: "));
  EXPECT_THAT(info->why_not, HasSubstr("llama.block_count is missing"));
}

}  // namespace
}  // namespace tenon::model
