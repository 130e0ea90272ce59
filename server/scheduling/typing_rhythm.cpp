#include "server/scheduling/typing_rhythm.h"

#include <algorithm>
#include <vector>

namespace tenon::server {
namespace {

using Milliseconds = TypingRhythm::Milliseconds;

void Remember(std::deque<Milliseconds>& values, Milliseconds value) {
  values.push_back(value);
  if (values.size() > TypingRhythm::kRemembered) values.pop_front();
}

// The median. REQUIRES: some values.
Milliseconds Typical(const std::deque<Milliseconds>& values) {
  std::vector<Milliseconds> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace

void TypingRhythm::OnKey(Time now) {
  if (last_key_) {
    const auto passed = std::chrono::duration_cast<Milliseconds>(now - *last_key_);
    if (passed <= kPause) Remember(between_keys_, passed);
  }
  last_key_ = now;
}

void TypingRhythm::OnAnswer(Milliseconds took) { Remember(answers_, took); }

Milliseconds TypingRhythm::Wait(Time now) const {
  if (between_keys_.size() < kFewest || answers_.empty()) return Milliseconds(0);
  const Milliseconds key = Typical(between_keys_);
  if (Typical(answers_) < key) return Milliseconds(0);
  const auto passed = std::chrono::duration_cast<Milliseconds>(now - *last_key_);
  const Milliseconds wait = std::max(key * 5 / 4 - passed, Milliseconds(0));
  return wait <= kMaxWait ? wait : Milliseconds(0);
}

}  // namespace tenon::server
