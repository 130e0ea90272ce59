#include "server/client/load_watch.h"

#include <utility>

#include "protocol/lsp_types.h"

namespace tenon::server {

using nlohmann::json;

namespace {

constexpr const char* kTryAgain = "Try again";

}  // namespace

void LoadWatch::Start(Completer& completer) {
  completer_ = &completer;
  WatchLoading();
}

void LoadWatch::Again() {
  if (watching_ != nullptr && loading_ == nullptr) WatchLoading();
}

void LoadWatch::WatchLoading() {
  if (completer_->status().state != CompleterState::kLoading) return OnEnd();
  if (parts_.client.work_done_progress) progress_.Start();
  percent_.Begin();
  loading_ = std::make_shared<char>();
  completer_->WhenProgress(loading_, Posts(&LoadWatch::OnPercent));
  completer_->WhenLoaded(Posts(&LoadWatch::OnEnd));
}

std::function<void()> LoadWatch::Posts(void (LoadWatch::*then)()) {
  return [this, then, watching = std::weak_ptr<char>(watching_), post = parts_.post] {
    post([this, then, watching] {
      if (!watching.expired()) (this->*then)();
    });
  };
}

void LoadWatch::OnPercent() {
  const CompleterStatus status = completer_->status();
  if (status.state != CompleterState::kLoading || !percent_.IsTold(status.percent, parts_.now()))
    return;
  progress_.Report(status.percent);
  parts_.on_status();
}

void LoadWatch::OnEnd() {
  const CompleterStatus status = completer_->status();
  loading_.reset();
  if (status.state == CompleterState::kReady) progress_.Report(100);
  progress_.End(status.message);
  parts_.on_status();
  if (status.state != CompleterState::kReady) {
    if (std::exchange(told_failure_, status.message) != status.message) TellFailure(status.message);
    return;
  }
  told_failure_.clear();
  parts_.log->info("ready: {}", status.message);
  completer_->WhenFailed(watching_, Posts(&LoadWatch::OnEnd));
  parts_.on_ready();
}

void LoadWatch::TellFailure(const std::string& message) {
  parts_.log->error("no completions: {}", message);
  json shown = protocol::MakeShowMessage(protocol::MessageType::kError, "tenon: " + message);
  if (!parts_.client.message_actions) return parts_.send(shown);
  json params = std::move(shown["params"]);
  params["actions"] = {{{"title", kTryAgain}}};
  parts_.requests.Send(
      "window/showMessageRequest", std::move(params), [this](const protocol::Response& response) {
        if (protocol::ReadString(response.result, "title").value_or("") != kTryAgain) return;
        told_failure_.clear();
        parts_.load_again();
      });
}

}  // namespace tenon::server
