// The addresses of a host's name, looked up beside the thread that waits for them.
//
// The system's look-up cannot be interrupted, and may take half a minute where no name server
// answers. So it runs on a thread of its own, which is left to itself where nobody waits any more.
// The next one who asks waits for the same look-up: there is never more than one.
// Example: `gpu.local` gives 10.0.0.7. An address gives itself at once.
//
// Cost: a thread for each look-up. The addresses are kept until Forget.
// Thread rule: any threads at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
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
  using Found = tl::expected<Endpoints, std::string>;  // the error is the system's words
  // A look-up, on a thread of its own, which may outlive this object.
  using LookUp = std::function<Found(const std::string& host, uint16_t port)>;

  // `look_up`: another one than the system's, in tests.
  HostAddresses(std::string host, uint16_t port, LookUp look_up = {});

  // Never empty. Nothing: `until` or `stop` came first. The error is the system's words.
  [[nodiscard]] tl::expected<std::optional<Endpoints>, std::string> Find(
      std::chrono::steady_clock::time_point until, const std::stop_token& stop);
  // The next Find looks again.
  void Forget();

 private:
  struct Pending;
  // The look-up to wait for: the one that runs, else a new one; the error: no thread can be had.
  // REQUIRES: mutex_ is held.
  tl::expected<std::shared_ptr<Pending>, std::string> Begun();

  const std::string host_;
  const uint16_t port_;
  const LookUp look_up_;
  std::mutex mutex_;
  Endpoints found_;                   // guarded by mutex_, as the next one
  std::shared_ptr<Pending> pending_;  // the look-up that was begun last; null: none
};

}  // namespace tenon::server
