// Messages on their way to a descriptor: queued, and written one after the other as the other end
// takes them. Send never waits.
//
// Example: an editor is busy, and takes no bytes. Three answers are sent; the first is being
// written, two wait, and bytes() is the size of all three. When the editor reads on, `on_progress`
// is called after each of them.
//
// The owner chooses the effect of another end that does not read. A Connection drops the
// client (connection.h): one client must not fill the memory of a process that serves others. A
// MessageStream lets its other side wait (server/daemon/message_stream.h): the proxy has two sides
// and nobody else.
//
// Built on Boost.Asio 1.81. Cost: the messages that are not written. Thread rule: the I/O thread.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/posix/stream_descriptor.hpp>

namespace tenon::server {

class MessageWriter {
 public:
  // Called after each message, with no error, and once with the error that ends the writing: the
  // queue is empty then, and nothing more is written.
  using OnProgress = std::function<void(const boost::system::error_code& error)>;
  // Keeps the owner of this writer alive while a message is being written.
  using KeepAlive = std::function<std::shared_ptr<void>()>;

  // REQUIRES: output outlives this.
  MessageWriter(boost::asio::posix::stream_descriptor& output, KeepAlive keep_alive,
                OnProgress on_progress);

  // Queues a message.
  void Send(std::string_view body);
  // Forgets all messages but the one that is being written.
  void ForgetWaiting();

  // Of the messages that are not written, the one that is being written among them.
  [[nodiscard]] size_t bytes() const { return bytes_; }
  [[nodiscard]] size_t messages() const { return unwritten_.size(); }
  // The other end takes nothing any more.
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  void WriteFront();

  boost::asio::posix::stream_descriptor& output_;
  KeepAlive keep_alive_;
  OnProgress on_progress_;
  std::deque<std::string> unwritten_;  // framed; the front one is being written
  size_t bytes_ = 0;
  bool failed_ = false;
};

}  // namespace tenon::server
