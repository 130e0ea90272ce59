// One client of the process: a stream of messages each way, and the LspServer between them.
//
// A connection reads and writes two file descriptors, which may be the same: standard input and
// output, or a socket. It reads whatever comes, at once. Answers queue up and are written as the
// client reads them (message_writer.h), so that a slow reader stops nobody; a client that leaves
// too many bytes unread is dropped. Example: an editor hangs with 64 MB of answers unread. Its
// connection ends, and the other editors notice nothing. Built on Boost.Asio 1.81.
//
// Cost: one read buffer of 64 KiB and the answers that the client has not read, which are bounded
// (Service::max_unread_bytes).
// Thread rule: the I/O thread, which runs `io`.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/logger.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "protocol/framing.h"
#include "server/lsp/lsp_server.h"
#include "server/lsp/message_writer.h"
#include "server/lsp/parent_watch.h"
#include "server/lsp/service.h"

namespace tenon::server {

// Runs tasks on the thread that runs `io`, which must live longer.
[[nodiscard]] PostTask PostTo(boost::asio::io_context& io);
// Runs tasks later on the thread that runs `io`, which must live longer.
[[nodiscard]] RunLater LaterOn(boost::asio::io_context& io);

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // Takes over both descriptors. `on_end` is called once, when the client is gone or its answers
  // are written after `exit`: with the status 0 after shutdown and exit, else 1.
  Connection(boost::asio::io_context& io, int input, int output, const Service& service,
             std::function<void(int exit_code)> on_end);

  // Begins to read. The connection keeps itself alive until its end.
  void Start();
  // As if the client had gone.
  void Close();

 private:
  LspServer::Outside Outside(const Service& service);
  void Read();
  void TakeIn(std::string_view bytes);
  void Send(std::string_view body);
  void OnProgress(const boost::system::error_code& error);
  // For a client that does not read.
  void Drop();
  void Finish(int exit_code);
  void EndWhenWritten();
  void End();

  boost::asio::io_context& io_;
  std::shared_ptr<spdlog::logger> log_;
  boost::asio::posix::stream_descriptor input_;
  boost::asio::posix::stream_descriptor output_;
  boost::asio::steady_timer last_words_;
  ParentWatch parent_;
  protocol::FrameReader frames_;
  std::array<char, size_t{64} << 10> read_buffer_{};
  MessageWriter writer_;
  const size_t max_unread_bytes_;
  bool stranger_;  // is to be closed where its next bytes are no message
  bool client_gone_ = false;
  bool finished_ = false;
  int exit_code_ = 1;
  std::function<void(int exit_code)> on_end_;  // empty after the end
  LspServer server_;                           // last: it calls into all of the above
};

}  // namespace tenon::server
