#include "server/offers/completion_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "server/request/percentile.h"

namespace tenon::server {
namespace {

// In tenths.
double Percentile(const std::vector<double>& ascending_ms, double share) {
  return std::round(PercentileOf(ascending_ms, share) * 10) / 10;
}

}  // namespace

void CompletionStatistics::Answered(const std::string& form, double ms) {
  Latencies& latencies = latencies_[form];
  ++latencies.count;
  latencies.last_ms.push_back(ms);
  if (latencies.last_ms.size() > kKept) latencies.last_ms.pop_front();
}

void CompletionStatistics::Shown(Guarantee guarantee) {
  ++shown_;
  ++guarantees_[ToString(guarantee)];
}

void CompletionStatistics::Cost(const DecodeStatistics& of) {
  if (of.requests == 0) return;
  ++remote_completions_;
  remote_requests_ += static_cast<size_t>(of.requests);
  remote_tokens_ += static_cast<size_t>(std::max(of.drawn - of.forced, 0));
  remote_wasted_ += static_cast<size_t>(of.wasted);
}

nlohmann::json CompletionStatistics::ToJson() const {
  nlohmann::json out = {{"shown", shown_}, {"accepted", accepted_}, {"guarantees", guarantees_}};
  for (const char* form : {"completion", "inlineCompletion"}) {
    out[form] = {{"count", 0}};
    const auto found = latencies_.find(form);
    if (found == latencies_.end()) continue;
    std::vector<double> sorted(found->second.last_ms.begin(), found->second.last_ms.end());
    std::sort(sorted.begin(), sorted.end());
    out[form] = {{"count", found->second.count},
                 {"p50Ms", Percentile(sorted, 0.5)},
                 {"p95Ms", Percentile(sorted, 0.95)}};
  }
  if (remote_completions_ > 0) {
    out["remote"] = {{"completions", remote_completions_},
                     {"requests", remote_requests_},
                     {"tokens", remote_tokens_},
                     {"wasted", remote_wasted_}};
  }
  return out;
}

}  // namespace tenon::server
