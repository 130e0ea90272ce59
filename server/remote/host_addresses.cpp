#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "server/remote/host_addresses.h"

#include <condition_variable>
#include <system_error>
#include <thread>

#include <boost/asio/io_context.hpp>

namespace tenon::server {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

HostAddresses::Found LookUpBySystem(const std::string& host, uint16_t port) {
  asio::io_context io;
  tcp::resolver resolver(io);
  boost::system::error_code error;
  const auto results = resolver.resolve(host, std::to_string(port), error);
  HostAddresses::Endpoints endpoints;
  for (const auto& result : results) endpoints.push_back(result.endpoint());
  if (endpoints.empty()) return tl::unexpected(error ? error.message() : "no address");
  return endpoints;
}

}  // namespace

// What the look-up's thread and those that wait share.
struct HostAddresses::Pending {
  std::mutex mutex;
  std::condition_variable_any is_there;
  std::optional<Found> found;  // guarded by mutex; nothing: it runs

  bool Failed() {
    const std::lock_guard lock(mutex);
    return found && !*found;
  }
  void Set(Found result) {
    const std::lock_guard lock(mutex);
    found = std::move(result);
    is_there.notify_all();
  }
};

HostAddresses::HostAddresses(std::string host, uint16_t port, LookUp look_up)
    : host_(std::move(host)),
      port_(port),
      look_up_(look_up ? std::move(look_up) : LookUpBySystem) {}

tl::expected<std::shared_ptr<HostAddresses::Pending>, std::string> HostAddresses::Begun() {
  if (pending_ && !pending_->Failed()) return pending_;
  auto pending = std::make_shared<Pending>();
  try {
    std::thread([pending, look_up = look_up_, host = host_, port = port_] {
      pending->Set(look_up(host, port));
    }).detach();
  } catch (const std::system_error& error) {
    return tl::unexpected(std::string(error.what()));
  }
  pending_ = pending;
  return pending;
}

tl::expected<std::optional<HostAddresses::Endpoints>, std::string> HostAddresses::Find(
    std::chrono::steady_clock::time_point until, const std::stop_token& stop) {
  boost::system::error_code no_address;
  const auto address = asio::ip::make_address(host_, no_address);
  if (!no_address) return Endpoints{tcp::endpoint(address, port_)};
  std::shared_ptr<Pending> pending;
  {
    const std::lock_guard lock(mutex_);
    if (!found_.empty()) return found_;
    auto begun = Begun();
    if (!begun) return tl::unexpected(std::move(begun.error()));
    pending = *std::move(begun);
  }
  std::unique_lock lock(pending->mutex);
  if (!pending->is_there.wait_until(lock, stop, until, [&] { return pending->found.has_value(); }))
    return std::nullopt;
  const Found found = *pending->found;
  lock.unlock();
  const std::lock_guard kept(mutex_);
  if (pending_ == pending) pending_.reset();
  if (!found) return tl::unexpected(found.error());
  found_ = *found;
  return found_;
}

void HostAddresses::Forget() {
  const std::lock_guard lock(mutex_);
  found_.clear();
}

}  // namespace tenon::server
