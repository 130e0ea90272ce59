// A GGUF model file, read: metadata (key -> value) and a table of tensors, the bytes mapped into memory.
//
//   file = "GGUF" version(u32) n_tensors(u64) n_values(u64) value* tensor_info* padding data
//
// Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3, little-endian.
// Where we differ: arrays of arrays are refused (no model uses them), and only tensor types that
// Dequantize knows are accepted; the others are refused by name.
//
// Files come from anywhere and are not trusted: each count is held against the bytes that are left before
// anything is allocated, each sum is checked for overflow, and an error says at which byte offset what was
// wrong. Cost: the file is mapped, not read; parsing 50,000 tokens and merges takes about 3 ms.
// Thread rule: immutable after Open; read from any thread. Views are valid as long as the GgufFile lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "model/model_error.h"

namespace tenon::model {

enum class TensorType : uint32_t { kF32 = 0, kF16 = 1, kQ4_0 = 2, kQ4_1 = 3, kQ8_0 = 8, kBF16 = 30 };

// How a type is stored: blocks of `block_elements` values in `block_bytes` bytes.
struct TensorLayout {
  const char* name = "";
  uint64_t block_elements = 0;
  uint64_t block_bytes = 0;
};
TensorLayout LayoutOf(TensorType type);

struct GgufTensor {
  std::string_view name;
  TensorType type = TensorType::kF32;
  // Fastest-running dimension first, as in the file: {columns, rows, ...}; 1 to 4 of them, none zero.
  std::vector<uint64_t> dims;
  // The tensor's bytes, whole: rows() * row_bytes() of them.
  std::span<const std::byte> data;

  uint64_t columns() const { return dims[0]; }
  uint64_t rows() const;
  uint64_t elements() const { return columns() * rows(); }
  uint64_t row_bytes() const;
};

// A value of the metadata. Integers of every width become int64 (u64 above 2^63 is refused), floats double.
using GgufValue = std::variant<int64_t, double, bool, std::string_view, std::vector<int64_t>, std::vector<double>,
                               std::vector<std::string_view>>;

class GgufFile {
 public:
  // Maps and parses a file.
  static tl::expected<GgufFile, ModelError> Open(const std::string& path);
  // Parses bytes that the caller keeps alive; `name` stands for the path in messages.
  static tl::expected<GgufFile, ModelError> Parse(std::span<const std::byte> bytes, std::string name);

  // The value if the key is there and holds that kind, else nothing.
  std::optional<int64_t> Integer(std::string_view key) const;
  std::optional<double> Real(std::string_view key) const;
  std::optional<bool> Bool(std::string_view key) const;
  std::optional<std::string_view> String(std::string_view key) const;
  const std::vector<std::string_view>* Strings(std::string_view key) const;
  const std::vector<int64_t>* Integers(std::string_view key) const;

  const std::map<std::string_view, GgufValue>& values() const { return values_; }
  const std::vector<GgufTensor>& tensors() const { return tensors_; }
  // nullptr: the file has no such tensor.
  const GgufTensor* FindTensor(std::string_view name) const;
  const std::string& path() const { return path_; }
  uint64_t size_bytes() const { return bytes_.size(); }

 private:
  GgufFile() = default;

  std::string path_;
  // Keeps the mapping while a copy of this object lives; empty after Parse.
  std::shared_ptr<const void> mapping_;
  std::span<const std::byte> bytes_;
  std::map<std::string_view, GgufValue> values_;
  std::vector<GgufTensor> tensors_;
  std::map<std::string_view, size_t> tensor_index_;
};

}  // namespace tenon::model
