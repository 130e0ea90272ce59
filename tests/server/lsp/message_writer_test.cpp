#include "server/lsp/message_writer.h"

#include <array>
#include <csignal>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>

#include "protocol/framing.h"

namespace tenon::server {
namespace {

namespace asio = boost::asio;

// A writer to one end of a socket; the test reads the other end by itself.
class MessageWriterTest : public testing::Test {
 protected:
  MessageWriterTest() {
    std::signal(SIGPIPE, SIG_IGN);
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    output_.assign(ends[0]);
    other_ = ends[1];
    writer_.emplace(
        output_, [this] { return owner_; },
        [this](const boost::system::error_code& error) { ++(error ? errors_ : written_); });
  }
  ~MessageWriterTest() override {
    if (other_ >= 0) close(other_);
  }
  std::string Take(size_t bytes) const {
    std::string taken(bytes, 0);
    size_t at = 0;
    while (at < bytes) {
      const ssize_t got = read(other_, taken.data() + at, bytes - at);
      if (got <= 0) break;
      at += static_cast<size_t>(got);
    }
    taken.resize(at);
    return taken;
  }

  asio::io_context io_{1};
  asio::posix::stream_descriptor output_{io_};
  int other_ = -1;
  std::shared_ptr<int> owner_ = std::make_shared<int>();
  int written_ = 0, errors_ = 0;
  std::optional<MessageWriter> writer_;
};

TEST_F(MessageWriterTest, WritesMessagesInTheirOrder) {
  writer_->Send("{}");
  writer_->Send("[1]");
  EXPECT_EQ(writer_->messages(), 2U);
  io_.run();
  EXPECT_EQ(written_, 2);
  EXPECT_EQ(writer_->bytes(), 0U);
  const std::string all = protocol::EncodeFrame("{}") + protocol::EncodeFrame("[1]");
  EXPECT_EQ(Take(all.size()), all);
}

TEST_F(MessageWriterTest, WaitingMessagesCanBeForgottenButNotTheOneThatIsBeingWritten) {
  const std::string large(5'000'000, 'x');
  writer_->Send(large);
  writer_->Send("{}");
  io_.poll();
  EXPECT_EQ(writer_->messages(), 2U);
  writer_->ForgetWaiting();
  const std::string framed = protocol::EncodeFrame(large);
  EXPECT_EQ(writer_->messages(), 1U);
  EXPECT_EQ(writer_->bytes(), framed.size());
  EXPECT_EQ(written_, 0);
  std::string taken;
  while (written_ == 0) {
    std::array<char, 1 << 16> buffer;
    const ssize_t got = recv(other_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) taken.append(buffer.data(), static_cast<size_t>(got));
    io_.restart();
    io_.poll();
  }
  EXPECT_EQ(writer_->messages(), 0U);
  taken += Take(framed.size() - taken.size());
  EXPECT_EQ(taken, framed);
}

TEST_F(MessageWriterTest, TellsOnceOfAnEndThatIsGoneAndKeepsItsOwnerUntilThen) {
  const std::weak_ptr<int> owner = owner_;
  writer_->Send(std::string(5'000'000, 'x'));
  writer_->Send("{}");
  owner_.reset();
  io_.poll();
  EXPECT_FALSE(owner.expired());
  close(std::exchange(other_, -1));
  io_.restart();
  io_.run();
  EXPECT_EQ(errors_, 1);
  EXPECT_TRUE(writer_->failed());
  EXPECT_EQ(writer_->messages(), 0U);
  EXPECT_TRUE(owner.expired());
  writer_->Send("{}");
  EXPECT_EQ(writer_->bytes(), 0U);
}

}  // namespace
}  // namespace tenon::server
