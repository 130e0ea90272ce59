#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "server/remote/kept_connections.h"

#include <atomic>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using std::chrono::milliseconds;

// How many are open, and whether the other side has closed them.
struct Line {
  std::atomic<int> open = 0;
  std::atomic<bool> dead = false;
};

class FakeConnection final : public HttpConnection {
 public:
  explicit FakeConnection(Line& line) : line_(line) { ++line_.open; }
  ~FakeConnection() override { --line_.open; }
  std::optional<HttpFault> Open(const HostAddresses::Endpoints&, const HttpTerms&) override {
    return std::nullopt;
  }
  std::optional<HttpFault> Send(const HttpQuestion&, const HttpTerms&) override {
    return std::nullopt;
  }
  unsigned status() const override { return 200; }
  std::string header(std::string_view) const override { return {}; }
  tl::expected<std::optional<std::string>, HttpFault> Read(const HttpTerms&) override {
    return std::nullopt;
  }
  bool lost() const override { return false; }
  bool reusable() const override { return true; }
  bool seems_idle() override { return !line_.dead; }

 private:
  Line& line_;
};

class KeptConnectionsTest : public testing::Test {
 protected:
  std::unique_ptr<HttpConnection> New() { return std::make_unique<FakeConnection>(line_); }
  KeptConnections::Open OpenOne() {
    return [this](const std::stop_token&) { return New(); };
  }
  static void WaitUntil(const std::function<bool()>& holds) {
    while (!holds()) std::this_thread::sleep_for(milliseconds(1));
  }
  Line line_;
};

TEST_F(KeptConnectionsTest, GiveBackTheLastOneAndKeepTwo) {
  KeptConnections kept(OpenOne());
  EXPECT_EQ(kept.Take(), nullptr);
  for (int i = 0; i < 3; ++i) kept.Give(New());
  EXPECT_EQ(line_.open, 2);
  auto last = New();
  const HttpConnection* const given = last.get();
  kept.Give(std::move(last));
  EXPECT_EQ(kept.Take().get(), given);
}

TEST_F(KeptConnectionsTest, CloseThoseThatNobodyTakes) {
  KeptConnections kept(OpenOne(), milliseconds(5));
  kept.Give(New());
  WaitUntil([this] { return line_.open == 0; });
  EXPECT_EQ(kept.Take(), nullptr);
}

TEST_F(KeptConnectionsTest, GiveNobodyAClosedOne) {
  KeptConnections kept(OpenOne());
  kept.Give(New());
  line_.dead = true;
  EXPECT_EQ(kept.Take(), nullptr);
  EXPECT_EQ(line_.open, 0);
}

TEST_F(KeptConnectionsTest, PrepareOneWhereNoneWaits) {
  KeptConnections kept(OpenOne());
  kept.Prepare();
  WaitUntil([this] { return line_.open == 1; });
  std::unique_ptr<HttpConnection> spare;
  WaitUntil([&] { return (spare = kept.Take()) != nullptr; });
  kept.Give(std::move(spare));
  kept.Prepare();
  EXPECT_EQ(line_.open, 1);
}

TEST_F(KeptConnectionsTest, EndWhileASpareOneIsMade) {
  std::atomic<bool> begun = false;
  {
    KeptConnections kept([&begun](const std::stop_token& stop) {
      begun = true;
      while (!stop.stop_requested()) std::this_thread::sleep_for(milliseconds(1));
      return std::unique_ptr<HttpConnection>();
    });
    kept.Prepare();
    WaitUntil([&begun] { return begun.load(); });
  }
  EXPECT_EQ(line_.open, 0);
}

}  // namespace
}  // namespace tenon::server
