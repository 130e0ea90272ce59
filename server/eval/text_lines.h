// The lines of a text, as a person who types sees them: blanks at the beginning, content, blanks at
// the end, a line end.
//
// Example: of `    x = 1  ⏎` the content is `x = 1`.
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <string_view>
#include <vector>

namespace tenon::server {

struct TextLine {
  size_t begin_bytes = 0;
  size_t content_begin_bytes = 0;  // after the blanks at its beginning
  size_t content_end_bytes = 0;    // before the blanks at its end
  size_t end_bytes = 0;            // before "\n" or "\r\n"

  [[nodiscard]] bool blank() const { return content_begin_bytes == content_end_bytes; }
};

[[nodiscard]] std::vector<TextLine> LinesOf(std::string_view text);
// Longer lines, as those of minified files, nobody types: no eval draws them.
inline constexpr size_t kMaxTypedBytes = 400;
[[nodiscard]] inline bool IsTyped(const TextLine& line) {
  return line.end_bytes - line.begin_bytes <= kMaxTypedBytes;
}
// The offsets from `begin_bytes` to `end_bytes` at which a character begins, and the end itself.
[[nodiscard]] std::vector<size_t> CharacterOffsets(std::string_view text, size_t begin_bytes,
                                                   size_t end_bytes);
// Up to the first line end.
[[nodiscard]] std::string_view FirstLineOf(std::string_view text);

}  // namespace tenon::server
