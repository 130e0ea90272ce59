// The block formats of stored weights, as the kernels see them.
//
// A file stores a row of weights as blocks: small integers q with common scales. Every format here
// becomes one picture: groups of 32 values; a value is
//
//   x = scale * (q - zero) + offset
//
// with one scale and offset a group (or one for each half of the group), and a zero that belongs to
// the format. Example: a Q4_0 block with d = 0.5 is a group whose q are 0 to 15, with scale 0.5 and
// the zero 8; the value of q = 3 is 0.5 * (3 - 8) = -2.5.
//
//   format         bits  values a block  bytes    q            zero   offset  scales of a group
//   Q4_0 Q5_0      4 5   32              18 22    0 .. 15, 31  8, 16          1
//   Q4_1 Q5_1      4 5   32              20 24    0 .. 15, 31         yes     1
//   Q8_0           8     32              34       0 .. 255     128            1
//   Q2_K           2     256             84       0 .. 3              yes     2
//   Q3_K           3     256             110      0 .. 7       4              2
//   Q4_K Q5_K      4 5   256             144 176  0 .. 15, 31         yes     1
//   Q6_K           6     256             210      0 .. 63      32             2
//   IQ4_NL IQ4_XS  4     32 256          18 136   1 .. 241     128            1
//
// Source of the layouts: https://github.com/ggml-org/ggml, src/ggml-common.h.
// Thread rule: values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenon::model {

enum class BlockFormat : uint8_t {
  kQ4_0,
  kQ4_1,
  kQ5_0,
  kQ5_1,
  kQ8_0,
  kQ2_K,
  kQ3_K,
  kQ4_K,
  kQ5_K,
  kQ6_K,
  kIq4Nl,
  kIq4Xs
};
inline constexpr int kBlockFormats = 12;

// The storage of a format: blocks of `values` values in `bytes` bytes.
struct BlockSize {
  int values = 0;
  int bytes = 0;
};
BlockSize SizeOf(BlockFormat format);

// A stored matrix: `rows` rows of `columns` values, each row `row_bytes` bytes after the one
// before. The bytes are the file's own, mapped into memory; the view does not own them.
struct BlockMatrix {
  BlockFormat format = BlockFormat::kQ8_0;
  int rows = 0;
  int columns = 0;  // a multiple of the format's block
  size_t row_bytes = 0;
  const std::byte* data = nullptr;
};

}  // namespace tenon::model
