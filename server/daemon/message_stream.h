// Messages over two descriptors, each way: what the proxy has at both of its sides.
//
// Cost: a read buffer of 64 KiB, and what the other end has not read.
// Thread rule: the I/O thread.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "protocol/framing.h"
#include "server/daemon/file_descriptor.h"

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
  // The other end sees the end of the stream after what is queued. Of a socket.
  void CloseOutput();
  void Close();
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  void WriteFront();
  void EndOutputIfDrained();

  boost::asio::posix::stream_descriptor input_;
  boost::asio::posix::stream_descriptor output_;
  boost::asio::steady_timer drained_;  // never expires; cancelled after each write
  protocol::FrameReader frames_;
  std::array<char, size_t{64} << 10> read_buffer_{};
  std::deque<std::string> unwritten_;  // the front one is being written
  size_t unwritten_bytes_ = 0;
  bool closed_ = false;
  bool last_was_queued_ = false;
  bool unheard_ = false;  // the other end takes nothing any more
};

}  // namespace tenon::server
