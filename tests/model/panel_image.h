// Panel files in memory, right ones and wrong ones, for the tests.
//
// The sample: a model's path; tensor blk.0.attn_q.weight with 96 rows of 256 columns in the format
// 7, in two stretches, whose bytes are 1 and 3; blk.1.ffn_down.weight with one, whose bytes are 2.
// Thread rule: one thread; a file of the same name is written by one test at a time.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/file/panel_writer.h"

namespace tenon::model {

inline constexpr const char* kSampleModelPath = "/models/m.gguf";

inline PanelKey SamplePanelKey() { return {11, 22, 33, {44, 55}}; }

// The bytes of a panel file, aligned as a mapping is.
class PanelImage {
 public:
  explicit PanelImage(std::span<const std::byte> bytes) : data_(Room(bytes.size())) {
    size_ = bytes.size();
    if (size_ > 0) std::memcpy(data_.get(), bytes.data(), size_);
  }
  PanelImage(const PanelImage& other) : PanelImage(other.span()) {}
  PanelImage& operator=(const PanelImage&) = delete;

  [[nodiscard]] std::span<const std::byte> span() const { return {data_.get(), size_}; }
  [[nodiscard]] size_t size() const { return size_; }
  std::byte& operator[](size_t at) { return data_.get()[at]; }

  void Append(size_t count) {
    auto longer = Room(size_ + count);
    std::memcpy(longer.get(), data_.get(), size_);
    std::memset(longer.get() + size_, 0, count);
    data_ = std::move(longer);
    size_ += count;
  }
  template <typename Number>
  void Put(size_t at, Number value) {
    std::memcpy(data_.get() + at, &value, sizeof value);
  }
  [[nodiscard]] uint64_t table_bytes() const {
    uint64_t bytes = 0;
    std::memcpy(&bytes, data_.get() + 56, sizeof bytes);
    return bytes;
  }
  // Makes the hash of header and table right.
  void HashHead() { Put(96, HashOfHead(span())); }

 private:
  using Bytes = std::unique_ptr<std::byte, decltype(&std::free)>;
  static Bytes Room(size_t size) {
    const size_t whole = (size / 64 + 1) * 64;
    return {static_cast<std::byte*>(std::aligned_alloc(64, whole)), &std::free};
  }

  Bytes data_;
  size_t size_ = 0;
};

// Two lines of bytes of this value.
inline std::span<const std::byte> SampleData(uint8_t value) {
  static const std::vector<std::byte> kBytes = [] {
    std::vector<std::byte> bytes;
    for (int i = 0; i < 256; ++i) bytes.insert(bytes.end(), 128, static_cast<std::byte>(i));
    return bytes;
  }();
  return std::span(kBytes).subspan(size_t{value} * 128, 128);
}

inline PanelStretch SampleStretch(std::string_view tensor, uint32_t first, uint8_t value) {
  return {tensor, 7, 96, 256, first, 32, SampleData(value)};
}

inline std::vector<PanelStretch> SampleStretches() {
  return {SampleStretch("blk.0.attn_q.weight", 0, 1), SampleStretch("blk.1.ffn_down.weight", 32, 2),
          SampleStretch("blk.0.attn_q.weight", 64, 3)};
}

// A path of the running test's own, without a file.
inline std::string PanelPath() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("tenon_panels_") + test->test_suite_name() + "_" + test->name());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return (folder / "m.gguf.panels").string();
}

inline PanelImage PanelFileOf(const std::vector<PanelStretch>& stretches) {
  const std::string path = PanelPath();
  const auto written = WritePanelFile(path, SamplePanelKey(), kSampleModelPath, stretches);
  EXPECT_TRUE(written) << written.error().message;
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove_all(std::filesystem::path(path).parent_path());
  return PanelImage(std::as_bytes(std::span(text)));
}

inline PanelImage SamplePanelFile() { return PanelFileOf(SampleStretches()); }

}  // namespace tenon::model
