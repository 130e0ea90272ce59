// The lines of a stream, bounded: a line that never ends exhausts nothing.
//
// Example: `tenon gap --batch` is sent 100 MB without a line end. The line that is read has
// one byte more than kMaxLineBytes, and says that it is too long. Its rest is still in the stream.
//
// Cost: linear in the line, which is held whole. Thread rule: one thread for a stream.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <string>

namespace tenon::server {

// As large as a message of an editor may be (protocol/framing.h).
constexpr size_t kMaxLineBytes = size_t{64} << 20;

struct Line {
  std::string text;
  bool too_long = false;  // its rest was not read
};

// The next line without its end; nothing at the end of the stream, and where it cannot be read. In
// that case the stream is bad(). Example: standard input is a folder.
[[nodiscard]] std::optional<Line> ReadLine(std::istream& in, size_t max_bytes = kMaxLineBytes);

}  // namespace tenon::server
