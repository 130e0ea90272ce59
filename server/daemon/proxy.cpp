#include "server/daemon/proxy.h"

#include <optional>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "protocol/json_rpc.h"
#include "protocol/lsp_types.h"
#include "server/daemon/message_stream.h"
#include "server/daemon/proxy_memory.h"
#include "server/lsp/keep_flags.h"
#include "server/lsp/parent_watch.h"

namespace tenon::server {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;
using nlohmann::json;
using protocol::ErrorCode;

// One side is read while the other has no more than this to take.
constexpr size_t kMaxQueuedBytes = size_t{1} << 20;
// How long the last answers may take when the editor has gone.
constexpr std::chrono::seconds kLastWords{2};

class Proxy {
 public:
  Proxy(asio::io_context& io, ProxyOptions options)
      : io_(io),
        options_(std::move(options)),
        editor_(std::make_shared<MessageStream>(io, FileDescriptor(dup(options_.input)),
                                                FileDescriptor(dup(options_.output)))),
        pause_(io),
        last_words_(io),
        parent_(io, options_.log) {}

  int Run() {
    asio::co_spawn(io_, ReadEditor(), asio::detached);
    io_.run();
    return exit_code_;
  }

 private:
  asio::awaitable<void> ReadEditor() {
    co_await editor_->Read([this](const protocol::Frame& frame) { OnEditor(frame); },
                           [this] { return UntilDaemonTakes(); });
    if (!ending_ && !end_when_served_)
      options_.log->info("the client closed the connection without 'exit'");
    EndSoon(1);
  }

  asio::awaitable<void> UntilDaemonTakes() {
    const auto daemon = daemon_;
    if (daemon != nullptr) co_await daemon->Drain(kMaxQueuedBytes);
  }

  void OnEditor(const protocol::Frame& frame) {
    if (ending_ || end_when_served_) return;
    const auto* body = std::get_if<std::string>(&frame);
    if (body == nullptr) {
      const std::string& fault = std::get<protocol::FramingError>(frame).message;
      Tell(protocol::MakeError(std::nullopt, ErrorCode::kParseError, fault));
      return OnLostMessage(fault);
    }
    const auto message = protocol::ParseMessage(*body);
    if (!message) {
      const protocol::MessageError& fault = message.error();
      if (!fault.in_response) Tell(protocol::MakeError(fault.id, fault.code, fault.message));
      if (fault.may_be_notification()) OnLostMessage(fault.message);
      return;
    }
    if (const auto* request = std::get_if<protocol::Request>(&*message);
        request != nullptr && AnswersHere(*request))
      return;
    const auto* notification = std::get_if<protocol::Notification>(&*message);
    const bool exit = notification != nullptr && notification->method == "exit";
    const bool is_request = std::holds_alternative<protocol::Request>(*message);
    const bool begins = !memory_.initialize_seen();
    if (memory_.FromEditor(*message, *body)) {
      if (daemon_ != nullptr)
        daemon_->Send(*body);
      else if ((is_request && !begins) || exit)
        unsent_.push_back(*body);
    }
    if (exit) EndSoon(memory_.shutdown_seen() ? 0 : 1);
  }

  // A message that cannot be read may have been an edit.
  void OnLostMessage(const std::string& fault) {
    memory_.OnLostMessage();
    if (daemon_ != nullptr)
      daemon_->Send(
          protocol::Dump(protocol::MakeNotification("tenon/lostMessage", {{"fault", fault}})));
  }

  // Requests that no daemon can answer, and the beginning of the work.
  bool AnswersHere(const protocol::Request& request) {
    const bool begun = memory_.initialize_seen();
    if (!begun && request.method != "initialize") {
      Tell(protocol::MakeError(request.id, ErrorCode::kServerNotInitialized,
                               "'initialize' must come first"));
      return true;
    }
    if (!begun && !request.params.is_object()) {
      Tell(protocol::MakeError(request.id, ErrorCode::kInvalidParams,
                               "'initialize' needs an object as params"));
      return true;
    }
    if (!begun) {
      initialize_params_ = request.params;
      WatchEditor();
      asio::co_spawn(io_, ServeByDaemons(), asio::detached);
      return false;
    }
    // The first daemon gets the requests that could not wait for its answer to `initialize`.
    if (daemon_ != nullptr || !memory_.initialize_answered()) return false;
    if (request.method == "shutdown") memory_.OnShutdown();
    Tell(ProxyMemory::Nothing(request.id, request.method, request.params));
    if (given_up_ && Clock::now() - *given_up_ >= options_.rest) {
      given_up_.reset();
      asio::co_spawn(io_, ServeByDaemons(), asio::detached);
    }
    return true;
  }

  void WatchEditor() {
    const json* process = protocol::Find(initialize_params_, "processId");
    if (process == nullptr || !process->is_number_integer()) return;
    parent_.Watch(process->get<int64_t>(), [this] {
      options_.log->info("the client's process ended");
      BeginEnd(1);
      editor_->Close();
    });
  }

  // One daemon after the other, until the end.
  asio::awaitable<void> ServeByDaemons() {
    for (size_t tried = 0; !ending_; ++tried) {
      if (tried == options_.pauses.size()) break;
      if (options_.pauses[tried].count() > 0) {
        pause_.expires_after(options_.pauses[tried]);
        (void)co_await pause_.async_wait(asio::as_tuple(asio::use_awaitable));
        if (ending_) break;
      }
      auto reached = co_await options_.reach(initialize_params_);
      if (ending_) break;
      if (!reached) {
        options_.log->error("no daemon: {}", reached.error());
        continue;
      }
      const Clock::time_point begun = Clock::now();
      co_await Serve(*std::move(reached));
      if (ending_) break;
      options_.log->error("the daemon has ended; the next one gets the buffers");
      if (Clock::now() - begun >= options_.steady) tried = 0;
    }
    if (!ending_ && !memory_.initialize_answered()) {
      options_.log->warn("this process serves, with a model of its own");
      co_await Serve(options_.serve_here(io_));
    }
    if (ending_)
      End();
    else
      GiveUp();
  }

  // Passes messages on between the editor and the daemon until the daemon is gone.
  asio::awaitable<void> Serve(FileDescriptor socket) {
    FileDescriptor output(dup(socket.number()));
    const auto daemon = std::make_shared<MessageStream>(io_, std::move(socket), std::move(output));
    daemon_ = daemon;
    for (const std::string& body : memory_.Replay()) daemon->Send(body);
    for (const std::string& body : std::exchange(unsent_, {})) daemon->Send(body);
    if (end_when_served_) BeginEnd(*end_when_served_);
    co_await daemon->Read([this](const protocol::Frame& frame) { OnDaemon(frame); },
                          [this] { return editor_->Drain(kMaxQueuedBytes); });
    daemon_ = nullptr;
    daemon->Close();
    for (const json& message : memory_.Forget()) Tell(message);
  }

  void OnDaemon(const protocol::Frame& frame) {
    const auto* body = std::get_if<std::string>(&frame);
    if (body == nullptr) return;
    const auto message = protocol::ParseMessage(*body);
    if (!message) return editor_->Send(*body);  // an error without an id
    const ProxyMemory::Verdict verdict = memory_.FromDaemon(*message);
    if (verdict.forward) editor_->Send(*body);
    if (verdict.answer && daemon_ != nullptr) daemon_->Send(protocol::Dump(*verdict.answer));
  }

  void Tell(const json& message) { editor_->Send(protocol::Dump(message)); }

  void GiveUp() {
    given_up_ = Clock::now();
    for (const json& message : memory_.Forget()) Tell(message);
    const std::string text = fmt::format(
        "tenon: its daemon ended {} times in a row, so there are no completions for now; {}",
        options_.pauses.size(), options_.where_to_look);
    options_.log->error("{}", text);
    if (std::exchange(told_, true)) return;
    Tell(protocol::MakeShowMessage(protocol::MessageType::kError, text));
  }

  // Where `initialize` waits for the first daemon, the end waits for it, too.
  void EndSoon(int exit_code) {
    const bool waits = memory_.initialize_seen() && !memory_.initialize_answered();
    if (waits && daemon_ == nullptr && !end_when_served_)
      end_when_served_ = exit_code;
    else if (!end_when_served_)
      BeginEnd(exit_code);
  }

  // The daemon sees the end of the connection, or has had `exit`; what it still says is passed on.
  void BeginEnd(int exit_code) {
    if (std::exchange(ending_, true)) return;
    exit_code_ = exit_code;
    parent_.Stop();
    pause_.cancel();
    last_words_.expires_after(kLastWords);
    last_words_.async_wait([this](const boost::system::error_code& error) {
      if (!error) CloseAll();
    });
    if (daemon_ != nullptr) return daemon_->CloseOutput();
    for (const json& message : memory_.Forget()) Tell(message);
    End();
  }

  void End() { asio::co_spawn(io_, LastWords(), asio::detached); }

  asio::awaitable<void> LastWords() {
    co_await editor_->Drain(0);
    CloseAll();
  }

  void CloseAll() {
    last_words_.cancel();
    editor_->Close();
    if (daemon_ != nullptr) daemon_->Close();
  }

  asio::io_context& io_;
  ProxyOptions options_;
  std::shared_ptr<MessageStream> editor_;
  std::shared_ptr<MessageStream> daemon_;  // null: there is none
  ProxyMemory memory_;
  json initialize_params_;
  asio::steady_timer pause_;
  asio::steady_timer last_words_;
  ParentWatch parent_;
  std::optional<Clock::time_point> given_up_;
  // Requests and `exit` before the first daemon was reached.
  std::vector<std::string> unsent_;
  std::optional<int> end_when_served_;  // the exit status then
  bool told_ = false;
  bool ending_ = false;
  int exit_code_ = 1;
};

}  // namespace

int RunProxy(asio::io_context& io, ProxyOptions options) {
  const KeepFlags keep_input(options.input);
  const KeepFlags keep_output(options.output);
  Proxy proxy(io, std::move(options));
  return proxy.Run();
}

}  // namespace tenon::server
