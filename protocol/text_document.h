// The text of an open document, kept equal to the editor's by applying its edits, with a line index
// for positions.
//
// Source: LSP 3.18, "Text Documents": a line ends at \n, \r\n or a lone \r; a character beyond the
// line's end means the line's end; a line beyond the last means the end of the text. Where we go
// further: an end before its start is read as the swapped range and a position inside a character
// as that character's beginning, so every edit has a meaning and none can fail. An edit that takes
// half of a surrogate pair leaves U+FFFD for the other half, which is one UTF-16 unit as well, so
// that the positions right of it stay the editor's. Example: `😀x` without its first unit is `�x`.
// Cost: an edit moves the text after it and rescans the inserted text alone; a position costs its
// line's length. 8 bytes a line, and a copy of the text where a snapshot was made.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/position.h"

namespace tenon::protocol {

class TextDocument {
 public:
  TextDocument(std::string text, PositionEncoding encoding);

  [[nodiscard]] const std::string& text() const { return text_; }
  // The text as it is now, which an edit leaves as it is. Made once between two edits.
  [[nodiscard]] std::shared_ptr<const std::string> Snapshot() const;
  [[nodiscard]] size_t line_count() const { return line_starts_.size(); }
  [[nodiscard]] PositionEncoding encoding() const { return encoding_; }

  // Byte offset of a position; every position has one.
  [[nodiscard]] size_t OffsetAt(Position position) const { return PlaceAt(position).offset; }
  // Position of a byte offset. Inside a character: its beginning. Inside a line end: before it.
  // Beyond the text: its end.
  [[nodiscard]] Position PositionAt(size_t offset_bytes) const;

  // A line without its line end. REQUIRES: line < line_count().
  [[nodiscard]] std::string_view Line(size_t line) const;
  // Byte offset of the first character of a line. REQUIRES: line < line_count().
  [[nodiscard]] size_t LineStart(size_t line) const { return line_starts_[line]; }
  // The line that the byte offset lies in; the last one beyond the text.
  [[nodiscard]] size_t LineOf(size_t offset_bytes) const;

  void ReplaceAll(std::string text);
  void Replace(Range range, std::string_view replacement);

 private:
  struct Place {
    size_t offset = 0;
    bool halves_pair = false;  // the position lies within the surrogate pair at `offset`
  };
  [[nodiscard]] Place PlaceAt(Position position) const;
  void ReplaceBytes(size_t begin, size_t end, std::string_view replacement);
  [[nodiscard]] bool IsLineStart(size_t offset_bytes) const;

  std::string text_;
  mutable std::shared_ptr<const std::string> snapshot_;  // null: not made since the last edit
  PositionEncoding encoding_;
  std::vector<size_t>
      line_starts_;  // byte offsets, ascending; the first is 0, the last may be the text's size
};

}  // namespace tenon::protocol
