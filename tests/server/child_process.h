// A program started with pipes to its standard input and output, and a client's view of the
// messages on them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include <nlohmann/json.hpp>

#include "protocol/framing.h"

namespace tenon::server {

// The client's end of a language server's two streams. Reading gives up after 20 seconds, so that
// a test cannot hang.
class MessagePipe {
 public:
  MessagePipe() = default;
  // Takes over both descriptors.
  MessagePipe(int write_end, int read_end) : write_end_(write_end), read_end_(read_end) {}
  ~MessagePipe();
  MessagePipe(const MessagePipe&) = delete;
  MessagePipe& operator=(const MessagePipe&) = delete;

  void WriteBytes(std::string_view bytes);
  void Send(const nlohmann::json& message) { WriteBytes(protocol::EncodeFrame(message.dump())); }
  void CloseInput();
  void CloseOutput();
  // The next message; nothing at the end of the stream.
  std::optional<nlohmann::json> Receive();

 private:
  int write_end_ = -1;
  int read_end_ = -1;
  protocol::FrameReader frames_;
};

class ChildProcess {
 public:
  // `arguments[0]` is the program's path. Its standard error is thrown away.
  explicit ChildProcess(const std::vector<std::string>& arguments);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  MessagePipe& pipe() { return *pipe_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  void Kill();
  // Waits for its end, at most 20 seconds; -1 where it does not come or came by a signal.
  int Wait();

 private:
  pid_t pid_ = -1;
  std::optional<MessagePipe> pipe_;
  std::optional<int> status_;
};

}  // namespace tenon::server
