#include "server/scheduling/known_completions.h"

#include <algorithm>
#include <utility>

#include <xxhash.h>

#include "server/request/visible_text.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// Does a request with `time` get no more than what one with `cut` got?
bool NoMoreTime(const std::optional<std::chrono::milliseconds>& time,
                const std::optional<std::chrono::milliseconds>& cut) {
  return time && cut && *time <= *cut;
}

}  // namespace

KnownCompletions::Side KnownCompletions::Side::Of(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {text.size(), {hash.high64, hash.low64}};
}

bool KnownCompletions::Side::Is(std::string_view text) const {
  return text.size() == bytes && Of(text).checksum == checksum;
}

void KnownCompletions::Add(const CompletionRequest& request, const CompletionAnswer& answer) {
  if (answer.cancelled || answer.is_rest) return;
  const std::string_view text = request.text;
  const size_t cursor = request.offset_bytes;
  Known known;
  for (const CompletionItem& item : answer.items) {
    if (item.range_begin_bytes > cursor || item.range_end_bytes < cursor ||
        item.range_end_bytes > text.size())
      continue;
    known.items.push_back({Side::Of(text.substr(0, item.range_begin_bytes)),
                           std::string(text.substr(cursor, item.range_end_bytes - cursor)),
                           Side::Of(text.substr(item.range_end_bytes)), item});
  }
  if (known.items.empty()) return;
  known.terms = request;
  known.terms.text = {};
  known.terms.other_texts.clear();
  known.terms.on_progress = nullptr;
  known.cut_by_time = answer.cut_by_time;
  known_.push_front(std::move(known));
  if (known_.size() > kMaxAnswers) known_.pop_back();
}

std::optional<CompletionItem> KnownCompletions::RestOf(const Known& known, const Known::Item& of,
                                                       const CompletionRequest& request) {
  if (of.item.missing_sign && !request.adds_missing_sign) return std::nullopt;
  const std::string_view text = request.text, whole = of.item.text;
  const size_t cursor = request.offset_bytes, begin = of.before.bytes;
  if (cursor < known.terms.offset_bytes || cursor < begin || cursor > text.size() ||
      text.size() - cursor < of.after.bytes)
    return std::nullopt;
  const std::string_view written = text.substr(begin, cursor - begin);
  if (!whole.starts_with(written)) return std::nullopt;
  std::string_view rest = whole.substr(written.size());
  const size_t end = text.size() - of.after.bytes;
  const std::string_view between = text.substr(cursor, end - cursor);
  CompletionItem item = of.item;
  item.range_begin_bytes = item.range_end_bytes = cursor;
  if (between == of.replaced) {
    item.range_end_bytes = end;
  } else if (!between.empty() && rest.ends_with(between)) {
    rest.remove_suffix(between.size());
  } else {
    return std::nullopt;
  }
  if (IsBlank(rest) || !of.before.Is(text.substr(0, begin)) || !of.after.Is(text.substr(end)))
    return std::nullopt;
  if (std::any_of(request.unwanted.begin(), request.unwanted.end(),
                  [rest](const std::string& unwanted) { return !AreDistinct(rest, unwanted); }))
    return std::nullopt;
  item.text = rest;
  item.tokens = 0;
  item.unneeded = item.unneeded && written.empty();  // who writes it needs the rest
  std::erase_if(item.nats,
                [&](const TokenNats& token) { return token.end_bytes <= written.size(); });
  for (TokenNats& token : item.nats)
    token.end_bytes = std::min(token.end_bytes - written.size(), rest.size());
  return item;
}

std::optional<CompletionAnswer> KnownCompletions::RestOf(const Known& known,
                                                         const CompletionRequest& request) {
  CompletionAnswer answer;
  for (const Known::Item& of : known.items) {
    if (answer.items.size() >= static_cast<size_t>(request.candidates)) break;
    if (auto item = RestOf(known, of, request)) answer.items.push_back(*std::move(item));
  }
  if (answer.items.empty()) return std::nullopt;
  answer.is_rest = true;
  answer.cut_by_time = known.cut_by_time;
  return answer;
}

std::optional<CompletionAnswer> KnownCompletions::Find(const CompletionRequest& request) const {
  for (const Known& known : known_) {
    if (!HaveSameTerms(known.terms, request) || known.terms.candidates < request.candidates)
      continue;
    if (known.cut_by_time && !NoMoreTime(request.time_budget, known.terms.time_budget)) continue;
    if (auto answer = RestOf(known, request)) return answer;
  }
  return std::nullopt;
}

std::optional<CompletionAnswer> KnownCompletions::FindFewer(
    const CompletionRequest& request) const {
  for (const Known& known : known_) {
    if (!HaveSameTerms(known.terms, request) || known.cut_by_time) continue;
    if (auto answer = RestOf(known, request)) return answer;
  }
  return std::nullopt;
}

void AskBeside(const CompletionAnswer& known, CompletionRequest& request) {
  for (const CompletionItem& item : known.items) request.already_offered.push_back(item.text);
  request.candidates -= static_cast<int>(known.items.size());
}

CompletionRequest AskForAll(CompletionRequest beside) {
  beside.candidates += static_cast<int>(beside.already_offered.size());
  beside.already_offered.clear();
  return beside;
}

CompletionAnswer Joined(const CompletionAnswer& known, CompletionAnswer others) {
  others.items.insert(others.items.begin(), known.items.begin(), known.items.end());
  std::stable_sort(
      others.items.begin(), others.items.end(),
      [](const CompletionItem& a, const CompletionItem& b) { return a.ended < b.ended; });
  return others;
}

}  // namespace tenon::server
