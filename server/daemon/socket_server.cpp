#include "server/daemon/socket_server.h"

#include <cerrno>
#include <chrono>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tenon::server {
namespace {

using boost::system::error_code;

// Before the next try where the process has no descriptor left.
constexpr std::chrono::seconds kPause{1};

}  // namespace

SocketServer::SocketServer(boost::asio::io_context& io, FileDescriptor listening,
                           const Service& service, Admit admit,
                           std::function<void(size_t clients)> on_count)
    : io_(io),
      listening_(io, listening.Release()),
      pause_(io),
      service_(service),
      admit_(std::move(admit)),
      on_count_(std::move(on_count)) {
  Wait();
}

void SocketServer::Wait() {
  listening_.async_wait(
      boost::asio::posix::stream_descriptor::wait_read, [this](const error_code& error) {
        if (error) return;
        while (TakeOne()) {
        }
        if (errno == EAGAIN) return Wait();
        service_.log->error("a client cannot be taken: {}", std::generic_category().message(errno));
        pause_.expires_after(kPause);
        pause_.async_wait([this](const error_code& stopped) {
          if (!stopped) Wait();
        });
      });
}

void SocketServer::TakeWaiting() {
  while (listening_.is_open() && TakeOne()) {
  }
}

bool SocketServer::TakeOne() {
  int taken = -1;
  errno = 0;
  do {
    taken = accept4(listening_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  } while (taken < 0 && (errno == EINTR || errno == ECONNABORTED));
  if (taken < 0) return false;
  FileDescriptor client(taken);
  if (admit_ && !admit_(client.number())) {
    service_.log->warn("a process of another user wanted to connect");
    return true;
  }
  // Answers are small and wanted at once. A Unix socket does not know this option.
  const int yes = 1;
  setsockopt(client.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  Serve(std::move(client));
  return true;
}

void SocketServer::Serve(FileDescriptor client) {
  const int output = dup(client.number());
  if (output < 0) return;
  const auto at = connections_.emplace(connections_.end());
  const auto connection =
      std::make_shared<Connection>(io_, client.Release(), output, service_, [this, at](int) {
        connections_.erase(at);
        on_count_(connections_.size());
      });
  *at = connection;
  connection->Start();
  on_count_(connections_.size());
}

void SocketServer::Stop() {
  error_code ignored;
  listening_.close(ignored);
  pause_.cancel(ignored);
  const std::list<std::weak_ptr<Connection>> ending = connections_;
  for (const std::weak_ptr<Connection>& one : ending) {
    if (const auto connection = one.lock()) connection->Close();
  }
}

}  // namespace tenon::server
