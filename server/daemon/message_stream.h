// One side of the proxy: messages over two descriptors, each way.
//
//   editor <-> MessageStream <-> proxy <-> MessageStream <-> daemon
//
// A stream knows nothing of the messages' contents. It is read by a coroutine, which may wait
// before each read. So the proxy reads one side only while the other takes its bytes: Drain.
// Example: the daemon is stopped, and the editor sends 20 MB. The proxy takes the first of them
// and leaves the rest in the editor's pipe. (A server reads its clients by another class,
// server/lsp/connection.h, because it waits for nobody.)
//
// Cost: a read buffer of 64 KiB, and the messages that the other end has not read.
// Thread rule: the I/O thread.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "protocol/framing.h"
#include "server/files/file_descriptor.h"
#include "server/lsp/message_writer.h"

namespace tenon::server {

class MessageStream : public std::enable_shared_from_this<MessageStream> {
 public:
  MessageStream(boost::asio::io_context& io, FileDescriptor input, FileDescriptor output);

  // Hands over each message as it comes, and returns at the end of the stream. Before each read it
  // waits for `before_read`.
  boost::asio::awaitable<void> Read(std::function<void(const protocol::Frame&)> on_frame,
                                    std::function<boost::asio::awaitable<void>()> before_read);
  // Queues a message.
  void Send(std::string_view body);
  // Returns when at most so many bytes are queued, or the other end is gone.
  boost::asio::awaitable<void> Drain(size_t bytes);
  // The other end sees the end of the stream after the queued messages. Of a socket.
  void CloseOutput();
  void Close();

 private:
  void OnProgress();
  void EndOutputIfDrained();

  boost::asio::posix::stream_descriptor input_;
  boost::asio::posix::stream_descriptor output_;
  boost::asio::steady_timer drained_;  // never expires; cancelled after each write
  protocol::FrameReader frames_;
  std::array<char, size_t{64} << 10> read_buffer_{};
  MessageWriter writer_;
  bool closed_ = false;
  bool last_was_queued_ = false;
};

}  // namespace tenon::server
