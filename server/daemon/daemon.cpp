#include "server/daemon/daemon.h"

#include <csignal>
#include <optional>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/daemon/daemon_lock.h"
#include "server/daemon/local_socket.h"
#include "server/daemon/socket_server.h"
#include "server/scheduling/shared_completer.h"

namespace tenon::server {
namespace {

using boost::system::error_code;

class Daemon {
 public:
  Daemon(DaemonOptions options, DaemonLock lock, FileDescriptor listening)
      : options_(std::move(options)),
        lock_(std::move(lock)),
        idle_(io_),
        signals_(io_, SIGTERM, SIGINT),
        completer_(std::move(options_.make_completer), PostTo(io_), LaterOn(io_)) {
    Service& service = options_.service;
    service.completer = &completer_;
    service.request_ids = fmt::format("tenon/{}/", getpid());
    service.about = [this] { return About(); };
    server_.emplace(
        io_, std::move(listening), service, [](int socket) { return PeerIs(socket, geteuid()); },
        [this](size_t clients) { OnCount(clients); });
    signals_.async_wait([this](const error_code& error, int) {
      if (!error) Stop("a signal");
    });
    OnCount(0);
  }

  void Run() { io_.run(); }

 private:
  void OnCount(size_t clients) {
    options_.service.log->info("clients: {}", clients);
    idle_.cancel();
    if (clients > 0 || stopped_) return;
    idle_.expires_after(options_.idle);
    idle_.async_wait([this](const error_code& error) {
      if (error) return;
      server_->TakeWaiting();
      if (server_->clients() == 0) Stop("nobody has asked for a while");
    });
  }

  // The socket goes first: from then on editors start another daemon.
  void Stop(const char* why) {
    if (std::exchange(stopped_, true)) return;
    options_.service.log->info("the daemon ends: {}", why);
    unlink(options_.socket.c_str());
    lock_.Drop();
    idle_.cancel();
    error_code ignored;
    signals_.cancel(ignored);
    server_->Stop();
  }

  nlohmann::json About() const {
    const Completer* completer = completer_.completer();
    return {{"pid", getpid()},
            {"version", options_.service.version},
            {"clients", server_->clients()},
            {"model", completer != nullptr ? completer->status().message : ""}};
  }

  boost::asio::io_context io_{1};
  DaemonOptions options_;
  DaemonLock lock_;
  boost::asio::steady_timer idle_;
  boost::asio::signal_set signals_;
  bool stopped_ = false;
  SharedCompleter completer_;
  std::optional<SocketServer> server_;
};

}  // namespace

int RunDaemon(DaemonOptions options, const std::function<void()>& on_ready,
              const std::function<void(int exit_code)>& on_end) {
  const std::shared_ptr<spdlog::logger> log = options.service.log;
  std::filesystem::path lock_file = options.socket;
  auto lock = DaemonLock::Take(lock_file.replace_extension(".lock"));
  if (!lock) {
    log->error("{}", lock.error());
    on_end(1);
    return 1;
  }
  if (!lock->first()) {
    log->info("another daemon serves {}", options.socket.string());
    on_ready();
    on_end(0);
    return 0;
  }
  auto listening = ListenAtPath(options.socket);
  if (!listening) {
    log->error("{}", listening.error());
    on_end(1);
    return 1;
  }
  lock->Share();
  log->info("tenon {} serves at {}, process {}", options.service.version, options.socket.string(),
            getpid());
  Daemon daemon(std::move(options), *std::move(lock), *std::move(listening));
  on_ready();
  daemon.Run();
  on_end(0);
  return 0;
}

}  // namespace tenon::server
