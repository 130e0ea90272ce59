#include "model/kernels/vector_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

namespace tenon::model {
namespace {

// Each loop against its definition in double, for lengths around those of the processor's vectors.
template <typename T>
class VectorKernelsOf : public ::testing::Test {
 protected:
  static constexpr size_t kLengths[] = {1, 2, 3, 7, 8, 15, 16, 17, 33, 64, 100};
  static constexpr double kError = std::is_same_v<T, float> ? 1e-5 : 1.0 / 128;

  std::vector<float> Numbers(size_t n) {
    std::vector<float> numbers(n);
    for (float& number : numbers) number = static_cast<float>(random_() % 4001) / 1000 - 2;
    return numbers;
  }
  static std::vector<T> Stored(const std::vector<float>& numbers) {
    std::vector<T> stored(numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i) Round(numbers[i], stored[i]);
    return stored;
  }
  static void ExpectNear(double value, double expected) {
    EXPECT_NEAR(value, expected, kError * std::max(1.0, std::abs(expected)));
  }

  const VectorKernels<T> kernels_ = KernelsForThisProcessor<T>();
  std::mt19937 random_{1};
};

using OperandTypes = ::testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(VectorKernelsOf, OperandTypes);

TYPED_TEST(VectorKernelsOf, NormDividesByTheRootOfTheMeanSquare) {
  for (const size_t n : this->kLengths) {
    const auto x = this->Numbers(n), weight = this->Numbers(n);
    double squares = 0;
    for (const float value : x) squares += double{value} * value;
    std::vector<TypeParam> out(n);
    this->kernels_.rms_norm(x.data(), weight.data(), n, 1e-5f, out.data());
    for (size_t i = 0; i < n; ++i)
      this->ExpectNear(ToFloat(out[i]),
                       x[i] * weight[i] / std::sqrt(squares / static_cast<double>(n) + 1e-5));
  }
}

TYPED_TEST(VectorKernelsOf, LayerNormTakesTheMeanAwayFirst) {
  for (const size_t n : this->kLengths) {
    const auto x = this->Numbers(n), weight = this->Numbers(n), bias = this->Numbers(n);
    double sum = 0, squares = 0;
    for (const float value : x) sum += value;
    const double mean = sum / static_cast<double>(n);
    for (const float value : x) squares += (value - mean) * (value - mean);
    const double scale = 1 / std::sqrt(squares / static_cast<double>(n) + 1e-5);
    std::vector<TypeParam> out(n);
    this->kernels_.layer_norm(x.data(), weight.data(), bias.data(), n, 1e-5f, out.data());
    for (size_t i = 0; i < n; ++i)
      this->ExpectNear(ToFloat(out[i]), (x[i] - mean) * scale * weight[i] + bias[i]);
  }
}

TYPED_TEST(VectorKernelsOf, GeluIsTheOneOfTheHyperbolicTangent) {
  for (const size_t n : this->kLengths) {
    auto x = this->Numbers(n);
    x[0] = n % 2 == 0 ? 60.0f : -60.0f;
    std::vector<TypeParam> out(n);
    this->kernels_.gelu(x.data(), n, out.data());
    for (size_t i = 0; i < n; ++i) {
      const double cube = double{x[i]} * x[i] * x[i];
      const double y = std::sqrt(2 / std::acos(-1.0)) * (x[i] + 0.044715 * cube);
      this->ExpectNear(ToFloat(out[i]), 0.5 * x[i] * (1 + std::tanh(y)));
    }
  }
}

TYPED_TEST(VectorKernelsOf, GeluOfTheGateTimesUp) {
  for (const size_t n : this->kLengths) {
    const auto gate = this->Numbers(n), up = this->Numbers(n);
    std::vector<float> gelu(n);
    KernelsForThisProcessor<float>().gelu(gate.data(), n, gelu.data());
    std::vector<TypeParam> out(n);
    this->kernels_.gelu_mul(gate.data(), up.data(), n, out.data());
    for (size_t i = 0; i < n; ++i) this->ExpectNear(ToFloat(out[i]), double{gelu[i]} * up[i]);
  }
}

TYPED_TEST(VectorKernelsOf, SiluOfTheGateTimesUp) {
  for (const size_t n : this->kLengths) {
    const auto gate = this->Numbers(n), up = this->Numbers(n);
    std::vector<TypeParam> out(n);
    this->kernels_.silu_mul(gate.data(), up.data(), n, out.data());
    for (size_t i = 0; i < n; ++i)
      this->ExpectNear(ToFloat(out[i]), gate[i] / (1 + std::exp(-double{gate[i]})) * up[i]);
  }
}

TYPED_TEST(VectorKernelsOf, SoftmaxReturnsTheSumAndLeavesTheDivisionToTheCaller) {
  for (const size_t n : this->kLengths) {
    const auto scores = this->Numbers(n);
    const float largest = *std::max_element(scores.begin(), scores.end());
    std::vector<TypeParam> out(n);
    const float sum = this->kernels_.softmax(scores.data(), n, 0.5f, out.data());
    double expected = 0;
    for (size_t i = 0; i < n; ++i) {
      this->ExpectNear(ToFloat(out[i]), std::exp(0.5 * (double{scores[i]} - largest)));
      expected += ToFloat(out[i]);
    }
    this->ExpectNear(sum, expected);
  }
}

TYPED_TEST(VectorKernelsOf, SoftmaxOfFarApartScoresIsFinite) {
  const std::vector<float> scores = {1e4f, 0, -1e4f};
  std::vector<TypeParam> out(3);
  this->ExpectNear(this->kernels_.softmax(scores.data(), 3, 1, out.data()), 1);
  this->ExpectNear(ToFloat(out[0]), 1);
  this->ExpectNear(ToFloat(out[2]), 0);
}

TYPED_TEST(VectorKernelsOf, LogSumExpIsTheLogarithmOfTheSum) {
  for (const size_t n : this->kLengths) {
    const auto x = this->Numbers(n);
    double sum = 0;
    for (const float value : x) sum += std::exp(double{value});
    EXPECT_NEAR(this->kernels_.log_sum_exp(x.data(), n), std::log(sum), 1e-5);
  }
  const std::vector<float> apart = {1e4f, 0, -1e4f};
  EXPECT_FLOAT_EQ(this->kernels_.log_sum_exp(apart.data(), 3), 1e4f);
}

TYPED_TEST(VectorKernelsOf, ScoresAndWeightedSumsAreProducts) {
  for (const size_t depth : this->kLengths) {
    constexpr size_t kKeys = 5;
    const auto query = this->Numbers(depth);
    const auto keys = this->Stored(this->Numbers(kKeys * depth));
    const auto weights = this->Numbers(kKeys);
    std::vector<float> scores(kKeys), sums(depth, 1.0f);
    this->kernels_.scores(query.data(), keys.data(), kKeys, depth, scores.data());
    this->kernels_.add_weighted(weights.data(), keys.data(), kKeys, depth, sums.data());
    std::vector<double> expected(depth, 1.0);
    for (size_t k = 0; k < kKeys; ++k) {
      double score = 0;
      for (size_t i = 0; i < depth; ++i) {
        score += double{query[i]} * ToFloat(keys[k * depth + i]);
        expected[i] += double{weights[k]} * ToFloat(keys[k * depth + i]);
      }
      EXPECT_NEAR(scores[k], score, 1e-4);
    }
    for (size_t i = 0; i < depth; ++i) EXPECT_NEAR(sums[i], expected[i], 1e-4);
  }
}

TYPED_TEST(VectorKernelsOf, RotatesPairsOfNeighbours) {
  for (const size_t pairs : this->kLengths) {
    const auto x = this->Numbers(2 * pairs), angles = this->Numbers(pairs);
    std::vector<float> cosines(pairs), sines(pairs);
    for (size_t i = 0; i < pairs; ++i) {
      cosines[i] = std::cos(angles[i]);
      sines[i] = std::sin(angles[i]);
    }
    std::vector<TypeParam> out(2 * pairs);
    this->kernels_.rotate(x.data(), cosines.data(), sines.data(), pairs, out.data());
    for (size_t i = 0; i < pairs; ++i) {
      const double a = x[2 * i], b = x[2 * i + 1];
      this->ExpectNear(ToFloat(out[2 * i]), a * cosines[i] - b * sines[i]);
      this->ExpectNear(ToFloat(out[2 * i + 1]), a * sines[i] + b * cosines[i]);
    }
    this->kernels_.rotate_halves(x.data(), cosines.data(), sines.data(), pairs, out.data());
    for (size_t i = 0; i < pairs; ++i) {
      const double a = x[i], b = x[i + pairs];
      this->ExpectNear(ToFloat(out[i]), a * cosines[i] - b * sines[i]);
      this->ExpectNear(ToFloat(out[i + pairs]), a * sines[i] + b * cosines[i]);
    }
  }
}

TYPED_TEST(VectorKernelsOf, RoundScalesAndAddAdds) {
  for (const size_t n : this->kLengths) {
    const auto x = this->Numbers(n), before = this->Numbers(n);
    std::vector<TypeParam> scaled(n);
    this->kernels_.round(x.data(), n, 0.25f, scaled.data());
    std::vector<float> sum = before;
    this->kernels_.add(x.data(), n, sum.data());
    for (size_t i = 0; i < n; ++i) {
      this->ExpectNear(ToFloat(scaled[i]), 0.25 * x[i]);
      EXPECT_EQ(sum[i], before[i] + x[i]);
    }
  }
}

}  // namespace
}  // namespace tenon::model
