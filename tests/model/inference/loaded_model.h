// The tiny model of tests/model/tiny_model.h, loaded from a file, and texts and comparisons for
// it.
//
// Thread rule: one test of a name at a time (the file is named after the test).
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/inference/inference.h"
#include "tests/model/tiny_model.h"

namespace tenon::model {

// A model file that exists as long as this object.
class TemporaryModel {
 public:
  explicit TemporaryModel(const GgufWriter& writer)
      : path_(::testing::TempDir() + "/tenon_" +
              ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".gguf") {
    const auto bytes = writer.Bytes();
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ~TemporaryModel() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::shared_ptr<const LlamaModel> Load(const GgufWriter& writer, LoadOptions options) {
  const TemporaryModel file(writer);
  auto model = LlamaModel::Load(file.path(), options);
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return *model;
}

inline std::shared_ptr<const LlamaModel> Tiny(int threads = 2) {
  return Load(TinyModel(), {threads, Precision::kFloat32});
}

inline std::vector<TokenId> SomeTokens(uint32_t n, uint32_t from = 0) {
  std::vector<TokenId> tokens;
  for (uint32_t i = 0; i < n; ++i) tokens.push_back({(from + i * 37) % 260});
  return tokens;
}

inline std::vector<float> Copy(std::span<const float> logits) {
  return {logits.begin(), logits.end()};
}

inline void ExpectNear(std::span<const float> a, std::span<const float> b, float tolerance) {
  ASSERT_EQ(a.size(), b.size());
  float largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::isnan(a[i]) ? INFINITY : std::abs(a[i] - b[i]));
  EXPECT_LE(largest, tolerance);
}

}  // namespace tenon::model
