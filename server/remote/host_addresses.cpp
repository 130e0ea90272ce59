#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "server/remote/host_addresses.h"

#include <condition_variable>
#include <thread>

#include <boost/asio/io_context.hpp>

namespace tenon::server {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// What the look-up's thread and the one that waits share.
struct LookUp {
  std::mutex mutex;
  std::condition_variable_any done_changed;
  bool done = false;
  HostAddresses::Endpoints endpoints;
  std::string error;
};

void Run(const std::shared_ptr<LookUp>& look_up, const std::string& host, uint16_t port) {
  asio::io_context io;
  tcp::resolver resolver(io);
  boost::system::error_code error;
  const auto results = resolver.resolve(host, std::to_string(port), error);
  const std::lock_guard lock(look_up->mutex);
  if (error) look_up->error = error.message();
  for (const auto& result : results) look_up->endpoints.push_back(result.endpoint());
  look_up->done = true;
  look_up->done_changed.notify_all();
}

}  // namespace

tl::expected<std::optional<HostAddresses::Endpoints>, std::string> HostAddresses::Find(
    std::chrono::steady_clock::time_point until, const std::stop_token& stop) {
  boost::system::error_code no_address;
  const auto address = asio::ip::make_address(host_, no_address);
  if (!no_address) return Endpoints{tcp::endpoint(address, port_)};
  {
    const std::lock_guard lock(mutex_);
    if (!found_.empty()) return found_;
  }
  const auto look_up = std::make_shared<LookUp>();
  std::thread([look_up, host = host_, port = port_] { Run(look_up, host, port); }).detach();
  std::unique_lock lock(look_up->mutex);
  if (!look_up->done_changed.wait_until(lock, stop, until, [&] { return look_up->done; }))
    return std::nullopt;
  if (look_up->endpoints.empty())
    return tl::unexpected(look_up->error.empty() ? "no address" : look_up->error);
  const std::lock_guard kept(mutex_);
  found_ = look_up->endpoints;
  return found_;
}

void HostAddresses::Forget() {
  const std::lock_guard lock(mutex_);
  found_.clear();
}

}  // namespace tenon::server
