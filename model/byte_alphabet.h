// GPT-2's way to write bytes as printable text: each byte has a code point, so that a vocabulary is plain strings.
//
//   bytes 33..126, 161..172, 174..255 stand for themselves; the other 68, in order, for U+0100..U+0143.
//
// Source: openai/gpt-2, encoder.py, bytes_to_unicode. Cost: none to speak of. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::model {

// The byte's code point in UTF-8.
std::string ByteAsText(uint8_t byte);
// The bytes that a vocabulary entry stands for; nothing if it holds a code point that stands for no byte.
std::optional<std::string> TextAsBytes(std::string_view text);

}  // namespace tenon::model
