#include "server/daemon/message_stream.h"

#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "server/daemon/local_socket.h"

namespace tenon::server {
namespace {

namespace asio = boost::asio;

// Two streams at the ends of a socket.
class MessageStreamTest : public testing::Test {
 protected:
  MessageStreamTest() {
    std::signal(SIGPIPE, SIG_IGN);
    auto [one, other] = SocketPair();
    FileDescriptor one_output(dup(one.number()));
    FileDescriptor other_output(dup(other.number()));
    one_ = std::make_shared<MessageStream>(io_, std::move(one), std::move(one_output));
    other_ = std::make_shared<MessageStream>(io_, std::move(other), std::move(other_output));
  }

  // What the stream reads until its end.
  void Listen(const std::shared_ptr<MessageStream>& stream) {
    asio::co_spawn(
        io_,
        [this, stream]() -> asio::awaitable<void> {
          co_await stream->Read(
              [this](const protocol::Frame& frame) {
                heard_.push_back(std::get<std::string>(frame));
              },
              []() -> asio::awaitable<void> { co_return; });
          ++ended_;
        },
        asio::detached);
  }

  asio::io_context io_{1};
  std::shared_ptr<MessageStream> one_, other_;
  std::vector<std::string> heard_;
  int ended_ = 0;
};

TEST_F(MessageStreamTest, TheOtherEndHearsAllThatWasSentAndThenTheEnd) {
  Listen(other_);
  const std::string large(5'000'000, 'x');
  one_->Send(large);
  one_->Send("{}");
  one_->CloseOutput();
  io_.run();
  EXPECT_EQ(heard_, (std::vector<std::string>{large, "{}"}));
  EXPECT_EQ(ended_, 1);
}

TEST_F(MessageStreamTest, DrainWaitsForTheOtherEnd) {
  bool drained = false;
  one_->Send(std::string(5'000'000, 'x'));
  asio::co_spawn(
      io_,
      [&]() -> asio::awaitable<void> {
        co_await one_->Drain(1000);
        drained = true;
      },
      asio::detached);
  io_.poll();
  EXPECT_FALSE(drained);
  Listen(other_);
  while (!drained) io_.run_one();
  EXPECT_TRUE(heard_.empty() || heard_[0].size() == 5'000'000);
  one_->Close();
  io_.run();
}

TEST_F(MessageStreamTest, NobodyWaitsForAnEndThatIsGone) {
  bool drained = false;
  one_->Send(std::string(5'000'000, 'x'));
  asio::co_spawn(
      io_,
      [&]() -> asio::awaitable<void> {
        co_await one_->Drain(0);
        drained = true;
      },
      asio::detached);
  other_->Close();
  io_.run();
  EXPECT_TRUE(drained);
  one_->Send("{}");
  io_.restart();
  io_.run();
}

}  // namespace
}  // namespace tenon::server
