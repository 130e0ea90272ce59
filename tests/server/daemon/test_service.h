// A server in a thread of its own, with a FakeCompleter, that clients reach by sockets.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <spdlog/sinks/null_sink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "server/daemon/local_socket.h"
#include "server/lsp/connection.h"
#include "tests/server/fake_completer.h"

namespace tenon::server {

inline Service TestService() {
  Service service;
  service.find_language = [](std::string_view id, std::string_view) -> std::optional<std::string> {
    return id == "python" ? std::optional<std::string>(id) : std::nullopt;
  };
  service.log =
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::null_sink_mt>());
  service.version = "test";
  return service;
}

class ThreadedService {
 public:
  ThreadedService()
      : completer_([this](const Settings&) { return MakeCompleter(); },
                   [this](std::function<void()> task) { boost::asio::post(io_, std::move(task)); }),
        thread_([this] { io_.run(); }) {
    service_.completer = &completer_;
  }
  ~ThreadedService() {
    Kill();
    work_.reset();
    thread_.join();
  }
  ThreadedService(const ThreadedService&) = delete;
  ThreadedService& operator=(const ThreadedService&) = delete;

  // The client's end of a new connection. Any thread.
  FileDescriptor Connect() {
    auto [client, server] = SocketPair();
    const std::lock_guard lock(mutex_);
    ends_.emplace_back(dup(client.number()));
    boost::asio::post(io_, [this, number = server.Release()] {
      std::make_shared<Connection>(io_, number, dup(number), service_, [](int) {})->Start();
    });
    return std::move(client);
  }

  // Both directions of all connections end at once, as they do when a process is killed.
  void Kill() {
    const std::lock_guard lock(mutex_);
    for (const FileDescriptor& end : ends_) shutdown(end.number(), SHUT_RDWR);
    ends_.clear();
  }

  // After the first client's `initialize`.
  FakeCompleter& completer() {
    std::unique_lock lock(mutex_);
    made_.wait(lock, [this] { return fake_ != nullptr; });
    return *fake_;
  }

 private:
  std::unique_ptr<Completer> MakeCompleter() {
    auto fake = std::make_unique<FakeCompleter>();
    const std::lock_guard lock(mutex_);
    fake_ = fake.get();
    made_.notify_all();
    return fake;
  }

  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(io_);
  Service service_ = TestService();
  std::mutex mutex_;
  std::condition_variable made_;
  FakeCompleter* fake_ = nullptr;     // guarded by mutex_
  std::vector<FileDescriptor> ends_;  // guarded by mutex_
  SharedCompleter completer_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace tenon::server
