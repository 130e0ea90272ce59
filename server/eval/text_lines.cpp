#include "server/eval/text_lines.h"

#include <algorithm>
#include <cstdint>

namespace tenon::server {

std::vector<TextLine> LinesOf(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\f\v\r";
  std::vector<TextLine> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t line_end = std::min(text.find('\n', begin), text.size());
    TextLine line{begin, begin, begin, line_end};
    if (line.end_bytes > begin && line_end < text.size() && text[line_end - 1] == '\r')
      --line.end_bytes;
    const std::string_view whole = text.substr(begin, line.end_bytes - begin);
    const size_t first = whole.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
      line.content_begin_bytes = line.content_end_bytes = line.end_bytes;
    } else {
      line.content_begin_bytes = begin + first;
      line.content_end_bytes = begin + whole.find_last_not_of(kBlanks) + 1;
    }
    lines.push_back(line);
    begin = line_end + 1;
  }
  return lines;
}

std::vector<size_t> CharacterOffsets(std::string_view text, size_t begin_bytes, size_t end_bytes) {
  std::vector<size_t> offsets;
  for (size_t at = begin_bytes; at < end_bytes; ++at) {
    if ((static_cast<uint8_t>(text[at]) & 0xC0U) != 0x80) offsets.push_back(at);
  }
  offsets.push_back(end_bytes);
  return offsets;
}

std::string_view FirstLineOf(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

}  // namespace tenon::server
