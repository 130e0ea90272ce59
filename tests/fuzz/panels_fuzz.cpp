// A panel file that is read hands out stretches that lie within it, each where it is found again.
// The input's key and the hash of its head are made right first: the rest of the input is what is
// tried.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "model/file/file.h"
#include "tests/fuzz/expect.h"

namespace {

using namespace tenon::model;

constexpr size_t kTensorsAt = 12, kTableBytesAt = 56, kPayloadOffsetAt = 64, kHeadHashAt = 96;

// Reads the numbers and texts of a file that Parse has taken, one after another.
struct TableReader {
  std::span<const std::byte> bytes;
  size_t at = 0;

  template <typename Number>
  Number Read() {
    Number number;
    TENON_FUZZ_EXPECT(at + sizeof number <= bytes.size());
    std::memcpy(&number, bytes.data() + at, sizeof number);
    at += sizeof number;
    return number;
  }
  std::string_view ReadText() {
    const auto length = Read<uint32_t>();
    TENON_FUZZ_EXPECT(at + length <= bytes.size());
    at += length;
    return {reinterpret_cast<const char*>(bytes.data()) + at - length, length};
  }
};

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
  // The table as model/file/panel_file.h lays it out.
  const auto tensors = TableReader{bytes, kTensorsAt}.Read<uint32_t>();
  const auto payload = TableReader{bytes, kPayloadOffsetAt}.Read<uint64_t>();
  TableReader table{bytes, PanelFile::kHeaderBytes};
  (void)table.ReadText();  // the model's path
  for (uint32_t i = 0; i < tensors; ++i) {
    const std::string_view name = table.ReadText();
    table.at += 3 * sizeof(uint32_t);  // format, rows, columns
    const auto stretches = table.Read<uint32_t>();
    for (uint32_t j = 0; j < stretches; ++j) {
      const auto first = table.Read<uint32_t>(), count = table.Read<uint32_t>();
      const auto offset = table.Read<uint64_t>(), size = table.Read<uint64_t>();
      const auto found = file->Find(name, first, count);
      TENON_FUZZ_EXPECT(found && found->data.data() == bytes.data() + payload + offset);
      TENON_FUZZ_EXPECT(found->data.size() == size);
      TENON_FUZZ_EXPECT(found->data.data() + size <= bytes.data() + bytes.size());
      TENON_FUZZ_EXPECT((found->data.data() - bytes.data()) % PanelFile::kStretchAlignment == 0);
    }
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
