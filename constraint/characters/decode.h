// Bytes of some encoding to UTF-8.
//
// Example: the byte E9 of a file in latin-1 becomes the two bytes C3 A9, the letter é.
//
// Source: iconv (POSIX.1-2017). Of the libraries at hand its tables (glibc's) are nearest to
// CPython's: ICU accepts bytes that the Windows and IBM code pages leave open, maps others to
// control characters, and lacks some pages (docs/measured.md).
// Cost: docs/measured.md, "check". Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::constraint {

struct Decoded {
  std::string text;                      // UTF-8, up to the first bytes that are no character
  std::optional<size_t> wrong_at_bytes;  // the offset of the wrong bytes in the input
};

// `converter`: iconv's name of the encoding. Nothing: this machine has no such converter.
[[nodiscard]] std::optional<Decoded> DecodeToUtf8(const std::string& converter,
                                                  std::string_view bytes);

}  // namespace tenon::constraint
