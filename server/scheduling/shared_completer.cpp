#include "server/scheduling/shared_completer.h"

#include <utility>

namespace tenon::server {

CompletionAnswer ReplaceableCompleter::Complete(const CompletionRequest& request,
                                                std::stop_token cancel) {
  return Inner()->Complete(request, std::move(cancel));
}

CompletionAnswer ReplaceableCompleter::CompleteAhead(const CompletionRequest& request,
                                                     std::stop_token stop) {
  return Inner()->CompleteAhead(request, std::move(stop));
}

CompletionAnswer ReplaceableCompleter::GoOn(std::stop_token stop) {
  return Inner()->GoOn(std::move(stop));
}

void ReplaceableCompleter::ReadAhead(const CompletionRequest& request, std::stop_token stop) {
  Inner()->ReadAhead(request, std::move(stop));
}

void ReplaceableCompleter::Use(std::shared_ptr<Completer> inner) {
  Completer& used = *inner;
  {
    const std::lock_guard lock(mutex_);
    inner_.swap(inner);
  }
  SetStatus(used.status());
  // The inner completer ends its threads before this one goes.
  used.WhenLoaded([this, &used] { SetStatus(used.status()); });
  used.WhenFailed(alive_, [this, &used] { SetStatus(used.status()); });
  used.WhenProgress(alive_, [this, &used] { SetStatus(used.status()); });
}

std::shared_ptr<Completer> ReplaceableCompleter::Inner() const {
  const std::lock_guard lock(mutex_);
  return inner_;
}

Completer& SharedCompleter::Start(const Settings& settings) {
  if (completer_ != nullptr) {
    TryAgain(settings);
    return *completer_;
  }
  completer_ = std::make_unique<ReplaceableCompleter>();
  completer_->Use(make_(settings));
  scheduler_.emplace(*completer_, post_, now_, later_);
  return *completer_;
}

void SharedCompleter::TryAgain(const Settings& settings) {
  if (completer_->status().state != CompleterState::kFailed) return;
  completer_->Use(make_(settings));
  ForgetExpired();
  for (const auto& [alive, then] : when_made_again_) then();
}

void SharedCompleter::WhenMadeAgain(std::weak_ptr<char> alive, std::function<void()> then) {
  ForgetExpired();
  when_made_again_.emplace_back(std::move(alive), std::move(then));
}

void SharedCompleter::ForgetExpired() {
  std::erase_if(when_made_again_, [](const auto& listener) { return listener.first.expired(); });
}

}  // namespace tenon::server
