#include "tests/server/in_process_server.h"

#include <chrono>
#include <utility>

#include <spdlog/sinks/ostream_sink.h>

namespace tenon::server {

using nlohmann::json;

InProcessServer::InProcessServer(Settings defaults, std::shared_ptr<SessionRecord> record) {
  LspServer::Outside outside;
  outside.send = [this](const json& message) { sent_.push_back(message); };
  const PostTask post = [this](std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    posted_.notify_all();
  };
  const auto make = [this](const Settings& settings) -> std::unique_ptr<Completer> {
    CompleterState state = CompleterState::kReady;
    if (settings.model == "slow.gguf") state = CompleterState::kLoading;
    if (settings.model == "missing.gguf") state = CompleterState::kFailed;
    auto completer = std::make_unique<FakeCompleter>(state);
    completer_ = completer.get();
    return completer;
  };
  const auto put_off = [this](std::chrono::milliseconds, std::function<void()> task) {
    put_off_.push_back(std::move(task));
  };
  const auto now = [this] { return time_.load(); };
  shared_ = std::make_unique<SharedCompleter>(make, post, put_off, now);
  outside.post = post;
  outside.service.completer = shared_.get();
  outside.service.find_language = [](std::string_view id,
                                     std::string_view name) -> std::optional<std::string> {
    if (id == "python" || id == "json") return std::string(id);
    return name.ends_with(".recipe") ? std::optional<std::string>("recipe") : std::nullopt;
  };
  outside.on_process_end = [this](int64_t process_id, std::function<void()> task) {
    watched_process_ = process_id;
    on_process_end_ = std::move(task);
  };
  outside.exit = [this](int exit_code) { exit_code_ = exit_code; };
  outside.service.log = std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_text_));
  outside.service.log->set_pattern("%l: %v");
  outside.service.languages = [] { return std::vector<std::string>{"json", "python"}; };
  outside.service.settings = SettingLayers(std::move(defaults));
  outside.service.version = "0.1.0";
  outside.service.record = std::move(record);
  outside.now = now;
  server_ = std::make_unique<LspServer>(std::move(outside));
}

InProcessServer::~InProcessServer() { server_.reset(); }

void InProcessServer::Feed(std::string_view bytes) {
  frames_.Append(bytes);
  while (const auto frame = frames_.Next()) server_->OnFrame(*frame);
  Settle();
}

void InProcessServer::Send(const json& message) { Feed(protocol::EncodeFrame(message.dump())); }

void InProcessServer::EndInput() {
  server_->OnInputEnd();
  Settle();
}

void InProcessServer::LoadPercent(int percent) {
  completer_->set_percent(percent);
  Settle();
}

void InProcessServer::FinishLoading() {
  completer_->set_state(CompleterState::kReady);
  Settle();
}

void InProcessServer::FailModel() {
  completer_->set_state(CompleterState::kFailed);
  Settle();
}

void InProcessServer::Settle() {
  RunTasksUntil([this] { return server_->idle(); });
}

void InProcessServer::SettleAhead() {
  RunTasksUntil([this] { return server_->resting(); });
}

void InProcessServer::RunTasksUntil(const std::function<bool()>& done) {
  while (true) {
    std::unique_lock lock(mutex_);
    if (tasks_.empty()) {
      lock.unlock();
      if (done() || !put_off_.empty() || (completer_ != nullptr && completer_->IsBlocked())) return;
      lock.lock();
      posted_.wait_for(lock, std::chrono::milliseconds(1), [this] { return !tasks_.empty(); });
    }
    if (tasks_.empty()) continue;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }
}

void InProcessServer::RunPutOff() {
  for (const auto& task : std::exchange(put_off_, {})) task();
  Settle();
}

std::vector<json> InProcessServer::Take() { return std::exchange(sent_, {}); }

void InProcessServer::Start(json params) {
  Send({{"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"}, {"params", std::move(params)}});
  Send({{"jsonrpc", "2.0"}, {"method", "initialized"}, {"params", json::object()}});
  sent_.clear();
}

void InProcessServer::Open(const std::string& uri, const std::string& language_id,
                           const std::string& text) {
  Send({{"jsonrpc", "2.0"},
        {"method", "textDocument/didOpen"},
        {"params",
         {{"textDocument",
           {{"uri", uri}, {"languageId", language_id}, {"version", 1}, {"text", text}}}}}});
}

}  // namespace tenon::server
