#include "server/lsp/connection.h"

#include <chrono>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include "protocol/json_rpc.h"

namespace tenon::server {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// How long answers may still wait for a client that does not read, once the server is done.
constexpr std::chrono::seconds kLastWords{2};

}  // namespace

PostTask PostTo(asio::io_context& io) {
  return [&io](std::function<void()> task) { asio::post(io, std::move(task)); };
}

RunLater LaterOn(asio::io_context& io) {
  return [&io](std::chrono::milliseconds wait, std::function<void()> task) {
    const auto timer = std::make_shared<asio::steady_timer>(io, wait);
    timer->async_wait([timer, task = std::move(task)](const error_code& error) {
      if (!error) task();
    });
  };
}

Connection::Connection(asio::io_context& io, int input, int output, const Service& service,
                       std::function<void(int exit_code)> on_end)
    : io_(io),
      log_(service.log),
      input_(io, input),
      output_(io, output),
      last_words_(io),
      parent_(io, service.log),
      writer_(
          output_, [this] { return shared_from_this(); },
          [this](const error_code& error) { OnProgress(error); }),
      max_unread_bytes_(service.max_unread_bytes),
      stranger_(service.closes_strangers),
      on_end_(std::move(on_end)),
      server_(Outside(service)) {}

LspServer::Outside Connection::Outside(const Service& service) {
  LspServer::Outside outside;
  outside.service = service;
  outside.send = [this](const nlohmann::json& message) { Send(protocol::Dump(message)); };
  outside.post = PostTo(io_);
  outside.on_process_end = [this](int64_t process_id, std::function<void()> task) {
    parent_.Watch(process_id, [self = weak_from_this(), task = std::move(task)] {
      if (!self.expired()) task();
    });
  };
  outside.exit = [this](int exit_code) { Finish(exit_code); };
  return outside;
}

void Connection::Start() { Read(); }

void Connection::Close() {
  client_gone_ = true;
  if (!finished_) server_.OnInputEnd();
  EndWhenWritten();
}

void Connection::Read() {
  input_.async_read_some(asio::buffer(read_buffer_),
                         [this, self = shared_from_this()](const error_code& error, size_t bytes) {
                           if (error || bytes == 0) {
                             if (!finished_) server_.OnInputEnd();
                             return;
                           }
                           TakeIn(std::string_view(read_buffer_.data(), bytes));
                           if (!finished_) Read();
                         });
}

void Connection::TakeIn(std::string_view bytes) {
  frames_.Append(bytes);
  while (!finished_) {
    const auto frame = frames_.Next();
    if (!frame) return;
    if (stranger_ && std::holds_alternative<protocol::FramingError>(*frame)) {
      log_->warn("a client is closed whose first bytes are no message");
      return Close();
    }
    stranger_ = false;
    server_.OnFrame(*frame);
  }
}

void Connection::Send(std::string_view body) {
  if (client_gone_) return;
  writer_.Send(body);
  if (writer_.messages() > 1 && writer_.bytes() > max_unread_bytes_) Drop();
}

// The server is in the middle of something here, so it hears of it later.
void Connection::Drop() {
  log_->error("the client is dropped: it has left {} bytes of answers unread", writer_.bytes());
  client_gone_ = true;
  writer_.ForgetWaiting();
  asio::post(io_, [this, self = shared_from_this()] { Close(); });
}

void Connection::OnProgress(const error_code& error) {
  if (error) {
    if (!client_gone_)
      log_->error("the client does not take answers any more: {}", error.message());
    client_gone_ = true;
    if (!finished_) server_.OnInputEnd();
  }
  EndWhenWritten();
}

void Connection::Finish(int exit_code) {
  exit_code_ = exit_code;
  finished_ = true;
  last_words_.expires_after(kLastWords);
  last_words_.async_wait([this, self = shared_from_this()](const error_code&) { End(); });
  EndWhenWritten();
}

void Connection::EndWhenWritten() {
  if (finished_ && (writer_.messages() == 0 || client_gone_)) End();
}

// Closing the descriptors ends what still waits for them, so the last handler lets the connection
// go. `on_end` is called later, because the connection is in the middle of something here.
void Connection::End() {
  if (!on_end_) return;
  error_code ignored;
  last_words_.cancel(ignored);
  parent_.Stop();
  input_.close(ignored);
  output_.close(ignored);
  asio::post(io_, [on_end = std::exchange(on_end_, {}), exit_code = exit_code_,
                   self = shared_from_this()] { on_end(exit_code); });
}

}  // namespace tenon::server
