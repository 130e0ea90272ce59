// The events of a streamed body: a line of JSON each, whatever pieces the bytes come in.
//
// Two forms are in use, and both are read as one:
//
//   server-sent events          data: {"content": "a"}⏎⏎data: [DONE]⏎⏎
//   JSON a line (NDJSON)        {"response": "a"}⏎
//
// Of server-sent events the `data:` lines count, and `error:`, which llama.cpp has used; comments
// (`: ping`), `event:`, `id:` and `retry:` lines do not. A line without any of these names is taken
// as it is. Blank lines are skipped.
// Example: the pieces `da` and `ta: {}⏎` give the event `{}`.
//
// A line that grows beyond kMaxLineBytes is a fault: a server may send for ever.
// Source: WHATWG HTML, "Server-sent events". An event of several data lines is sent by none of the
// servers, and not joined.
// Cost: linear. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::server {

class EventLines {
 public:
  static constexpr size_t kMaxLineBytes = size_t{256} << 10;

  // False: a line is too long. Nothing more is read then.
  bool Append(std::string_view bytes);
  // The body is over: the bytes after the last line end are a line, too.
  void End();
  // The next event; nothing: it has not come whole.
  [[nodiscard]] std::optional<std::string> Next();

 private:
  std::string bytes_;
  size_t read_ = 0;  // of bytes_
  bool ended_ = false;
};

}  // namespace tenon::server
