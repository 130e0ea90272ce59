// A panel file that is read hands out stretches that lie within it, each where it is found again.
// The input's key and the hash of its head are made right first: the rest of the input is what is
// tried.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "model/file/file.h"
#include "tests/fuzz/expect.h"

namespace {

using namespace tenon::model;

constexpr size_t kTableBytesAt = 56, kHeadHashAt = 96;

// Bytes as a mapping has them: aligned, and as long as the file. The input is a head; the payload
// follows it at the offset that the format wants.
struct File {
  File(const uint8_t* head, size_t size)
      : bytes(static_cast<std::byte*>(std::calloc(1, kRoom)), &std::free) {
    std::memcpy(bytes.get(), head, size);
  }
  static constexpr size_t kPayloadBytes = 1024;
  static constexpr size_t kRoom = PanelFile::kPayloadAlignment + kPayloadBytes;
  std::unique_ptr<std::byte, decltype(&std::free)> bytes;
};

void TryFile(std::span<const std::byte> bytes) {
  const PanelKey key{1, 2, 3, {4, 5}};
  const auto file = PanelFile::Parse(bytes, key);
  if (!file) {
    TENON_FUZZ_EXPECT(!file.error().empty());
    return;
  }
  (void)file->HashIsRight();
  for (const PanelStretch& stretch : file->Stretches()) {
    TENON_FUZZ_EXPECT(stretch.data.data() >= bytes.data() + PanelFile::kHeaderBytes);
    TENON_FUZZ_EXPECT(stretch.data.data() + stretch.data.size() <= bytes.data() + bytes.size());
    TENON_FUZZ_EXPECT((stretch.data.data() - bytes.data()) % PanelFile::kStretchAlignment == 0);
    const auto found = file->Find(stretch.tensor, stretch.first, stretch.count);
    TENON_FUZZ_EXPECT(found && found->data.data() == stretch.data.data());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  TryFile({reinterpret_cast<const std::byte*>(data), size});
  if (size > PanelFile::kPayloadAlignment || size < PanelFile::kHeaderBytes) return 0;
  const File file(data, size);
  uint64_t table_bytes = 0;
  std::memcpy(&table_bytes, file.bytes.get() + kTableBytesAt, sizeof table_bytes);
  const std::span<const std::byte> bytes(file.bytes.get(), File::kRoom);
  if (table_bytes <= bytes.size() - PanelFile::kHeaderBytes) {
    const Hash128 hash = HashOfHead(bytes);
    std::memcpy(file.bytes.get() + kHeadHashAt, hash.data(), sizeof hash);
  }
  TryFile(bytes);
  return 0;
}
