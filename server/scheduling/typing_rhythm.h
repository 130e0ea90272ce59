// How long a question waits for the next key: a person who types on does not want an answer that
// takes longer than the pause between two keys.
//
// Example: somebody presses a key every 120 ms, and answers take 400 ms. A question that comes
// 10 ms after a key waits for 140 ms more. With the next key another question supersedes it, and
// the model has computed nothing in vain. If no key comes, the person pauses, and the question is
// computed. Where answers take 50 ms no question waits.
//
//   wait = 1.25 * (typical time between keys) - (time since the last key)
//
// and none where the typical answer takes less than the typical time between keys, or little is
// known about either. Typical is the median of the last kRemembered. A longer time between two keys
// than kPause is a pause and says nothing about the rhythm. No question waits longer than kMaxWait:
// one whose next key would come later does not wait at all. The wait is a part of its time budget.
//
// Cost: some hundred bytes. Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <deque>
#include <optional>

namespace tenon::server {

class TypingRhythm {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Milliseconds = std::chrono::milliseconds;

  static constexpr size_t kRemembered = 15;
  static constexpr size_t kFewest = 5;
  static constexpr Milliseconds kPause{1000};
  static constexpr Milliseconds kMaxWait{150};

  void OnKey(Time now);
  // The model took so long for an answer.
  void OnAnswer(Milliseconds took);
  // For a question that nobody has asked for by hand.
  [[nodiscard]] Milliseconds Wait(Time now) const;

 private:
  std::optional<Time> last_key_;
  std::deque<Milliseconds> between_keys_;
  std::deque<Milliseconds> answers_;
};

}  // namespace tenon::server
