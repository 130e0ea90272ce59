// A GGUF model file, read: metadata (key -> value) and tensors (name -> shape and bytes).
//
// GGUF is the format of llama.cpp. One file holds the whole model: its kind, its sizes, its
// vocabulary and its weights. In order of bytes, all numbers little-endian:
//
//   0    "GGUF", version (u32), number of tensors (u64), number of metadata values (u64)
//   24   metadata values, each: key, type (u32), value     a text is its length (u64) and its bytes
//        tensor entries, each: name, number of dimensions (u32), dimensions (u64 each), type (u32),
//          offset in the data (u64)
//        zeros up to a multiple of the alignment (general.alignment, 32 unless given)
//        the data of the tensors
//
// Example: the small model's file has the metadata "llama.block_count" -> 30 and, for each of
// the 30 layers, tensors such as "blk.0.attn_q.weight" -> Q8_0, dimensions {576, 576}.
//
// Source: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3.
// Where we differ: arrays of arrays are refused (no model uses them), and so are tensor types that
// tensor_type.h does not list; the error names the type.
//
// Trust: a file comes from anywhere. Each count is compared with the bytes that are left before
// anything is allocated, each sum is checked for overflow, and an error names the byte offset.
// Metadata and table have at most 128 MiB.
// Cost: the file is mapped, not read; parsing 50,000 tokens and merges takes about 3 ms.
// Thread rule: immutable after Open; read from any thread. Views are valid while the GgufFile
// lives.
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

#include "model/file/tensor_type.h"
#include "model/model_error.h"

namespace tenon::model {

struct GgufTensor {
  std::string_view name;
  TensorType type = TensorType::kF32;
  // In the file's order, the fastest-running dimension first: {columns, rows, ...}. 1 to 4 of
  // them, none zero.
  std::vector<uint64_t> dims;
  // The whole tensor: rows() * row_bytes() bytes.
  std::span<const std::byte> data;

  uint64_t columns() const { return dims[0]; }
  // The product of all dimensions but the first.
  uint64_t rows() const;
  uint64_t elements() const { return columns() * rows(); }
  uint64_t row_bytes() const;
};

// A value of the metadata. Integers of every width become int64 (2^63 and above is refused),
// floats of both widths double.
using GgufValue = std::variant<int64_t, double, bool, std::string_view, std::vector<int64_t>,
                               std::vector<double>, std::vector<std::string_view>>;

class GgufFile {
 public:
  // Maps and parses a file. Errors: kFile, it cannot be opened or mapped; kFormat, it is damaged;
  // kUnsupported, it is no GGUF file or uses something that tenon does not read.
  static tl::expected<GgufFile, ModelError> Open(const std::string& path);
  // Parses bytes that the caller keeps alive; messages give `name` as the path. Errors: as of
  // Open.
  static tl::expected<GgufFile, ModelError> Parse(std::span<const std::byte> bytes,
                                                  std::string name);
  // A model that is stored otherwise, with the tensors' names as a GGUF file has them, and without
  // metadata. `memory` keeps names and data. REQUIRES: the data of each tensor has the size that
  // its dimensions and type need.
  static GgufFile OfTensors(std::string path, std::shared_ptr<const void> memory,
                            std::vector<GgufTensor> tensors);

  // The same file with other tensors, views of the data of its own, whose names `names` keeps.
  // REQUIRES: as of OfTensors.
  GgufFile WithTensors(std::shared_ptr<const void> names, std::vector<GgufTensor> tensors) const;

  // The value of the key. Nothing (or nullptr) where the key is missing or holds another kind.
  std::optional<int64_t> Integer(std::string_view key) const;
  std::optional<double> Real(std::string_view key) const;
  std::optional<bool> Bool(std::string_view key) const;
  std::optional<std::string_view> String(std::string_view key) const;
  const std::vector<std::string_view>* Strings(std::string_view key) const;
  const std::vector<int64_t>* Integers(std::string_view key) const;
  const std::vector<double>* Reals(std::string_view key) const;

  const std::vector<GgufTensor>& tensors() const { return tensors_; }
  // nullptr where the file has no such tensor.
  const GgufTensor* FindTensor(std::string_view name) const;
  const std::string& path() const { return path_; }
  // Of the file, or of all tensors of OfTensors.
  uint64_t size_bytes() const;
  // The whole file; none of OfTensors.
  std::span<const std::byte> bytes() const { return bytes_; }
  // When the file was written to last, in nanoseconds since 1970; 0 unless it was opened by Open.
  int64_t changed_ns() const { return changed_ns_; }
  // Takes the pages of a tensor's bytes out of this process's memory, as after a copy of it. They
  // are read again where they are used again.
  void ForgetPages(const GgufTensor& tensor) const;

 private:
  GgufFile() = default;
  void SetTensors(std::vector<GgufTensor> tensors);

  std::string path_;
  // The mapping or mappings, shared by all copies of this object; empty after Parse.
  std::shared_ptr<const void> mapping_;
  std::shared_ptr<const void> names_;  // of WithTensors
  std::span<const std::byte> bytes_;   // empty after OfTensors
  int64_t changed_ns_ = 0;
  std::map<std::string_view, GgufValue> values_;
  std::vector<GgufTensor> tensors_;
  // Name -> index in tensors_.
  std::map<std::string_view, size_t> tensor_index_;
};

// An error about the file: the message begins with the file's path.
tl::unexpected<ModelError> Refuse(const GgufFile& file, ModelErrorCode code,
                                  const std::string& what);

}  // namespace tenon::model
