#include "server/request/checked_completer.h"

#include <utility>

namespace tenon::server {

CheckedCompleter::CheckedCompleter(std::unique_ptr<Completer> inner, Check check)
    : inner_(std::move(inner)), check_(std::move(check)) {
  SetStatus(inner_->status());
  inner_->WhenProgress(alive_, [this, &inner = *inner_] { SetStatus(inner.status()); });
  checker_ = std::jthread([this](const std::stop_token& stop) { RunCheck(stop); });
}

CheckedCompleter::~CheckedCompleter() {
  checker_.request_stop();
  checker_.join();
}

void CheckedCompleter::RunCheck(const std::stop_token& stop) {
  const CompleterStatus loaded = inner_->WaitUntilLoaded(stop);
  if (loaded.state == CompleterState::kLoading) return;
  SetStatus(loaded);
  if (loaded.state != CompleterState::kReady) return;
  if (auto fault = check_(stop)) SetStatus({CompleterState::kFailed, *std::move(fault)});
}

CompletionAnswer CheckedCompleter::UnlessFailed(CompletionAnswer answer) const {
  const CompleterStatus now = status();
  return now.state == CompleterState::kFailed ? CompletionAnswer::Nothing(now.message)
                                              : std::move(answer);
}

CompletionAnswer CheckedCompleter::Complete(const CompletionRequest& request,
                                            std::stop_token cancel) {
  const CompleterStatus now = status();
  if (now.state == CompleterState::kFailed) return CompletionAnswer::Nothing(now.message);
  return UnlessFailed(inner_->Complete(request, std::move(cancel)));
}

CompletionAnswer CheckedCompleter::CompleteAhead(const CompletionRequest& request,
                                                 std::stop_token stop) {
  return UnlessFailed(inner_->CompleteAhead(request, std::move(stop)));
}

CompletionAnswer CheckedCompleter::GoOn(std::stop_token stop) {
  return UnlessFailed(inner_->GoOn(std::move(stop)));
}

void CheckedCompleter::ReadAhead(const CompletionRequest& request, std::stop_token stop) {
  if (status().state != CompleterState::kFailed) inner_->ReadAhead(request, std::move(stop));
}

}  // namespace tenon::server
