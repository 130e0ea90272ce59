// The addresses of a host's name, looked up beside the thread that waits for them.
//
// The system's look-up cannot be interrupted, and may take half a minute where no name server
// answers. So it runs on a thread of its own, which is left to itself where nobody waits any more.
// Example: `gpu.local` gives 10.0.0.7. An address gives itself at once.
//
// Cost: a thread for each look-up. The addresses are kept until Forget.
// Thread rule: any threads at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <boost/asio/ip/tcp.hpp>
#include <tl/expected.hpp>

namespace tenon::server {

class HostAddresses {
 public:
  using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

  HostAddresses(std::string host, uint16_t port) : host_(std::move(host)), port_(port) {}

  // Never empty. Nothing: `until` or `stop` came first. The error is the system's words.
  [[nodiscard]] tl::expected<std::optional<Endpoints>, std::string> Find(
      std::chrono::steady_clock::time_point until, const std::stop_token& stop);
  // The next Find looks again.
  void Forget();

 private:
  const std::string host_;
  const uint16_t port_;
  std::mutex mutex_;
  Endpoints found_;  // guarded by mutex_
};

}  // namespace tenon::server
