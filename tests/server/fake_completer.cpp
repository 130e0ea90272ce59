#include "tests/server/fake_completer.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "server/request/line_ends.h"
#include "server/request/visible_text.h"

namespace tenon::server {
namespace {

std::string TermsOf(const CompletionRequest& request) {
  constexpr std::array<const char*, 3> kConstraints = {"off", "left", "both"};
  return fmt::format("{} {} {} {} {} {}. {}", request.max_tokens, ToString(request.scope),
                     kConstraints.at(static_cast<size_t>(request.constraint)), request.temperature,
                     request.seed, request.level, request.other_files);
}

}  // namespace

CompletionAnswer FakeCompleter::Complete(const CompletionRequest& request, std::stop_token cancel) {
  ++calls_;
  const auto contains = [&request](std::string_view word) {
    return request.text->find(word) != std::string::npos;
  };
  CompletionAnswer answer;
  std::unique_lock lock(mutex_);
  last_request_ = request;
  if (contains("SLOW")) {
    waiting_ = true;
    waiting_for_ = cancel;
    blocked_.notify_all();
    woken_.wait(lock, cancel, [] { return false; });
    waiting_ = false;
    ++stopped_;
    answer.cancelled = true;
    return answer;
  }
  if (contains("NOTHING")) {
    answer.reason = "the fake completer was told to offer nothing";
    return answer;
  }
  if (request.on_progress) {
    const std::vector<TokenId> prompt(100);
    request.on_progress({64, prompt, {}});
    request.on_progress({100, prompt, "ans"});
    if (contains("STEPS") && !contains("CUT")) {
      writing_ = true;
      blocked_.notify_all();
      woken_.wait(lock, cancel, [this] { return writes_on_; });
      writing_ = writes_on_ = false;
      request.on_progress({100, prompt, "answ"});
      if (cancel.stop_requested()) {
        ++stopped_;
        return CompletionAnswer::Cancelled();
      }
    }
  }
  CompletionItem item;
  item.text = contains("LINES") ? "answer(\n    1)" : "answer";
  if (!request.line_end.empty()) item.text = WithLineEnds(item.text, request.line_end);
  const auto is_none_of = [](const std::vector<std::string>& others, const std::string& text) {
    return std::all_of(others.begin(), others.end(),
                       [&text](const std::string& other) { return AreDistinct(text, other); });
  };
  for (const char* other : {"instead", "otherwise"}) {
    if (!is_none_of(request.unwanted, item.text)) item.text = other;
  }
  item.unneeded = contains("UNNEEDED");
  if (contains("UNSURE")) item.nats = {{item.text.size(), 2.3}};
  if (contains("BUDGET"))
    item.text = request.time_budget ? std::to_string(request.time_budget->count()) : "unlimited";
  if (contains("TERMS")) item.text = TermsOf(request);
  item.range_begin_bytes = request.offset_bytes;
  item.range_end_bytes = request.offset_bytes + (contains("TAIL") ? 1 : 0);
  item.guarantee = Guarantee::kFile;
  if (contains("COMMA") && request.adds_missing_sign) {
    const size_t above = request.text->rfind('\n', request.offset_bytes - 1);
    item.missing_sign = MissingSign{above, ","};
  }
  item.tokens = 3;
  if (contains("LATE")) answer.timings_ms["total"] = 400;
  answer.cut_by_time = contains("CUT");
  if (answer.cut_by_time) item.ended = Ended::kTime;
  const size_t wanted = static_cast<size_t>(request.candidates);
  for (const std::string& text : {item.text, std::string("second"), std::string("third")}) {
    if (answer.items.size() >= wanted) break;
    item.text = text;
    if (is_none_of(request.already_offered, text)) answer.items.push_back(item);
  }
  answer.statistics = DecodeStatistics{.drawn = 3, .refused = 2, .masks = 1, .forced = 1};
  return answer;
}

CompletionAnswer FakeCompleter::CompleteAhead(const CompletionRequest& request,
                                              std::stop_token stop) {
  Note("complete ", request);
  CompletionAnswer answer;
  if (request.text->find("NOTHING") != std::string::npos) return answer;
  if (request.text->find("SLOW") != std::string::npos) return GoOn(std::move(stop));
  CompletionItem item;
  item.text = "next";
  item.range_begin_bytes = item.range_end_bytes = request.offset_bytes;
  item.guarantee = Guarantee::kFile;
  answer.items.push_back(std::move(item));
  return answer;
}

CompletionAnswer FakeCompleter::GoOn(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  CompletionAnswer answer;
  const bool writes = last_request_.text->find("STEPS") != std::string::npos;
  if (writes) {
    writing_ = true;
    blocked_.notify_all();
    woken_.wait(lock, stop, [this] { return writes_on_; });
    writing_ = writes_on_ = false;
  }
  if (!stop.stop_requested() && (writes || last_request_.text->find("LONG") != std::string::npos)) {
    CompletionItem item;
    item.text = "answered at length";
    item.range_begin_bytes = item.range_end_bytes = last_request_.offset_bytes;
    item.guarantee = Guarantee::kFile;
    answer.items.push_back(std::move(item));
    ++went_on_;
    return answer;
  }
  going_on_ = true;
  blocked_.notify_all();
  woken_.wait(lock, stop, [] { return false; });
  going_on_ = false;
  ++went_on_;
  answer.cancelled = true;
  return answer;
}

void FakeCompleter::ReadAhead(const CompletionRequest& request, std::stop_token stop) {
  Note("read ", request);
  if (request.text->find("SLOW") != std::string::npos) (void)GoOn(std::move(stop));
}

void FakeCompleter::Note(const std::string& work, const CompletionRequest& request) {
  const std::lock_guard lock(mutex_);
  std::string text = *request.text;
  ahead_.push_back(work + text.insert(request.offset_bytes, "|"));
}

std::vector<std::string> FakeCompleter::ahead() {
  const std::lock_guard lock(mutex_);
  return ahead_;
}

void FakeCompleter::WaitUntilGoingOn() {
  std::unique_lock lock(mutex_);
  blocked_.wait(lock, [this] { return going_on_; });
}

void FakeCompleter::WaitUntilWriting() {
  std::unique_lock lock(mutex_);
  blocked_.wait(lock, [this] { return writing_; });
}

void FakeCompleter::WriteOn() {
  const std::lock_guard lock(mutex_);
  writes_on_ = true;
  woken_.notify_all();
}

void FakeCompleter::set_percent(int percent) {
  SetStatus({CompleterState::kLoading, "loading", percent});
}

void FakeCompleter::set_state(CompleterState state) {
  switch (state) {
    case CompleterState::kLoading:
      return SetStatus({state, "loading"});
    case CompleterState::kReady:
      return SetStatus({state, "fake model"});
    case CompleterState::kFailed:
      return SetStatus({state, "no model at 'missing.gguf'; run tools/setup"});
  }
}

void FakeCompleter::WaitUntilBlocked() {
  std::unique_lock lock(mutex_);
  blocked_.wait(lock, [this] { return waiting_ && !waiting_for_.stop_requested(); });
}

bool FakeCompleter::IsBlocked() {
  const std::lock_guard lock(mutex_);
  return waiting_ && !waiting_for_.stop_requested();
}

CompletionRequest FakeCompleter::last_request() {
  const std::lock_guard lock(mutex_);
  return last_request_;
}

}  // namespace tenon::server
