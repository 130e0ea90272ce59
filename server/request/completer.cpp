#include "server/request/completer.h"

#include <utility>

#include <fmt/format.h>

namespace tenon::server {
namespace {

// Without the listeners that are gone.
template <typename Listeners>
void DropGone(Listeners& listeners) {
  std::erase_if(listeners, [](const auto& listener) { return listener.alive.expired(); });
}

template <typename Listeners>
void Call(const Listeners& listeners) {
  for (const auto& listener : listeners) {
    if (const auto alive = listener.alive.lock()) listener.then();
  }
}

}  // namespace

bool MayBeShownUnasked(const CompletionItem& item, std::string_view text, size_t offset_bytes,
                       double least) {
  const auto is_made_up = [](const TokenNats& token) { return token.nats == kNobodyDrew; };
  if (std::any_of(item.nats.begin(), item.nats.end(), is_made_up)) return false;
  if (item.unneeded) return SurenessOf(VisibleNats(item.text, item.nats)) >= least;
  return !NeedsSureness(text, offset_bytes) || SurenessOf(item.nats) >= least;
}

const char* ToString(Guarantee g) {
  switch (g) {
    case Guarantee::kFile:
      return "file";
    case Guarantee::kRegion:
      return "region";
    case Guarantee::kSyntax:
      return "syntax";
    case Guarantee::kNone:
      return "none";
  }
  return "none";
}

const char* ToString(Ended e) {
  switch (e) {
    case Ended::kStop:
      return "stop";
    case Ended::kBudget:
      return "budget";
    case Ended::kTime:
      return "time";
    case Ended::kWitness:
      return "witness";
  }
  return "stop";
}

CompletionRequest WithSign(CompletionRequest request, const MissingSign& sign) {
  std::string text = *request.text;
  text.insert(sign.offset_bytes, sign.text);
  request.text = std::move(text);
  request.offset_bytes += sign.text.size();
  return request;
}

bool HaveSameTerms(const CompletionRequest& a, const CompletionRequest& b) {
  return a.language_id == b.language_id && a.name == b.name && a.any_language == b.any_language &&
         a.other_files == b.other_files && a.constraint == b.constraint &&
         a.max_tokens == b.max_tokens && a.scope == b.scope && a.level == b.level &&
         a.line_end == b.line_end && a.temperature == b.temperature && a.seed == b.seed &&
         a.prompt == b.prompt && a.regex == b.regex;
}

bool AskTheSame(const CompletionRequest& a, const CompletionRequest& b) {
  return a.offset_bytes == b.offset_bytes && a.time_budget == b.time_budget &&
         a.candidates == b.candidates && a.unwanted == b.unwanted &&
         a.already_offered == b.already_offered && HaveSameTerms(a, b) && a.text == b.text;
}

CompletionAnswer CompletionAnswer::Nothing(std::string reason) {
  CompletionAnswer answer;
  answer.reason = std::move(reason);
  return answer;
}

CompletionAnswer CompletionAnswer::Cancelled() {
  CompletionAnswer answer;
  answer.cancelled = true;
  return answer;
}

CompletionAnswer CompletionAnswer::Infeasible(uint32_t needs_tokens) {
  CompletionAnswer answer = Nothing(fmt::format("infeasible, needs {} tokens", needs_tokens));
  answer.needs_tokens = needs_tokens;
  return answer;
}

CompletionAnswer CompletionAnswer::Late(std::chrono::milliseconds time_budget,
                                        std::string_view when) {
  CompletionAnswer answer =
      Nothing(fmt::format("the time of {} ms ended {}", time_budget.count(), when));
  answer.cut_by_time = true;
  return answer;
}

CompletionAnswer Completer::CompleteAhead(const CompletionRequest& request, std::stop_token stop) {
  return Complete(request, std::move(stop));
}

CompletionAnswer Completer::GoOn(std::stop_token /*stop*/) { return CompletionAnswer::Cancelled(); }

void Completer::ReadAhead(const CompletionRequest& /*request*/, std::stop_token /*stop*/) {}

tl::expected<double, std::string> Completer::NatsOf(const CompletionRequest& /*request*/,
                                                    std::string_view /*middle*/) {
  return tl::unexpected(std::string("this completer has no model whose probabilities it knows"));
}

CompleterStatus Completer::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

CompleterStatus Completer::WaitUntilLoaded(const std::stop_token& stop) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return status_.state != CompleterState::kLoading; });
  return status_;
}

void Completer::WhenLoaded(std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    if (status_.state == CompleterState::kLoading) return when_loaded_.push_back(std::move(then));
  }
  then();
}

void Completer::WhenFailed(std::weak_ptr<void> alive, std::function<void()> then) {
  {
    const std::lock_guard lock(mutex_);
    DropGone(when_failed_);
    if (status_.state != CompleterState::kFailed)
      return when_failed_.push_back({std::move(alive), std::move(then)});
  }
  then();
}

void Completer::WhenProgress(std::weak_ptr<void> alive, std::function<void()> then) {
  const std::lock_guard lock(mutex_);
  DropGone(when_progress_);
  when_progress_.push_back({std::move(alive), std::move(then)});
}

void Completer::SetStatus(CompleterStatus status) {
  std::vector<std::function<void()>> due;
  std::vector<Listener> failed, progressed;
  {
    const std::lock_guard lock(mutex_);
    const bool is_loading = status.state == CompleterState::kLoading;
    if (is_loading && status.percent > status_.percent) progressed = when_progress_;
    status_ = std::move(status);
    if (!is_loading) due = std::exchange(when_loaded_, {});
    if (status_.state == CompleterState::kFailed) failed = std::exchange(when_failed_, {});
  }
  changed_.notify_all();
  for (const auto& then : due) then();
  Call(failed);
  Call(progressed);
}

}  // namespace tenon::server
