#include "model/text/byte_alphabet.h"

#include <array>

namespace tenon::model {
namespace {

constexpr int kFirstSubstitute = 256;
constexpr int kCodePoints = 256 + 68;

constexpr bool StandsForItself(int byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr std::array<int, 256> CodePoints() {
  std::array<int, 256> points{};
  int next = kFirstSubstitute;
  for (int byte = 0; byte < 256; ++byte) points[byte] = StandsForItself(byte) ? byte : next++;
  return points;
}

// [code point] the byte that it spells, or -1.
constexpr std::array<int, kCodePoints> Bytes() {
  std::array<int, kCodePoints> bytes{};
  bytes.fill(-1);
  constexpr std::array<int, 256> points = CodePoints();
  for (int byte = 0; byte < 256; ++byte) bytes[points[byte]] = byte;
  return bytes;
}

}  // namespace

std::string ByteAsText(uint8_t byte) {
  constexpr std::array<int, 256> points = CodePoints();
  const int point = points[byte];
  if (point < 0x80) return std::string(1, static_cast<char>(point));
  return {static_cast<char>(0xc0 | point >> 6), static_cast<char>(0x80 | (point & 0x3f))};
}

std::optional<std::string> TextAsBytes(std::string_view text) {
  constexpr std::array<int, kCodePoints> bytes = Bytes();
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<uint8_t>(text[i]);
    int point = lead;
    if (lead >= 0x80) {
      // Every code point of the alphabet has at most two bytes.
      if ((lead & 0xe0) != 0xc0 || i + 1 == text.size()) return std::nullopt;
      point = (lead & 0x1f) << 6 | (static_cast<uint8_t>(text[++i]) & 0x3f);
    }
    if (point >= kCodePoints || bytes[point] < 0) return std::nullopt;
    out.push_back(static_cast<char>(bytes[point]));
  }
  return out;
}

}  // namespace tenon::model
