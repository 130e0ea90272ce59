#include "protocol/position_encoding.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tenon::protocol {
namespace {

// The lengths of well-formed sequences by first byte, and the narrower range of the second byte
// (RFC 3629, table 3-7 of Unicode).
struct Lead {
  size_t bytes;
  uint8_t second_low, second_high;
};

Lead LeadOf(uint8_t first) {
  if (first < 0x80) return {1, 0, 0};
  if (first >= 0xC2 && first <= 0xDF) return {2, 0x80, 0xBF};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};  // no surrogates
  if (first >= 0xE1 && first <= 0xEF) return {3, 0x80, 0xBF};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first >= 0xF1 && first <= 0xF3) return {4, 0x80, 0xBF};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {1, 0, 0};
}

size_t UnitsOf(size_t character_bytes, PositionEncoding encoding) {
  switch (encoding) {
    case PositionEncoding::kUtf8:
      return character_bytes;
    case PositionEncoding::kUtf16:
      return character_bytes == 4 ? 2 : 1;
    case PositionEncoding::kUtf32:
      return 1;
  }
  return 1;
}

// How many bytes at the start of `text` are ASCII, up to `most`, in steps of eight. Each is one
// unit in every encoding.
size_t AsciiBytes(std::string_view text, size_t most) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  const size_t end = std::min(text.size(), most);
  size_t at = 0;
  for (uint64_t word = 0; at + sizeof word <= end; at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  return at;
}

}  // namespace

std::string_view ToString(PositionEncoding encoding) {
  switch (encoding) {
    case PositionEncoding::kUtf8:
      return "utf-8";
    case PositionEncoding::kUtf16:
      return "utf-16";
    case PositionEncoding::kUtf32:
      return "utf-32";
  }
  return "utf-16";
}

std::optional<PositionEncoding> PositionEncodingFromName(std::string_view name) {
  for (const auto encoding :
       {PositionEncoding::kUtf8, PositionEncoding::kUtf16, PositionEncoding::kUtf32}) {
    if (name == ToString(encoding)) return encoding;
  }
  return std::nullopt;
}

size_t CharacterBytes(std::string_view text) {
  const Lead lead = LeadOf(static_cast<uint8_t>(text[0]));
  if (lead.bytes == 1 || text.size() < lead.bytes) return 1;
  const auto second = static_cast<uint8_t>(text[1]);
  if (second < lead.second_low || second > lead.second_high) return 1;
  for (size_t i = 2; i < lead.bytes; ++i) {
    if ((static_cast<uint8_t>(text[i]) & 0xC0) != 0x80) return 1;
  }
  return lead.bytes;
}

LinePlace PlaceOfUnits(std::string_view line, size_t units, PositionEncoding encoding) {
  size_t bytes = 0;
  size_t seen = 0;
  while (bytes < line.size()) {
    const size_t ascii = AsciiBytes(line.substr(bytes), units - seen);
    bytes += ascii;
    seen += ascii;
    if (seen == units || bytes == line.size()) break;
    const size_t length = CharacterBytes(line.substr(bytes));
    const size_t width = UnitsOf(length, encoding);
    if (width > units - seen) return {bytes, true};
    seen += width;
    bytes += length;
  }
  return {bytes, false};
}

size_t BytesFromUnits(std::string_view line, size_t units, PositionEncoding encoding) {
  return PlaceOfUnits(line, units, encoding).bytes;
}

size_t UnitsFromBytes(std::string_view line, size_t bytes, PositionEncoding encoding) {
  bytes = std::min(bytes, line.size());
  size_t at = 0;
  size_t units = 0;
  while (at < bytes) {
    const size_t ascii = AsciiBytes(line.substr(at), bytes - at);
    at += ascii;
    units += ascii;
    if (at == bytes) break;
    const size_t length = CharacterBytes(line.substr(at));
    if (at + length > bytes) break;
    at += length;
    units += UnitsOf(length, encoding);
  }
  return units;
}

}  // namespace tenon::protocol
