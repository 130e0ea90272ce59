#include "server/files/read_line.h"

namespace tenon::server {

std::optional<Line> ReadLine(std::istream& in, size_t max_bytes) {
  Line line;
  using Traits = std::istream::traits_type;
  // The buffer of the stream throws where it cannot be read; its stream notes that.
  for (auto c = in.get(); c != '\n'; c = in.get()) {
    if (c == Traits::eof()) return line.text.empty() ? std::nullopt : std::optional(line);
    line.text += Traits::to_char_type(c);
    line.too_long = line.text.size() > max_bytes;
    if (line.too_long) return line;
  }
  return line;
}

}  // namespace tenon::server
