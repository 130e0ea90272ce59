#include "server/eval/asking.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stop_token>

#include "server/request/deadline_stop.h"
#include "server/request/words.h"
#include "server/settings/setting_values.h"

namespace tenon::server {
namespace {

std::string WithItem(const CursorPlace& at, const CompletionItem& item) {
  std::string text = at.text;
  text.replace(item.range_begin_bytes, item.range_end_bytes - item.range_begin_bytes, item.text);
  return text;
}

// The text between both sides of the cursor once the item is in its place; the item's own text
// where the item replaces more than the two sides share with it.
std::string TextAtCursor(const CursorPlace& at, const CompletionItem& item) {
  const std::string_view left = std::string_view(at.text).substr(0, at.offset_bytes),
                         right = std::string_view(at.text).substr(at.offset_bytes);
  const std::string after = WithItem(at, item);
  const bool joins =
      after.size() >= at.text.size() && after.starts_with(left) && after.ends_with(right);
  return joins ? after.substr(left.size(), after.size() - at.text.size()) : item.text;
}

}  // namespace

bool Offer::answered() const { return !IsBlank(text); }

CompletionRequest Asker::RequestAt(const CursorPlace& at, ConstraintMode constraint) const {
  CompletionRequest request;
  request.text = at.text;
  request.offset_bytes = at.offset_bytes;
  request.language_id = at.language;
  request.name = std::filesystem::path(at.path).filename().string();
  // Each constraint reads another right context, so each has caches of its own.
  request.document = at.path + "#" + ToString(constraint);
  request.other_texts = at.open;
  request.other_files = terms_.other_files;
  request.constraint = constraint;
  request.max_tokens = terms_.max_tokens;
  request.time_budget = terms_.time_budget;
  request.candidates = terms_.candidates;
  return request;
}

Offer Asker::Ask(const CursorPlace& at, ConstraintMode constraint,
                 std::chrono::milliseconds waited) const {
  CompletionRequest request = RequestAt(at, constraint);
  if (request.time_budget)
    request.time_budget = std::max(*request.time_budget - waited, std::chrono::milliseconds(0));
  const auto begun = now_() - waited;
  CompletionAnswer answer = completer_.Complete(request, std::stop_token());
  const std::chrono::duration<double, std::milli> took = now_() - begun;
  Offer offer;
  offer.ms = took.count();
  offer.reason = std::move(answer.reason);
  if (answer.statistics) {
    offer.requests = answer.statistics->requests;
    offer.wasted = answer.statistics->wasted;
  }
  if (answer.items.empty()) return offer;
  const CompletionItem& item = answer.items.front();
  if (!MayBeShownUnasked(item, at.text, at.offset_bytes, terms_.sureness)) {
    offer.reason = "withheld, the model is not sure";
    return offer;
  }
  for (size_t i = 1; i < answer.items.size(); ++i)
    offer.others.push_back(TextAtCursor(at, answer.items[i]));
  offer.text = TextAtCursor(at, item);
  offer.whole = WithItem(at, item);
  offer.ended = ToString(item.ended);
  offer.tokens = item.tokens;
  offer.line_sureness = SurenessOfLines(item.text, item.nats);
  return offer;
}

std::chrono::milliseconds Asker::Pause(const CursorPlace& at, ConstraintMode constraint) const {
  using std::chrono::milliseconds;
  if (!terms_.pause) return milliseconds(0);
  const auto next_key = now_() + *terms_.pause;
  // Where nothing is left to do the pause takes no time.
  const DeadlineStop stop(Deadline(terms_.pause, now_), {});
  (void)completer_.GoOn(stop.token());
  if (!stop.token().stop_requested()) completer_.ReadAhead(RequestAt(at, constraint), stop.token());
  return std::max(std::chrono::ceil<milliseconds>(now_() - next_key), milliseconds(0));
}

tl::expected<double, std::string> Asker::NatsOf(const CursorPlace& at,
                                                std::string_view middle) const {
  return completer_.NatsOf(RequestAt(at, ConstraintMode::kOff), middle);
}

void Asker::DropPrompt() const {
  // Only the markers of this prompt are shared with others.
  static_cast<void>(NatsOf({"-", 0, "", ""}, "-"));
}

}  // namespace tenon::server
