#include "server/scheduling/typed_along.h"

#include <algorithm>

#include "server/scheduling/known_completions.h"

namespace tenon::server {
namespace {

// Does one of the two begin with the other?
bool Agree(std::string_view a, std::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  return a.substr(0, common) == b.substr(0, common);
}

}  // namespace

bool TypedAlong::Write(std::string_view middle) {
  const std::lock_guard lock(mutex_);
  written_ = middle;
  return Agree(*written_, typed_);
}

bool TypedAlong::Type(std::string_view typed) {
  const std::lock_guard lock(mutex_);
  typed_ = typed;
  return written_ && Agree(*written_, typed_);
}

std::optional<std::string_view> TypedSince(const CompletionRequest& request,
                                           std::string_view text) {
  const std::string_view asked = request.text;
  const size_t cursor = request.offset_bytes;
  if (text.size() < asked.size() || cursor > asked.size()) return std::nullopt;
  const size_t typed = text.size() - asked.size();
  if (text.substr(0, cursor) != asked.substr(0, cursor) ||
      text.substr(cursor + typed) != asked.substr(cursor))
    return std::nullopt;
  return text.substr(cursor, typed);
}

bool MayGoOnFrom(const CompletionRequest& earlier, const CompletionRequest& next) {
  if (!HaveSameTerms(earlier, next) || earlier.adds_missing_sign != next.adds_missing_sign ||
      earlier.candidates < next.candidates || !earlier.already_offered.empty() ||
      !next.already_offered.empty())
    return false;
  const auto typed = TypedSince(earlier, next.text);
  return typed && next.offset_bytes == earlier.offset_bytes + typed->size();
}

std::optional<CompletionAnswer> RestFor(const CompletionRequest& earlier,
                                        const CompletionAnswer& answer,
                                        const CompletionRequest& next) {
  KnownCompletions known;
  known.Add(earlier, answer);
  auto rest = known.Find(next);
  if (!rest) return std::nullopt;
  rest->is_rest = false;  // it was computed for `next`
  rest->statistics = answer.statistics;
  return rest;
}

}  // namespace tenon::server
