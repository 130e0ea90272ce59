#include "server/lsp/stdio_loop.h"

#include <array>
#include <chrono>
#include <deque>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include "protocol/framing.h"
#include "protocol/json_rpc.h"
#include "server/lsp/lsp_server.h"
#include "server/lsp/parent_watch.h"

namespace tenon::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// How long answers may still wait for a client that does not read, once the server is done.
constexpr std::chrono::seconds kLastWords{2};

// Asio switches descriptors to non-blocking, which whoever shares them would notice; this switches
// them back.
class KeepFlags {
 public:
  explicit KeepFlags(int descriptor)
      : descriptor_(descriptor), flags_(fcntl(descriptor, F_GETFL)) {}
  ~KeepFlags() {
    if (flags_ >= 0) fcntl(descriptor_, F_SETFL, flags_);
  }
  KeepFlags(const KeepFlags&) = delete;
  KeepFlags& operator=(const KeepFlags&) = delete;

 private:
  int descriptor_;
  int flags_;
};

class StdioLoop {
 public:
  explicit StdioLoop(StdioOptions options)
      : log_(options.log),
        input_(io_, dup(options.input)),
        output_(io_, dup(options.output)),
        last_words_(io_),
        parent_(io_, options.log),
        server_(Connect(std::move(options))) {}

  int Run() {
    Read();
    io_.run();
    return exit_code_;
  }

 private:
  LspServer::Outside Connect(StdioOptions options) {
    LspServer::Outside outside;
    outside.send = [this](const nlohmann::json& message) {
      Write(protocol::EncodeFrame(protocol::Dump(message)));
    };
    outside.post = [this](std::function<void()> task) { asio::post(io_, std::move(task)); };
    outside.on_process_end = [this](int64_t process_id, std::function<void()> task) {
      parent_.Watch(process_id, std::move(task));
    };
    outside.exit = [this](int exit_code) { Finish(exit_code); };
    outside.make_completer = std::move(options.make_completer);
    outside.find_language = std::move(options.find_language);
    outside.log = std::move(options.log);
    outside.defaults = std::move(options.defaults);
    outside.version = std::move(options.version);
    return outside;
  }

  void Read() {
    input_.async_read_some(asio::buffer(read_buffer_),
                           [this](const error_code& error, size_t bytes) {
                             if (error || bytes == 0) {
                               if (!finished_) server_.OnInputEnd();
                               return;
                             }
                             frames_.Append(std::string_view(read_buffer_.data(), bytes));
                             while (!finished_) {
                               const auto frame = frames_.Next();
                               if (!frame) break;
                               server_.OnFrame(*frame);
                             }
                             if (!finished_) Read();
                           });
  }

  void Write(std::string bytes) {
    if (client_gone_) return;
    unwritten_.push_back(std::move(bytes));
    if (unwritten_.size() == 1) WriteFront();
  }

  void WriteFront() {
    asio::async_write(
        output_, asio::buffer(unwritten_.front()), [this](const error_code& error, size_t) {
          if (error) {
            log_->error("the client does not take answers any more: {}", error.message());
            client_gone_ = true;
            unwritten_.clear();
            if (!finished_) server_.OnInputEnd();
            return StopWhenWritten();
          }
          unwritten_.pop_front();
          if (!unwritten_.empty()) return WriteFront();
          StopWhenWritten();
        });
  }

  void Finish(int exit_code) {
    exit_code_ = exit_code;
    finished_ = true;
    last_words_.expires_after(kLastWords);
    last_words_.async_wait([this](const error_code&) { io_.stop(); });
    StopWhenWritten();
  }

  void StopWhenWritten() {
    if (finished_ && (unwritten_.empty() || client_gone_)) io_.stop();
  }

  asio::io_context io_{1};
  std::shared_ptr<spdlog::logger> log_;
  asio::posix::stream_descriptor input_;
  asio::posix::stream_descriptor output_;
  asio::steady_timer last_words_;
  ParentWatch parent_;
  protocol::FrameReader frames_;
  std::array<char, size_t{64} << 10> read_buffer_{};
  std::deque<std::string> unwritten_;  // the front one is being written
  bool client_gone_ = false;
  bool finished_ = false;
  int exit_code_ = 1;
  LspServer server_;  // last: it calls into all of the above
};

}  // namespace

int RunStdio(StdioOptions options, const std::function<void(int exit_code)>& on_end) {
  const int input = options.input;
  const int output = options.output;
  StdioLoop loop(std::move(options));
  int exit_code = 1;
  {
    const KeepFlags keep_input(input);
    const KeepFlags keep_output(output);
    exit_code = loop.Run();
  }
  on_end(exit_code);
  return exit_code;
}

}  // namespace tenon::server
