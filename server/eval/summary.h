// The figures of an evaluation: records of single gaps or regions, summed up by language, kind and
// constraint.
//
// Example: of 3 gaps in Python with the constraint "both", 2 completions equal the piece; the group
// {"language": "python", "kind": "all", "constraint": "both"} has "count" 3 and "exact" 0.667. The
// language "all", and the kind "all", is every gap.
//
// Shares are of all gaps; "valid" is of the answered ones. "nats_a_byte" is the sum of all nats
// over the sum of all bytes, so long pieces weigh more. A share that no gap has is null.
// Percentiles: server/request/percentile.h.
// Cost: a pass over the records a group. Thread rule: pure functions.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tenon::server {

// {"p50", "p95", "max"}; null for no values.
[[nodiscard]] nlohmann::json PercentilesOf(std::vector<double> values);

// Groups {"language", "kind", "constraint", "count", "exact", "exact_any", "similarity",
// "answered", "valid", "nats_a_byte", "tokens", "ms"} of the records of gaps.h.
[[nodiscard]] std::vector<nlohmann::json> SummariseGaps(const std::vector<nlohmann::json>& records);
// Groups {"language", "constraint", "count", "characters", "requests", "saved", "right_prefix",
// "answered", "acceptances", "ms"} of the records of typing.h. "answered" is the share of requests,
// "acceptances" a number.
[[nodiscard]] std::vector<nlohmann::json> SummariseTyping(
    const std::vector<nlohmann::json>& records);
// {constraint: [ms, ...]}: of every request, in the records' order.
[[nodiscard]] nlohmann::json LatenciesOf(const std::vector<nlohmann::json>& records);

}  // namespace tenon::server
