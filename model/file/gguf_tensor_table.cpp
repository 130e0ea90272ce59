#include "model/file/gguf_tensor_table.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <string>

#include "model/file/tensor_formats.h"

namespace tenon::model {
namespace {

constexpr uint32_t kMaxDims = 4;

// The names of all tensor types that GGUF files use: a refusal names the type.
std::string TypeName(uint32_t type) {
  static constexpr const char* kNames[] = {
      "F32",   "F16",        "Q4_0",       "Q4_1",       "Q4_2",     "Q4_3",     "Q5_0",
      "Q5_1",  "Q8_0",       "Q8_1",       "Q2_K",       "Q3_K",     "Q4_K",     "Q5_K",
      "Q6_K",  "Q8_K",       "IQ2_XXS",    "IQ2_XS",     "IQ3_XXS",  "IQ1_S",    "IQ4_NL",
      "IQ3_S", "IQ2_S",      "IQ4_XS",     "I8",         "I16",      "I32",      "I64",
      "F64",   "IQ1_M",      "BF16",       "Q4_0_4_4",   "Q4_0_4_8", "Q4_0_8_8", "TQ1_0",
      "TQ2_0", "IQ4_NL_4_4", "IQ4_NL_4_8", "IQ4_NL_8_8", "MXFP4"};
  return type < std::size(kNames) ? kNames[type] : fmt::format("number {}", type);
}

// The types that tenon reads, for a sentence.
std::string NamesOfTypes() {
  std::string names;
  for (const TensorFormat& format : TensorFormats()) {
    if (!names.empty()) names += ", ";
    names += format.layout.name;
  }
  return names;
}

void ReadDims(ByteCursor& in, GgufTensorEntry& entry) {
  const uint64_t start = in.offset();
  const auto count = in.Read<uint32_t>("a tensor's number of dimensions");
  if (in.ok() && (count == 0 || count > kMaxDims)) {
    in.Fail(start, fmt::format("tensor {} has {} dimensions, 1 to {} are possible",
                               entry.tensor.name, count, kMaxDims));
  }
  uint64_t elements = 1;
  for (uint32_t i = 0; i < count && in.ok(); ++i) {
    const auto dim = in.Read<uint64_t>("a tensor's dimensions");
    if (in.ok() &&
        (dim == 0 || __builtin_mul_overflow(elements, dim, &elements) || elements >> 60 != 0)) {
      in.Fail(start, fmt::format("tensor {} has an impossible size", entry.tensor.name));
    }
    entry.tensor.dims.push_back(dim);
  }
}

}  // namespace

GgufTensorEntry ReadGgufTensorEntry(ByteCursor& in) {
  GgufTensorEntry entry;
  entry.entry_offset = in.offset();
  entry.tensor.name = in.ReadString("a tensor's name");
  ReadDims(in, entry);
  const uint64_t type_offset = in.offset();
  const auto type = in.Read<uint32_t>("a tensor's type");
  entry.data_offset = in.Read<uint64_t>("a tensor's offset");
  if (!in.ok()) return entry;
  const std::optional<TensorType> known = TensorTypeOf(type);
  if (!known) {
    in.Fail(
        type_offset,
        fmt::format(
            "tensor {} has type {}; tenon reads {}: take a file in one of these, or make one with "
            "llama.cpp's `llama-quantize --allow-requantize FILE OUT Q8_0`",
            entry.tensor.name, TypeName(type), NamesOfTypes()),
        ModelErrorCode::kUnsupported);
    return entry;
  }
  entry.tensor.type = *known;
  const TensorLayout layout = LayoutOf(*known);
  if (entry.tensor.columns() % layout.block_elements != 0) {
    in.Fail(
        entry.entry_offset,
        fmt::format("tensor {}: rows of {} do not divide into blocks of {} {}", entry.tensor.name,
                    entry.tensor.columns(), layout.block_elements, layout.name));
  }
  return entry;
}

void AttachData(ByteCursor& in, GgufTensorEntry& entry, std::span<const std::byte> data,
                uint64_t alignment) {
  GgufTensor& tensor = entry.tensor;
  // Elements are below 2^60 and no block takes more than 4 bytes an element, so this does not
  // overflow.
  const uint64_t size = tensor.rows() * tensor.row_bytes();
  if (entry.data_offset % alignment != 0) {
    in.Fail(entry.entry_offset, fmt::format("tensor {} begins at {}, no multiple of {}",
                                            tensor.name, entry.data_offset, alignment));
  } else if (entry.data_offset > data.size() || size > data.size() - entry.data_offset) {
    in.Fail(entry.entry_offset,
            fmt::format("tensor {} needs {} bytes from {} on, the file's data has {}", tensor.name,
                        size, entry.data_offset, data.size()));
  } else {
    tensor.data = data.subspan(entry.data_offset, size);
  }
}

}  // namespace tenon::model
