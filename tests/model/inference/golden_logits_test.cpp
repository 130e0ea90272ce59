// The small model's logits against an independent computation (golden/README.md says how it was
// made).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "model/inference/inference.h"
#include "model/kernels/matmul.h"
#include "tests/model/small_model.h"
#include "tests/source_path.h"

namespace tenon::model {
namespace {

struct GoldenPosition {
  uint32_t position = 0;
  std::vector<TokenId> top_ids;
  std::vector<float> top_logits;
  std::vector<float> sampled_logits;  // of ids 0, stride, 2 stride, ...
};

struct GoldenPrompt {
  std::vector<TokenId> tokens;
  std::vector<GoldenPosition> positions;
};

struct Golden {
  uint32_t stride = 1;
  std::vector<GoldenPrompt> prompts;
};

class Reader {
 public:
  explicit Reader(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }
  template <typename T>
  std::vector<T> Take(size_t count) {
    std::vector<T> values(count);
    if (at_ + count * sizeof(T) > bytes_.size()) {
      ADD_FAILURE() << "golden/logits.bin is shorter than it says";
      return values;
    }
    std::memcpy(values.data(), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
    return values;
  }

 private:
  std::vector<char> bytes_;
  size_t at_ = 0;
};

Golden ReadGolden() {
  Reader in(SourcePath("tests/model/golden/logits.bin"));
  const auto header = in.Take<uint32_t>(6);
  Golden golden;
  golden.stride = header[4];
  golden.prompts.resize(header[0]);
  for (GoldenPrompt& prompt : golden.prompts) {
    prompt.tokens = in.Take<TokenId>(header[1]);
    prompt.positions.resize(header[2]);
    for (GoldenPosition& position : prompt.positions) {
      position.position = in.Take<uint32_t>(1)[0];
      position.top_ids = in.Take<TokenId>(header[3]);
      position.top_logits = in.Take<float>(header[3]);
      position.sampled_logits = in.Take<float>(header[5]);
    }
  }
  return golden;
}

struct Difference {
  double largest = 0;
  double sum = 0;
  size_t count = 0;
  size_t clear_positions = 0;  // those whose first token leads by more than 0.5
  size_t wrong_first = 0;      // of them, those where we have another one

  void Compare(std::span<const float> logits, const GoldenPosition& golden, uint32_t stride) {
    const auto add = [&](size_t id, float reference) {
      const double difference = std::abs(static_cast<double>(logits[id]) - reference);
      largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
      sum += difference;
      ++count;
    };
    for (size_t i = 0; i < golden.top_ids.size(); ++i)
      add(golden.top_ids[i].value, golden.top_logits[i]);
    for (size_t i = 0; i < golden.sampled_logits.size(); ++i)
      add(i * stride, golden.sampled_logits[i]);
    if (golden.top_logits[0] - golden.top_logits[1] <= 0.5f) return;
    ++clear_positions;
    const auto first = std::max_element(logits.begin(), logits.end()) - logits.begin();
    wrong_first += first != golden.top_ids[0].value;
  }
};

// Every golden position of the first `prompts` prompts, its last tokens by Decode or all by
// Prefill.
Difference CompareWithGolden(const LoadOptions& options, bool by_decode, size_t prompts = 1000) {
  Difference difference;
  auto model = LlamaModel::Load(SmallModelPath(), options);
  if (!model) {
    ADD_FAILURE() << kRunSetup << "\n" << model.error().message;
    return difference;
  }
  Golden golden = ReadGolden();
  golden.prompts.resize(std::min(prompts, golden.prompts.size()));
  auto session = (*model)->NewSession(512);
  for (const GoldenPrompt& prompt : golden.prompts) {
    const std::span<const TokenId> tokens = prompt.tokens;
    session->Truncate(0);
    for (const GoldenPosition& position : prompt.positions) {
      const size_t wanted = position.position + 1;
      if (by_decode) {
        // One by one over the last stretch, from what Prefill left.
        auto start = session->Prefill(tokens.first(std::max<size_t>(wanted, 4) - 3), {});
        EXPECT_TRUE(start.has_value());
        while (session->tokens().size() < wanted)
          EXPECT_TRUE(session->Decode(tokens[session->tokens().size()]).has_value());
      } else if (wanted == tokens.size()) {
        // The whole prompt at once; until here stretches of all lengths went on from one another.
        session->Truncate(0);
      }
      auto logits = session->Prefill(tokens.first(wanted), {});
      if (!logits) {
        ADD_FAILURE() << logits.error().message;
        return difference;
      }
      difference.Compare(*logits, position, golden.stride);
    }
  }
  EXPECT_GT(difference.count, 20'000 * golden.prompts.size());
  EXPECT_GT(2 * difference.clear_positions, 5 * golden.prompts.size());
  std::printf("largest difference %.6f, mean %.6f, %zu clear positions\n", difference.largest,
              difference.sum / static_cast<double>(difference.count), difference.clear_positions);
  return difference;
}

TEST(GoldenLogits, PrefillInFloat32AgreesToAThousandth) {
  const Difference difference = CompareWithGolden({0, Precision::kFloat32}, false);
  EXPECT_LE(difference.largest, 0.001);
  EXPECT_EQ(difference.wrong_first, 0u);
}

TEST(GoldenLogits, DecodeInFloat32AgreesToAThousandth) {
  const Difference difference = CompareWithGolden({0, Precision::kFloat32}, true);
  EXPECT_LE(difference.largest, 0.001);
  EXPECT_EQ(difference.wrong_first, 0u);
}

TEST(GoldenLogits, TheTorchEngineAgreesToAThousandth) {
  LoadOptions options;
  options.engine = Engine::kTorch;
  options.device = Device::kCpu;
  options.threads = 1;  // those of OpenMP wait for other programs
  const Difference difference = CompareWithGolden(options, false, 2);
  EXPECT_LE(difference.largest, 0.001);
  EXPECT_EQ(difference.wrong_first, 0u);
}

TEST(GoldenLogits, PrefillInBFloat16HasTheSameFirstTokenWhereItIsClear) {
  if (!HasFastBFloat16()) GTEST_SKIP() << "this processor does not multiply bfloat16";
  const Difference difference = CompareWithGolden({0, Precision::kBFloat16}, false);
  EXPECT_EQ(difference.wrong_first, 0u);
  EXPECT_LE(difference.sum, 0.1 * static_cast<double>(difference.count));
}

TEST(GoldenLogits, DecodeInBFloat16HasTheSameFirstTokenWhereItIsClear) {
  if (!HasFastBFloat16()) GTEST_SKIP() << "this processor does not multiply bfloat16";
  const Difference difference = CompareWithGolden({0, Precision::kBFloat16}, true);
  EXPECT_EQ(difference.wrong_first, 0u);
  EXPECT_LE(difference.sum, 0.1 * static_cast<double>(difference.count));
}

}  // namespace
}  // namespace tenon::model
