#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "server/remote/host_addresses.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A name server that answers when it is told to. The threads of look-ups share it.
struct NameServer {
  std::mutex mutex;
  std::condition_variable answers;
  bool is_silent = false;
  HostAddresses::Found answer =
      HostAddresses::Endpoints{{boost::asio::ip::make_address("10.0.0.7"), 8080}};
  int asked = 0;

  void Answer() {
    const std::lock_guard lock(mutex);
    is_silent = false;
    answers.notify_all();
  }
  int times_asked() {
    const std::lock_guard lock(mutex);
    return asked;
  }
};

HostAddresses AddressesOf(const std::shared_ptr<NameServer>& server,
                          std::string host = "gpu.local") {
  return {std::move(host), 8080, [server](const std::string&, uint16_t) {
            std::unique_lock lock(server->mutex);
            ++server->asked;
            server->answers.wait(lock, [&] { return !server->is_silent; });
            return server->answer;
          }};
}

steady_clock::time_point In(milliseconds time) { return steady_clock::now() + time; }

TEST(HostAddresses, OfAnAddressAreTheAddress) {
  const auto server = std::make_shared<NameServer>();
  HostAddresses addresses = AddressesOf(server, "::1");
  const auto found = addresses.Find(In(milliseconds(0)), {});
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->front().address().to_string(), "::1");
  EXPECT_EQ((*found)->front().port(), 8080);
  EXPECT_EQ(server->times_asked(), 0);
}

TEST(HostAddresses, AreKeptUntilTheyAreForgotten) {
  const auto server = std::make_shared<NameServer>();
  HostAddresses addresses = AddressesOf(server);
  for (int i = 0; i < 3; ++i) {
    const auto found = addresses.Find(In(milliseconds(60'000)), {});
    ASSERT_TRUE(found && *found);
    EXPECT_EQ((*found)->front().address().to_string(), "10.0.0.7");
  }
  EXPECT_EQ(server->times_asked(), 1);
  addresses.Forget();
  EXPECT_TRUE(addresses.Find(In(milliseconds(60'000)), {}));
  EXPECT_EQ(server->times_asked(), 2);
}

TEST(HostAddresses, AreLookedUpOnceWhileTheNameServerIsSilent) {
  const auto server = std::make_shared<NameServer>();
  server->is_silent = true;
  HostAddresses addresses = AddressesOf(server);
  std::stop_source nobody_waits;
  nobody_waits.request_stop();
  for (int i = 0; i < 5; ++i) {
    const auto late = addresses.Find(In(milliseconds(1)), {});
    ASSERT_TRUE(late);
    EXPECT_FALSE(*late);
    const auto stopped = addresses.Find(In(milliseconds(60'000)), nobody_waits.get_token());
    ASSERT_TRUE(stopped);
    EXPECT_FALSE(*stopped);
  }
  while (server->times_asked() == 0) std::this_thread::yield();
  EXPECT_EQ(server->times_asked(), 1);
  server->Answer();
  const auto found = addresses.Find(In(milliseconds(60'000)), {});
  ASSERT_TRUE(found && *found);
  EXPECT_EQ(server->times_asked(), 1);
}

TEST(HostAddresses, ThatWereNotFoundAreLookedUpAgain) {
  const auto server = std::make_shared<NameServer>();
  server->answer = tl::unexpected(std::string("no such host"));
  HostAddresses addresses = AddressesOf(server);
  const auto failed = addresses.Find(In(milliseconds(60'000)), {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error(), "no such host");
  {
    const std::lock_guard lock(server->mutex);
    server->answer = HostAddresses::Endpoints{{boost::asio::ip::make_address("10.0.0.8"), 1}};
  }
  const auto found = addresses.Find(In(milliseconds(60'000)), {});
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->front().address().to_string(), "10.0.0.8");
}

}  // namespace
}  // namespace tenon::server
