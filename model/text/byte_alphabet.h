// GPT-2's spelling of bytes as printable text, so that a file can list a vocabulary as plain text.
//
// Each of the 256 bytes has a code point. Bytes 33..126, 161..172 and 174..255 are spelled by the
// code point of the same number; the other 68 bytes, in order, by U+0100 to U+0143.
// Example: a space is byte 32, the 33rd of the 68, and is spelled U+0120, `Ġ`. The vocabulary's
// entry for ` the` therefore reads `Ġthe`.
//
// Source: openai/gpt-2, encoder.py, bytes_to_unicode. Cost: none to speak of. Thread rule: pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::model {

// The byte's code point in UTF-8.
std::string ByteAsText(uint8_t byte);
// The bytes that `text` spells. Nothing where a code point of `text` spells no byte.
std::optional<std::string> TextAsBytes(std::string_view text);

}  // namespace tenon::model
