// Tells the client, where it wants to know, which of its requests was answered and how long that
// took.
//
//   off       nothing
//   messages  "textDocument/completion 3 was answered"
//   verbose   the same with the milliseconds and the first part of the answer
//
// Source: LSP 3.18, $/setTrace and $/logTrace; `trace` of `initialize` is the value to begin with.
// Cost: a message for each answer, and the answer as text for a verbose one.
// Thread rule: the I/O thread.
#pragma once

#include <memory>
#include <string_view>

#include "protocol/json_rpc.h"
#include "server/client/reply_once.h"
#include "server/request/deadline.h"

namespace tenon::server {

class MessageTrace {
 public:
  MessageTrace(SendMessage send, Deadline::Clock now);

  // False where the value is none of the three.
  bool Set(std::string_view value);
  // Sends an answer to the request, and tells of it.
  [[nodiscard]] SendMessage Around(const protocol::Request& request) const;

 private:
  enum class Value : uint8_t { kOff, kMessages, kVerbose };

  SendMessage send_;
  Deadline::Clock now_;
  std::shared_ptr<Value> value_ = std::make_shared<Value>(Value::kOff);  // answers may outlive this
};

}  // namespace tenon::server
