// How a client's completions went: how quick they were, how many were shown, how many accepted.
// They stay in this process.
//
// Example: {"completion": {"count": 0}, "inlineCompletion": {"count": 12, "p50Ms": 81.5, "p95Ms":
// 210}, "shown": 9, "accepted": 4, "guarantees": {"file": 9}}. Where a remote engine has answered
// there is also {"remote": {"completions": 12, "requests": 14, "tokens": 130, "wasted": 7}}.
//
// A latency is the time from a request to its answer. Percentiles are those of the last kKept
// answers, by nearest rank. A suggestion that stays while the user writes along it is shown once.
//
// Cost: kKept numbers for each of two forms. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "server/request/completer.h"

namespace tenon::server {

class CompletionStatistics {
 public:
  static constexpr size_t kKept = 200;

  // `form`: "completion" or "inlineCompletion".
  void Answered(const std::string& form, double ms);
  void Shown(Guarantee guarantee);
  void Accepted() { ++accepted_; }
  // What a completion has cost, where a remote engine wrote it: its requests, the tokens of its
  // first middle, and those that were sent in vain.
  void Cost(const DecodeStatistics& of);
  [[nodiscard]] nlohmann::json ToJson() const;

 private:
  struct Latencies {
    size_t count = 0;
    std::deque<double> last_ms;
  };
  std::map<std::string, Latencies> latencies_;
  std::map<std::string, size_t> guarantees_;
  size_t shown_ = 0;
  size_t accepted_ = 0;
  size_t remote_completions_ = 0, remote_requests_ = 0, remote_tokens_ = 0, remote_wasted_ = 0;
};

}  // namespace tenon::server
