// The table of tensors in a GGUF file: an entry for each, which says where its bytes lie.
//
// The offsets of the table count from the beginning of the data, which comes after the table. So
// entries are read first, and each gets its bytes when the table's end is known. Example: the
// entry "a", dimensions {3, 2}, F32, offset 32 is the tensor of the data's bytes 32 to 55.
//
// Source: gguf.h. Inside the room only. Cost: some nanoseconds an entry; no byte of a tensor is
// read. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/file/byte_cursor.h"
#include "model/file/gguf.h"

namespace tenon::model {

struct GgufTensorEntry {
  GgufTensor tensor;          // without its data
  uint64_t entry_offset = 0;  // of the entry, in the file
  uint64_t data_offset = 0;   // of the tensor, in the data
};

// Checks the entry by itself: dimensions, type, whole blocks in a row.
GgufTensorEntry ReadGgufTensorEntry(ByteCursor& in);

// Gives the tensor its part of the file's `data`. `in` fails where the part is not within the
// data, or begins at no multiple of `alignment`.
void AttachData(ByteCursor& in, GgufTensorEntry& entry, std::span<const std::byte> data,
                uint64_t alignment);

}  // namespace tenon::model
