// Bytes of some encoding to UTF-8.
//
// Source: iconv (POSIX.1-2017). Of the libraries at hand its tables (glibc's) are nearest to
// CPython's: ICU takes bytes that the Windows and IBM code pages leave open, lets others stand for
// control characters, and lacks some (docs/measured.md).
// Cost: docs/measured.md, "check". Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::constraint {

struct Decoded {
  std::string text;  // UTF-8, up to what could not be decoded
  std::optional<size_t>
      wrong_at_bytes;  // of the bytes given: where the first stand that are no character
};

// `converter`: what iconv calls the encoding. Nothing: this machine has no such converter.
[[nodiscard]] std::optional<Decoded> DecodeToUtf8(const std::string& converter,
                                                  std::string_view bytes);

}  // namespace tenon::constraint
