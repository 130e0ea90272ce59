// Cuts a stream of bytes into messages: "Content-Length: N", an empty line, N bytes of JSON; and
// again.
//
// Source: LSP 3.18, "Base Protocol". Where we are more tolerant: a lone \n ends a header line too,
// header names have any case, unknown headers are passed over. Where the header is broken or
// announces too much, one FramingError is reported and the reader looks for the next complete
// header: a client with one bad message keeps its server. A Content-Length that is wrong costs the
// message that it belongs to, and no other:
//   too short   the rest of the body is no header; the next one is looked for in it
//   too long    a header inside a body ends the body, because no JSON holds a header
// Cost: each byte is copied once and looked at a bounded number of times; memory is at most the
// limits below, and at most kMaxKeptBytes where no message is being read.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tenon::protocol {

struct FramingLimits {
  size_t body_bytes = size_t{64} << 20;
  size_t header_bytes = size_t{8} << 10;
};

// A fault of a header, in words for the log and for the answer with code -32700.
struct FramingError {
  std::string message;
};

using Frame = std::variant<std::string, FramingError>;  // a body, or why there is none

class FrameReader {
 public:
  static constexpr size_t kMaxKeptBytes = size_t{1} << 20;

  explicit FrameReader(FramingLimits limits = {}) : limits_(limits) {}

  // Takes the bytes of one read, any number of them.
  void Append(std::string_view bytes);
  // The next message or error; nothing until more bytes come.
  [[nodiscard]] std::optional<Frame> Next();
  // True where the stream may end: no message is cut short.
  [[nodiscard]] bool AtBoundary() const;

 private:
  struct Header {
    size_t size_bytes = 0;  // with the empty line
    std::optional<size_t> content_length;
    std::string problem;  // empty when content_length is good
  };
  [[nodiscard]] std::optional<Header> ReadHeader() const;
  [[nodiscard]] std::optional<Frame> Fail(std::string message);
  [[nodiscard]] std::optional<size_t> HeaderWithinBody();
  void Drop(size_t bytes);
  bool FindNextHeader();

  FramingLimits limits_;
  std::string buffer_;  // bytes not yet consumed, from consumed_ on
  size_t consumed_ = 0;
  std::optional<size_t> body_bytes_;  // set: the header was read, that many bytes of body follow
  size_t scanned_ = 0;                // no header begins in so many bytes of the body
  bool lost_ = false;                 // set: bytes are dropped until a complete header begins
};

// A message ready to be written: header and body.
[[nodiscard]] std::string EncodeFrame(std::string_view body);

}  // namespace tenon::protocol
