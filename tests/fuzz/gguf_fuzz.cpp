// A GGUF file that is read holds what its tensors claim: their bytes lie within the file, and every
// row can be turned into floats.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/file/file.h"
#include "tests/fuzz/expect.h"

namespace {

using namespace tenon::model;

// The first and the last row, one at a time.
void ReadEnds(const GgufTensor& tensor) {
  constexpr uint64_t kMaxColumns = 1 << 20;
  if (tensor.columns() > kMaxColumns) return;
  std::vector<float> row(tensor.columns());
  DequantizeRows(tensor, 0, row);
  DequantizeRows(tensor, tensor.rows() - 1, row);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto file = GgufFile::Parse(bytes, "fuzz.gguf");
  if (!file) {
    TENON_FUZZ_EXPECT(file.error().message.starts_with("fuzz.gguf: at byte "));
    return 0;
  }
  for (const GgufTensor& tensor : file->tensors()) {
    const TensorLayout layout = LayoutOf(tensor.type);
    TENON_FUZZ_EXPECT(tensor.data.data() >= bytes.data());
    TENON_FUZZ_EXPECT(tensor.data.data() + tensor.data.size() <= bytes.data() + bytes.size());
    TENON_FUZZ_EXPECT(tensor.data.size() / layout.block_bytes * layout.block_elements ==
                      tensor.elements());
    TENON_FUZZ_EXPECT(file->FindTensor(tensor.name) == &tensor);
    ReadEnds(tensor);
  }
  return 0;
}
