#include "server/daemon/message_stream.h"

#include <utility>

#include <sys/socket.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace tenon::server {

namespace asio = boost::asio;
using boost::system::error_code;

MessageStream::MessageStream(asio::io_context& io, FileDescriptor input, FileDescriptor output)
    : input_(io, input.Release()),
      output_(io, output.Release()),
      drained_(io),
      writer_(
          output_, [this] { return shared_from_this(); },
          [this](const error_code&) { OnProgress(); }) {
  drained_.expires_at(asio::steady_timer::time_point::max());
}

asio::awaitable<void> MessageStream::Read(std::function<void(const protocol::Frame&)> on_frame,
                                          std::function<asio::awaitable<void>()> before_read) {
  const auto self = shared_from_this();
  while (!closed_) {
    co_await before_read();
    if (closed_) break;
    const auto [error, bytes] = co_await input_.async_read_some(
        asio::buffer(read_buffer_), asio::as_tuple(asio::use_awaitable));
    if (error || bytes == 0) break;
    frames_.Append(std::string_view(read_buffer_.data(), bytes));
    while (!closed_) {
      const auto frame = frames_.Next();
      if (!frame) break;
      on_frame(*frame);
    }
  }
}

void MessageStream::Send(std::string_view body) {
  if (!closed_) writer_.Send(body);
}

void MessageStream::OnProgress() {
  drained_.cancel();
  EndOutputIfDrained();
}

asio::awaitable<void> MessageStream::Drain(size_t bytes) {
  const auto self = shared_from_this();
  while (writer_.bytes() > bytes && !closed_ && !writer_.failed())
    (void)co_await drained_.async_wait(asio::as_tuple(asio::use_awaitable));
}

void MessageStream::CloseOutput() {
  last_was_queued_ = true;
  EndOutputIfDrained();
}

void MessageStream::EndOutputIfDrained() {
  if (last_was_queued_ && writer_.messages() == 0 && !closed_)
    shutdown(output_.native_handle(), SHUT_WR);
}

void MessageStream::Close() {
  if (std::exchange(closed_, true)) return;
  error_code ignored;
  input_.close(ignored);
  output_.close(ignored);
  drained_.cancel();
}

}  // namespace tenon::server
