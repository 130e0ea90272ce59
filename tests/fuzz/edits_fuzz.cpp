// Edits at any positions leave the text and the lines that the naive model has, in each encoding.
//
// The input: a byte for the encoding, a byte for the length of the first text, that text; then for
// each edit four bytes of positions, a byte for its length, and its text. Where a text is no UTF-8,
// only that nothing breaks is checked: the naive model knows characters alone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/position_encoding.h"
#include "protocol/text_document.h"
#include "tests/fuzz/expect.h"
#include "tests/protocol/naive_text.h"

namespace {

using namespace tenon::protocol;

class Input {
 public:
  explicit Input(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool empty() const { return bytes_.empty(); }
  uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }
  std::string Text() {
    const size_t size = std::min<size_t>(Byte(), bytes_.size());
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }

 private:
  std::string_view bytes_;
};

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    if (bytes == 1 && static_cast<unsigned char>(text[0]) >= 0x80) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr PositionEncoding kAll[] = {PositionEncoding::kUtf8, PositionEncoding::kUtf16,
                                       PositionEncoding::kUtf32};
  Input input({reinterpret_cast<const char*>(data), size});
  const PositionEncoding encoding = kAll[input.Byte() % 3];
  std::string naive = input.Text();
  TextDocument document(naive, encoding);
  bool comparable = IsUtf8(naive);
  for (int edits = 0; edits < 64 && !input.empty(); ++edits) {
    Range range;
    range.start.line = input.Byte();
    range.start.character = input.Byte();
    range.end.line = input.Byte();
    range.end.character = input.Byte();
    const std::string inserted = input.Text();
    comparable = comparable && IsUtf8(inserted);
    document.Replace(range, inserted);
    TENON_FUZZ_EXPECT(document.OffsetAt({UINT32_MAX, UINT32_MAX}) == document.text().size());
    for (size_t line = 0; line < document.line_count(); ++line)
      TENON_FUZZ_EXPECT(document.LineOf(document.LineStart(line)) == line);
    if (!comparable) continue;
    naive = NaiveEdit(std::move(naive), range, inserted, encoding);
    TENON_FUZZ_EXPECT(document.text() == naive);
    for (const Walk& place : Places(naive, encoding)) {
      TENON_FUZZ_EXPECT(document.OffsetAt(place.at) == place.offset);
      TENON_FUZZ_EXPECT(document.PositionAt(place.offset) == place.at);
    }
  }
  return 0;
}
