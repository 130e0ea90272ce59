// A safetensors file, read: tensors (name -> type, shape and bytes) and a few texts.
//
// Safetensors is the format in which Hugging Face's libraries store weights. In order of bytes:
//
//   0      length N of the header (u64, little-endian)
//   8      the header: N bytes of JSON, blanks at its end allowed
//            {"__metadata__": {"format": "pt"},
//             "NAME": {"dtype": "F16", "shape": [16, 576], "data_offsets": [0, 18432]}, ...}
//   8 + N  the data: tensor after tensor without gaps, each row by row, little-endian
//
// Example: with the header above, Find("NAME") has shape {16, 576} and the data's first 18432
// bytes, and ToFloats gives its 9216 values.
//
// Source: https://github.com/huggingface/safetensors (README.md, "Format"). In symbols: the spans
// [begin, end) of the tensors, sorted, cut [0, size of the data) into parts without gap or overlap,
// and end - begin = bytes of dtype * product of shape. A scalar has the shape {}; a dimension may
// be zero.
// Where we differ: dtypes other than F32, F16 and BF16 are refused, and a header above 16 MiB.
//
// Trust: a file comes from anywhere. Each length, offset and product is checked before it is used.
// Cost: the file is mapped, not read; the header is parsed, about 100 MB/s.
// Thread rule: immutable after Open; read from any thread. Views are valid while the
// SafetensorsFile lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/tensor_type.h"
#include "model/model_error.h"

namespace tenon::model {

struct SafetensorsTensor {
  std::string name;
  // kF32, kF16 or kBF16.
  TensorType type = TensorType::kF32;
  // The slowest-running dimension first: {rows, columns}.
  std::vector<uint64_t> shape;
  // elements() values.
  std::span<const std::byte> data;

  uint64_t elements() const;
};

// The tensor's values, row by row.
std::vector<float> ToFloats(const SafetensorsTensor& tensor);

class SafetensorsFile {
 public:
  // Maps and parses a file. Errors: kFile, it cannot be opened or mapped; kFormat, it is damaged;
  // kUnsupported, it holds a type that tenon does not read.
  static tl::expected<SafetensorsFile, ModelError> Open(const std::string& path);
  // Parses bytes that the caller keeps alive; messages give `name` as the path. Errors: as of
  // Open.
  static tl::expected<SafetensorsFile, ModelError> Parse(std::span<const std::byte> bytes,
                                                         std::string name);

  // In the order of their data.
  const std::vector<SafetensorsTensor>& tensors() const { return tensors_; }
  // nullptr where the file has no such tensor.
  const SafetensorsTensor* Find(std::string_view name) const;
  // The texts of "__metadata__".
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::string& path() const { return path_; }
  // The whole file.
  std::span<const std::byte> bytes() const { return bytes_; }
  // When the file was written to last, in nanoseconds since 1970; 0 after Parse.
  int64_t changed_ns() const { return changed_ns_; }

 private:
  SafetensorsFile() = default;

  std::string path_;
  // The mapping, shared by all copies of this object; empty after Parse.
  std::shared_ptr<const void> mapping_;
  std::span<const std::byte> bytes_;
  int64_t changed_ns_ = 0;
  std::vector<SafetensorsTensor> tensors_;
  // Name -> index in tensors_.
  std::map<std::string, size_t, std::less<>> index_;
  std::map<std::string, std::string> metadata_;
};

}  // namespace tenon::model
