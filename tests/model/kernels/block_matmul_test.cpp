#include "model/kernels/block_matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <random>
#include <vector>

#include "model/file/file.h"

namespace tenon::model {
namespace {

// A format of the kernels, its type in files, and the offsets of the halves (16-bit floats) of a
// block.
struct Case {
  const char* name;
  BlockFormat format;
  TensorType type;
  std::vector<int> halves;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> kCases = {
      {"Q4_0", BlockFormat::kQ4_0, TensorType::kQ4_0, {0}},
      {"Q4_1", BlockFormat::kQ4_1, TensorType::kQ4_1, {0, 2}},
      {"Q5_0", BlockFormat::kQ5_0, TensorType::kQ5_0, {0}},
      {"Q5_1", BlockFormat::kQ5_1, TensorType::kQ5_1, {0, 2}},
      {"Q8_0", BlockFormat::kQ8_0, TensorType::kQ8_0, {0}},
      {"Q2_K", BlockFormat::kQ2_K, TensorType::kQ2_K, {80, 82}},
      {"Q3_K", BlockFormat::kQ3_K, TensorType::kQ3_K, {108}},
      {"Q4_K", BlockFormat::kQ4_K, TensorType::kQ4_K, {0, 2}},
      {"Q5_K", BlockFormat::kQ5_K, TensorType::kQ5_K, {0, 2}},
      {"Q6_K", BlockFormat::kQ6_K, TensorType::kQ6_K, {208}},
      {"IQ4_NL", BlockFormat::kIq4Nl, TensorType::kIQ4_NL, {0}},
      {"IQ4_XS", BlockFormat::kIq4Xs, TensorType::kIQ4_XS, {0}},
  };
  return kCases;
}

constexpr uint16_t kHalfOfOneHundredth = 0x211f;

// A matrix of random blocks whose scales are about 0.01, in both views of its bytes.
struct RandomMatrix {
  RandomMatrix(const Case& of, int rows, int columns, std::mt19937& random) {
    const BlockSize size = SizeOf(of.format);
    const size_t row_bytes = static_cast<size_t>(columns) / size.values * size.bytes;
    bytes.resize(row_bytes * rows);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    for (size_t block = 0; block < bytes.size(); block += size.bytes) {
      for (const int at : of.halves) {
        const auto half = static_cast<uint16_t>(kHalfOfOneHundredth + random() % 512);
        bytes[block + at] = static_cast<std::byte>(half & 255);
        bytes[block + at + 1] = static_cast<std::byte>(half >> 8);
      }
    }
    matrix = {of.format, rows, columns, row_bytes, bytes.data()};
    tensor.type = of.type;
    tensor.dims = {static_cast<uint64_t>(columns), static_cast<uint64_t>(rows)};
    tensor.data = bytes;
  }
  std::vector<std::byte> bytes;
  BlockMatrix matrix;
  GgufTensor tensor;
};

ActivationRows RandomRows(int rows, int columns, ActivationForm form, unsigned seed) {
  std::mt19937 random(seed);
  ActivationRows x;
  x.Resize(rows, columns, form);
  std::vector<float> row(columns);
  for (int i = 0; i < rows; ++i) {
    for (float& value : row) value = static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
    x.Write(i, row.data());
  }
  return x;
}

// x[i] * W[r] in double, of the values that ActivationRows and DequantizeRows say.
double Exact(const ActivationRows& x, int i, const GgufTensor& w, int r, double* size) {
  std::vector<float> row(w.columns());
  DequantizeRows(w, static_cast<uint64_t>(r), row);
  double sum = 0;
  for (size_t k = 0; k < row.size(); ++k) {
    const auto group = static_cast<int>(k / ActivationRows::kGroup);
    const int chunk = group / ActivationRows::kGroups, at = group % ActivationRows::kGroups;
    const size_t in_chunk = k % (ActivationRows::kGroups * ActivationRows::kGroup);
    const double number = x.form() == ActivationForm::kBytes
                              ? double{x.scales(chunk, i)[at]} * x.values(chunk, i)[in_chunk]
                              : double{ToFloat(x.numbers(chunk, i)[in_chunk])};
    const double product = row[k] * number;
    sum += product;
    *size += std::abs(product);
  }
  return sum;
}

// Rows [first, first + count) of a matrix in panels.
struct Panels {
  Panels(const BlockMatrix& of, int first, int count)
      : bytes(static_cast<uint8_t*>(
            std::aligned_alloc(PanelMatrix::kAlignment, PanelBytes(of.format, count, of.columns)))),
        matrix(PackPanels(of, first, count, bytes.get())) {}
  struct Free {
    void operator()(uint8_t* at) const { std::free(at); }
  };
  std::unique_ptr<uint8_t[], Free> bytes;
  PanelMatrix matrix;
};

// The kernels of a kind of processor for activations of one form.
struct Way {
  ProcessorKind kind;
  ActivationForm form;
  // Of the sum of the products' sizes: floats are added in some order, weights are rounded to
  // bfloat16.
  double error() const { return form == ActivationForm::kBytes ? 1e-5 : 1.0 / 256; }
};

std::ostream& operator<<(std::ostream& out, const Way& way) {
  return out << "kind " << static_cast<int>(way.kind)
             << (way.form == ActivationForm::kBytes ? ", bytes" : ", bfloat16");
}

std::vector<Way> Ways() {
  std::vector<Way> ways;
  for (const ProcessorKind kind :
       {ProcessorKind::kPlain, ProcessorKind::kAvx2, ProcessorKind::kVnni, ProcessorKind::kAmx}) {
    if (kind <= ThisProcessor()) ways.push_back({kind, ActivationForm::kBytes});
  }
  if (ThisProcessor() == ProcessorKind::kAmx)
    ways.push_back({ProcessorKind::kAmx, ActivationForm::kBFloat16});
  return ways;
}

class BlockProducts : public ::testing::TestWithParam<Case> {};

TEST_P(BlockProducts, AreThoseOfTheDequantizedRows) {
  std::mt19937 random(7);
  const int block = SizeOf(GetParam().format).values;
  // Columns: whole chunks of 256, and a chunk that is begun. Rows: one panel and some of another.
  for (const int columns : {block, 512, 7 * block}) {
    constexpr int kRows = 21, kRowsOfX = 19, kFirst = 2, kStride = 24;
    const RandomMatrix w(GetParam(), kRows, columns, random);
    const Panels panels(w.matrix, kFirst, kRows - kFirst);
    for (const Way& way : Ways()) {
      const ActivationRows x = RandomRows(kRowsOfX, columns, way.form, 17);
      const BlockMatmul matmul(way.kind);
      for (const int m : {1, 2, 3, 4, 5, 8, 9, 16, kRowsOfX}) {
        std::vector<float> y(static_cast<size_t>(m) * kStride, NAN);
        matmul.Multiply(panels.matrix, x, {0, m}, y.data(), kStride);
        for (int i = 0; i < m; ++i) {
          for (int r = 0; r < kRows - kFirst; ++r) {
            double size = 0;
            const double exact = Exact(x, i, w.tensor, kFirst + r, &size);
            ASSERT_NEAR(y[i * kStride + r], exact, way.error() * size + 1e-6)
                << columns << " columns, " << m << " rows, " << way << ", row " << i << ", output "
                << r;
          }
          ASSERT_TRUE(std::isnan(y[i * kStride + kRows - kFirst])) << "wrote beyond its rows";
        }
      }
    }
  }
}

TEST_P(BlockProducts, OfARowAreTheSameWhateverTheOtherRowsAre) {
  std::mt19937 random(8);
  constexpr int kRows = 83, kRowsOfX = 70;  // two pairs of panels, a panel, three rows
  const int columns = 11 * SizeOf(GetParam().format).values;
  const RandomMatrix w(GetParam(), kRows, columns, random);
  const Panels panels(w.matrix, 0, kRows);
  for (const Way& way : Ways()) {
    const ActivationRows x = RandomRows(kRowsOfX, columns, way.form, 18);
    const BlockMatmul matmul(way.kind);
    std::vector<float> all(kRowsOfX * kRows);
    matmul.Multiply(panels.matrix, x, {0, kRowsOfX}, all.data(), kRows);
    for (const int m : {1, 2, 6, 8, 9, 32, 33}) {
      std::vector<float> y(static_cast<size_t>(m) * kRows);
      matmul.Multiply(panels.matrix, x, {0, m}, y.data(), kRows);
      EXPECT_TRUE(std::equal(y.begin(), y.end(), all.begin())) << m << " rows, " << way;
    }
    constexpr int kFrom = 5, kCount = 18;
    std::vector<float> y(static_cast<size_t>(kCount) * kRows);
    matmul.Multiply(panels.matrix, x, {kFrom, kCount}, y.data(), kRows);
    EXPECT_TRUE(std::equal(y.begin(), y.end(), all.begin() + kFrom * kRows)) << way;
  }
}

TEST_P(BlockProducts, OfLaterRowsAreAddedWhereThatIsAskedFor) {
  std::mt19937 random(10);
  constexpr int kRows = 37, kRowsOfX = 21, kFirst = 3, kStride = 40;
  const int columns = 9 * SizeOf(GetParam().format).values;
  const RandomMatrix w(GetParam(), kRows, columns, random);
  const Panels panels(w.matrix, 0, kRows);
  for (const Way& way : Ways()) {
    const ActivationRows x = RandomRows(kRowsOfX, columns, way.form, 19);
    const BlockMatmul matmul(way.kind);
    std::vector<float> all(kRowsOfX * kStride), y((kRowsOfX - kFirst) * kStride, 100.0f);
    matmul.Multiply(panels.matrix, x, {0, kRowsOfX}, all.data(), kStride);
    matmul.Multiply(panels.matrix, x, {kFirst, kRowsOfX - kFirst}, y.data(), kStride,
                    BlockMatmul::Into::kAdd);
    for (int i = 0; i < kRowsOfX - kFirst; ++i) {
      for (int r = 0; r < kStride; ++r) {
        const float added = r < kRows ? all[(kFirst + i) * kStride + r] : 0;
        EXPECT_NEAR(y[i * kStride + r], 100 + added, 1e-4f * (100 + std::abs(added))) << i << r;
      }
    }
  }
}

// Weights and activations of the greatest size, all of one sign: sums of 16 bits are at their
// limit.
TEST_P(BlockProducts, HoldTheGreatestSums) {
  const BlockSize size = SizeOf(GetParam().format);
  std::mt19937 random(9);
  constexpr int kRows = 8, kRowsOfX = 9;
  RandomMatrix w(GetParam(), kRows, 512, random);
  for (const int fill : {0x00, 0x7f, 0x80, 0xff}) {
    for (size_t block = 0; block < w.bytes.size(); block += size.bytes) {
      for (int at = 0; at < size.bytes; ++at) {
        bool of_half = false;
        for (const int half : GetParam().halves) of_half |= at == half || at == half + 1;
        if (!of_half) w.bytes[block + at] = static_cast<std::byte>(fill);
      }
    }
    const Panels panels(w.matrix, 0, kRows);
    for (const float sign : {1.0f, -1.0f}) {
      for (const Way& way : Ways()) {
        ActivationRows x;
        x.Resize(kRowsOfX, 512, way.form);
        const std::vector<float> row(512, sign);
        for (int i = 0; i < kRowsOfX; ++i) x.Write(i, row.data());
        for (const int m : {1, kRowsOfX}) {
          std::vector<float> y(static_cast<size_t>(m) * kRows);
          BlockMatmul(way.kind).Multiply(panels.matrix, x, {0, m}, y.data(), kRows);
          double size_of_sum = 0;
          const double exact = Exact(x, m - 1, w.tensor, 3, &size_of_sum);
          EXPECT_NEAR(y[(m - 1) * kRows + 3], exact, way.error() * size_of_sum + 1e-6)
              << "bytes " << fill << ", " << way;
        }
      }
    }
  }
}

TEST(BlockMatmul, TakesManyRowsInBFloat16WhereTheProcessorHasMatrixRegisters) {
  for (const ProcessorKind kind : {ProcessorKind::kPlain, ProcessorKind::kVnni}) {
    if (kind <= ThisProcessor()) {
      EXPECT_EQ(BlockMatmul(kind).FormFor(256), ActivationForm::kBytes);
    }
  }
  if (ThisProcessor() < ProcessorKind::kAmx) GTEST_SKIP() << "no matrix registers";
  const BlockMatmul matmul;
  EXPECT_EQ(matmul.FormFor(256), ActivationForm::kBFloat16);
  // Tokens that are drawn, and drafts, have the numbers of every other processor.
  for (const int rows : {1, 8, 32}) EXPECT_EQ(matmul.FormFor(rows), ActivationForm::kBytes);
}

INSTANTIATE_TEST_SUITE_P(AllFormats, BlockProducts, ::testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tenon::model
