#include "constraint/automata/utf8_ranges.h"

#include <algorithm>

namespace tenon::constraint {
namespace {

// The last code point of each encoded length.
constexpr std::array<uint32_t, 4> kLastOfLength = {0x7f, 0x7ff, 0xffff, 0x10ffff};

uint8_t Encode(uint32_t c, std::array<uint8_t, 4>& out) {
  if (c <= 0x7f) {
    out[0] = static_cast<uint8_t>(c);
    return 1;
  }
  const uint8_t length = c <= 0x7ff ? 2 : c <= 0xffff ? 3 : 4;
  for (uint8_t i = length; i-- > 1;) {
    out[i] = static_cast<uint8_t>(0x80 | (c & 0x3f));
    c >>= 6;
  }
  constexpr std::array<uint8_t, 5> kLead = {0, 0, 0xc0, 0xe0, 0xf0};
  out[0] = static_cast<uint8_t>(kLead[length] | c);
  return length;
}

// REQUIRES: first <= last. Splits where the encoded length changes and where continuation bytes do
// not span 80..BF.
void Split(uint32_t first, uint32_t last, std::vector<Utf8Sequence>& out) {
  for (const uint32_t end : kLastOfLength) {
    if (first <= end && end < last) {
      Split(first, end, out);
      Split(end + 1, last, out);
      return;
    }
  }
  if (last > 0x7f) {
    for (int i = 1; i < 4; ++i) {
      const uint32_t low_bits = (1u << (6 * i)) - 1;
      if ((first & ~low_bits) == (last & ~low_bits)) break;
      if ((first & low_bits) != 0) {
        Split(first, first | low_bits, out);
        Split((first | low_bits) + 1, last, out);
        return;
      }
      if ((last & low_bits) != low_bits) {
        Split(first, (last & ~low_bits) - 1, out);
        Split(last & ~low_bits, last, out);
        return;
      }
    }
  }
  std::array<uint8_t, 4> low{}, high{};
  Utf8Sequence sequence;
  sequence.length = Encode(first, low);
  Encode(last, high);
  for (uint8_t i = 0; i < sequence.length; ++i) sequence.bytes[i] = {low[i], high[i]};
  out.push_back(sequence);
}

}  // namespace

std::vector<Utf8Sequence> Utf8Sequences(const CodepointSet& set) {
  std::vector<Utf8Sequence> sequences;
  for (const CodepointRange& range : set.ranges()) Split(range.first, range.last, sequences);
  return sequences;
}

void AppendUtf8(uint32_t codepoint, std::string& out) {
  std::array<uint8_t, 4> bytes{};
  const uint8_t length = Encode(codepoint, bytes);
  for (uint8_t i = 0; i < length; ++i) out.push_back(static_cast<char>(bytes[i]));
}

DecodedCodepoint DecodeUtf8(std::string_view text, size_t offset_bytes) {
  if (offset_bytes >= text.size()) return {};
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[offset_bytes + i]); };
  const uint8_t lead = byte(0);
  if (lead <= 0x7f) return {lead, 1};
  const uint8_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() - offset_bytes < length) return {};
  uint32_t c = lead & (0xffu >> (length + 1));
  for (uint8_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    c = (c << 6) | (byte(i) & 0x3fu);
  }
  const bool overlong = c <= kLastOfLength[length - 2];
  const bool surrogate = c >= 0xd800 && c <= 0xdfff;
  if (overlong || surrogate || c > kLastOfLength[3]) return {};
  return {c, length};
}

}  // namespace tenon::constraint
