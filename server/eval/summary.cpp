#include "server/eval/summary.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "server/request/percentile.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr const char* kAll = "all";

json Share(double part, double whole) { return whole > 0 ? json(part / whole) : json(); }

// The values of a member, "all" first where there is more than one.
std::vector<std::string> ValuesOf(const std::vector<json>& records, const char* member) {
  std::set<std::string> found;
  for (const json& record : records) found.insert(record.at(member).get<std::string>());
  std::vector<std::string> values;
  if (found.size() > 1) values.emplace_back(kAll);
  values.insert(values.end(), found.begin(), found.end());
  return values;
}

std::vector<std::string> ConstraintsOf(const std::vector<json>& records) {
  std::vector<std::string> constraints;
  for (const char* name : {"off", "left", "both"}) {
    const auto has = [name](const json& record) { return record.at("answers").contains(name); };
    if (std::any_of(records.begin(), records.end(), has)) constraints.emplace_back(name);
  }
  return constraints;
}

bool Is(const json& record, const char* member, const std::string& value) {
  return value == kAll || record.at(member) == value;
}

struct GapSums {
  double count = 0, exact = 0, exact_any = 0, similarity = 0, answered = 0, valid = 0, tokens = 0;
  double nats = 0, bytes = 0;  // of the gaps with nats
  std::vector<double> ms;

  void Add(const json& record, const json& answer) {
    ++count;
    exact += answer.at("exact").get<bool>() ? 1 : 0;
    exact_any += answer.value("exact_any", false) ? 1 : 0;
    similarity += answer.at("similarity").get<double>();
    answered += answer.at("answered").get<bool>() ? 1 : 0;
    valid += answer.at("valid").get<bool>() ? 1 : 0;
    tokens += answer.at("tokens").get<double>();
    ms.push_back(answer.at("ms").get<double>());
    if (!record.at("nats").is_number()) return;
    nats += record.at("nats").get<double>();
    bytes += record.at("bytes").get<double>();
  }
};

}  // namespace

json PercentilesOf(std::vector<double> values) {
  if (values.empty()) return nullptr;
  std::sort(values.begin(), values.end());
  return {{"p50", PercentileOf(values, 0.5)},
          {"p95", PercentileOf(values, 0.95)},
          {"max", values.back()}};
}

std::vector<json> SummariseGaps(const std::vector<json>& records) {
  std::vector<json> groups;
  for (const std::string& language : ValuesOf(records, "language")) {
    for (const std::string& kind : ValuesOf(records, "kind")) {
      for (const std::string& constraint : ConstraintsOf(records)) {
        GapSums sums;
        for (const json& record : records) {
          if (Is(record, "language", language) && Is(record, "kind", kind) &&
              record.at("answers").contains(constraint))
            sums.Add(record, record.at("answers").at(constraint));
        }
        if (sums.count == 0) continue;
        groups.push_back({{"language", language},
                          {"kind", kind},
                          {"constraint", constraint},
                          {"count", sums.ms.size()},
                          {"exact", sums.exact / sums.count},
                          {"exact_any", sums.exact_any / sums.count},
                          {"similarity", sums.similarity / sums.count},
                          {"answered", sums.answered / sums.count},
                          {"valid", Share(sums.valid, sums.answered)},
                          {"nats_a_byte", Share(sums.nats, sums.bytes)},
                          {"tokens", sums.tokens / sums.count},
                          {"ms", PercentilesOf(std::move(sums.ms))}});
      }
    }
  }
  return groups;
}

std::vector<json> SummariseTyping(const std::vector<json>& records) {
  static constexpr std::array kCounts = {
      "characters", "keys", "acceptances", "answered", "offered_characters", "right_characters"};
  std::vector<json> groups;
  for (const std::string& language : ValuesOf(records, "language")) {
    for (const std::string& constraint : ConstraintsOf(records)) {
      std::map<std::string, double> sums;
      std::vector<double> ms;
      size_t count = 0;
      for (const json& record : records) {
        if (!Is(record, "language", language) || !record.at("answers").contains(constraint))
          continue;
        const json& answer = record.at("answers").at(constraint);
        for (const char* name : kCounts) sums[name] += answer.at(name).get<double>();
        for (const json& value : answer.at("ms")) ms.push_back(value.get<double>());
        ++count;
      }
      if (count == 0) continue;
      const double pressed = sums["keys"] + sums["acceptances"];
      groups.push_back(
          {{"language", language},
           {"constraint", constraint},
           {"count", count},
           {"characters", sums["characters"]},
           {"requests", ms.size()},
           {"saved", Share(sums["characters"] - pressed, sums["characters"])},
           {"right_prefix", Share(sums["right_characters"], sums["offered_characters"])},
           {"answered", Share(sums["answered"], static_cast<double>(ms.size()))},
           {"acceptances", sums["acceptances"]},
           {"ms", PercentilesOf(std::move(ms))}});
    }
  }
  return groups;
}

json LatenciesOf(const std::vector<json>& records) {
  json latencies = json::object();
  for (const json& record : records) {
    for (const auto& [constraint, answer] : record.at("answers").items()) {
      json& all = latencies[constraint];
      const json& ms = answer.at("ms");
      if (!ms.is_array()) {
        all.push_back(ms);
        continue;
      }
      for (const json& value : ms) all.push_back(value);
    }
  }
  return latencies;
}

}  // namespace tenon::server
