// A safetensors file that is read is cut into its tensors without gap or overlap, and each tensor
// has as many values as its shape says. An index of several names files beside itself, and a
// configuration is values or an error.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "model/file/file.h"
#include "tests/fuzz/expect.h"

namespace {

using namespace tenon::model;

// The JSON files that lie beside safetensors files.
void ReadAsJson(std::string_view text) {
  const auto index = ParseSafetensorsIndex(text, "fuzz.json");
  if (!index) {
    TENON_FUZZ_EXPECT(index.error().message.starts_with("fuzz.json: "));
  } else {
    for (const auto& [tensor, file] : *index) {
      TENON_FUZZ_EXPECT(file.find('/') == std::string::npos && file.front() != '.');
      TENON_FUZZ_EXPECT(file.ends_with(".safetensors"));
    }
  }
  const auto values = JsonValues::Parse(text, "fuzz.json");
  if (!values) TENON_FUZZ_EXPECT(values.error().message.starts_with("fuzz.json: "));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ReadAsJson({reinterpret_cast<const char*>(data), size});
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto file = SafetensorsFile::Parse(bytes, "fuzz.safetensors");
  if (!file) {
    TENON_FUZZ_EXPECT(file.error().message.starts_with("fuzz.safetensors: "));
    return 0;
  }
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, data, sizeof header_bytes);
  const std::byte* end = bytes.data() + sizeof header_bytes + header_bytes;
  for (const SafetensorsTensor& tensor : file->tensors()) {
    TENON_FUZZ_EXPECT(tensor.data.data() == end);
    end += tensor.data.size();
    uint64_t elements = 1;
    for (const uint64_t dim : tensor.shape) elements *= dim;
    TENON_FUZZ_EXPECT(ToFloats(tensor).size() == elements);
    TENON_FUZZ_EXPECT(file->Find(tensor.name) == &tensor);
  }
  TENON_FUZZ_EXPECT(end == bytes.data() + bytes.size());
  return 0;
}
