// A text of a file that is not trusted, as a message or a terminal shows it.
//
// A tensor may be named "a<ESC>[2J", and a terminal that prints the name would clear its screen. So
// each control character becomes `?`. A token may be named by a megabyte: of a long text the
// beginning and the end are kept, where a message names the file and the remedy.
// Example: "a\x1b[2J" is shown as "a?[2J".
//
// Source: ECMA-48, the sets C0 and C1 of control functions. Cost: linear in the text that is shown.
// Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenon::model {

// Of a text that is shown: the most bytes of its beginning and of its end.
inline constexpr size_t kShownAtBegin = 1500, kShownAtEnd = 500;

[[nodiscard]] inline std::string WithoutControlCharacters(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F, which some terminals obey as well, in UTF-8.
    const bool is_c1 = byte == 0xc2 && i + 1 < text.size() &&
                       static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                       static_cast<unsigned char>(text[i + 1]) <= 0x9f;
    shown += is_c1 || byte < 0x20 || byte == 0x7f ? '?' : text[i];
    i += is_c1;
  }
  return shown;
}

[[nodiscard]] inline std::string Printable(std::string_view text) {
  if (text.size() <= kShownAtBegin + kShownAtEnd) return WithoutControlCharacters(text);
  return WithoutControlCharacters(text.substr(0, kShownAtBegin)) + " ... " +
         WithoutControlCharacters(text.substr(text.size() - kShownAtEnd));
}

}  // namespace tenon::model
