// Serves every client that connects to a listening socket, all at once.
//
// Cost: that of a Connection for each client. Thread rule: the I/O thread, which runs `io`. The
// server lives as long as its connections.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/files/file_descriptor.h"
#include "server/lsp/connection.h"

namespace tenon::server {

class SocketServer {
 public:
  // Who may be a client: looks at the connected socket.
  using Admit = std::function<bool(int socket)>;

  // `on_count` hears the number of clients whenever it changes. `service` must live longer.
  SocketServer(boost::asio::io_context& io, FileDescriptor listening, const Service& service,
               Admit admit, std::function<void(size_t clients)> on_count);

  [[nodiscard]] size_t clients() const { return connections_.size(); }
  // Takes the clients that have connected already.
  void TakeWaiting();
  // Takes no more clients, and ends those that are there.
  void Stop();

 private:
  void Wait();
  // False: there is no client that waits to be taken.
  bool TakeOne();
  void Serve(FileDescriptor client);

  boost::asio::io_context& io_;
  boost::asio::posix::stream_descriptor listening_;
  boost::asio::steady_timer pause_;
  const Service& service_;
  Admit admit_;
  std::function<void(size_t clients)> on_count_;
  std::list<std::weak_ptr<Connection>> connections_;
};

}  // namespace tenon::server
