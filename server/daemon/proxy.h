// Connects an editor on two descriptors with the user's daemon, and with the next one when that
// dies.
//
//   editor <-> messages, remembered (proxy_memory.h) <-> daemon
//
// When a daemon dies the proxy answers its open requests, reaches another daemon, starting it where
// there is none, and tells it the buffers. Daemons that die again and again get pauses between
// them, then the user is told once, and requests are answered with nothing; some minutes later the
// next request makes another try. Where no daemon was ever reached, the proxy's own process serves.
//
// Neither side's queue grows without bound: the proxy reads from one side only while the other
// takes its messages.
//
// Cost: two hops a message, and the texts of the open documents. Thread rule: RunProxy blocks its
// thread, which becomes the I/O thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <spdlog/logger.h>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/files/file_descriptor.h"

namespace tenon::server {

struct ProxyOptions {
  int input = 0;  // file descriptors; they stay open
  int output = 1;
  // A connection to a daemon, for a client with these parameters of `initialize`.
  using Reached = tl::expected<FileDescriptor, std::string>;
  std::function<boost::asio::awaitable<Reached>(const nlohmann::json& initialize_params)> reach;
  // A connection to a server in this process, which runs on this io_context.
  std::function<FileDescriptor(boost::asio::io_context&)> serve_here;
  std::shared_ptr<spdlog::logger> log;
  // Before the first daemon, the second, ...: after the last pause the proxy gives up.
  std::vector<std::chrono::milliseconds> pauses = {
      std::chrono::milliseconds(0),   std::chrono::milliseconds(10), std::chrono::milliseconds(100),
      std::chrono::milliseconds(500), std::chrono::seconds(3),       std::chrono::seconds(15)};
  // A daemon that lived so long does not count among those that died in a row.
  std::chrono::milliseconds steady = std::chrono::minutes(1);
  // After giving up, until a request makes another try.
  std::chrono::milliseconds rest = std::chrono::minutes(5);
  std::string where_to_look;  // for the user: the log of the daemon
};

// Returns the exit status: 0 after shutdown and exit, else 1.
[[nodiscard]] int RunProxy(boost::asio::io_context& io, ProxyOptions options);

}  // namespace tenon::server
