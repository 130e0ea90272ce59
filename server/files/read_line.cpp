#include "server/files/read_line.h"

namespace tenon::server {

std::optional<Line> ReadLine(std::istream& in, size_t max_bytes) {
  Line line;
  using Traits = std::istream::traits_type;
  for (auto c = in.rdbuf()->sbumpc(); c != '\n'; c = in.rdbuf()->sbumpc()) {
    if (c == Traits::eof()) return line.text.empty() ? std::nullopt : std::optional(line);
    line.text += Traits::to_char_type(c);
    line.too_long = line.text.size() > max_bytes;
    if (line.too_long) return line;
  }
  return line;
}

}  // namespace tenon::server
