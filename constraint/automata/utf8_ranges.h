// Code point ranges as sequences of byte ranges in UTF-8.
//
// Automata read bytes, patterns speak of code points. A sequence b1..bn of byte ranges stands for
// all byte strings with the i-th byte in b_i. Example: U+0000..U+FFFF without surrogates takes six
// sequences:
//
//   [00-7F]                        U+0000..U+007F
//   [C2-DF] [80-BF]                U+0080..U+07FF
//   [E0] [A0-BF] [80-BF]           U+0800..U+0FFF
//   [E1-EC] [80-BF] [80-BF]        U+1000..U+CFFF
//   [ED] [80-9F] [80-BF]           U+D000..U+D7FF
//   [EE-EF] [80-BF] [80-BF]        U+E000..U+FFFF
//
// The sequences of one set are disjoint and in byte order. At every depth two sequences with a
// common prefix have equal or disjoint next ranges, so a deterministic automaton can be made of
// them directly.
//
// The header also decodes and encodes single code points, strictly: overlong forms, surrogates and
// code points above U+10FFFF are errors.
//
// Source: Cox, https://swtch.com/~rsc/regexp/regexp3.html, section "Step 3: compile" (after
// Thompson's grep).
// Cost: at most 7 sequences for a range. Thread rule: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/automata/codepoint_set.h"

namespace tenon::constraint {

struct ByteRange {
  uint8_t first = 0;
  uint8_t last = 0;  // inclusive
  bool operator==(const ByteRange&) const = default;
};

struct Utf8Sequence {
  std::array<ByteRange, 4> bytes{};
  uint8_t length = 0;
};

std::vector<Utf8Sequence> Utf8Sequences(const CodepointSet& set);

// REQUIRES: a Unicode character.
void AppendUtf8(uint32_t codepoint, std::string& out);

struct DecodedCodepoint {
  uint32_t codepoint = 0;
  uint8_t length_bytes = 0;  // 0: the text at this offset is not UTF-8, or ends
};
DecodedCodepoint DecodeUtf8(std::string_view text, size_t offset_bytes);

}  // namespace tenon::constraint
