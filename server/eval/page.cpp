#include "server/eval/page.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "protocol/json_rpc.h"
#include "server/eval/plots.h"

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr size_t kBins = 20;
constexpr size_t kMaxShownGaps = 200;

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>tenon eval</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.45 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; }
h2 { margin-top: 2em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { padding: .2em .7em; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child, td.text { text-align: left; }
.plots { display: flex; flex-wrap: wrap; gap: 1.5em; }
svg text { font: 11px sans-serif; fill: currentColor; }
svg text.title { font-size: 14px; font-weight: bold; }
svg line { stroke: #8886; }
.series0 { fill: #8a8f98; background: #8a8f98; }
.series1 { fill: #d08a2e; background: #d08a2e; }
.series2 { fill: #2f7fc1; background: #2f7fc1; }
.key span { display: inline-block; width: .9em; height: .9em; margin: 0 .3em 0 1em; }
pre { background: #8881; padding: .5em; overflow-x: auto; margin: .3em 0; }
.scroll { overflow-x: auto; }
</style>
</head>
<body>
)";

// A column of a table, or a plot: a member of the groups and its heading.
struct Measure {
  const char* member;
  const char* heading;
};

constexpr Measure kGapShares[] = {{"exact", "exact lines"},
                                  {"similarity", "edit similarity"},
                                  {"answered", "answered"},
                                  {"valid", "valid, of the answered"}};
constexpr Measure kTypingShares[] = {{"saved", "keystrokes saved"},
                                     {"right_prefix", "right prefix"},
                                     {"answered", "requests answered"}};

struct Shape {
  std::vector<Measure> shares;
  const char* unit;  // of the figure "count"
};

Shape ShapeOf(const json& result) {
  if (result.at("eval") == "typing")
    return {{std::begin(kTypingShares), std::end(kTypingShares)}, "regions"};
  return {{std::begin(kGapShares), std::end(kGapShares)}, "gaps"};
}

std::string TextOf(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "" : protocol::Dump(value);
}

std::string Figure(const json& value, int digits) {
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>(), digits) : "–";
}

// The different values of a member, in the groups' order.
std::vector<std::string> Values(const json& groups, const char* member) {
  std::vector<std::string> values;
  for (const json& group : groups) {
    const std::string value = group.value(member, "");
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

// One group of bars for each value of `by`, of the groups for which `fixed` has the first of its
// values: "all" where there are several.
BarPlot PlotOf(const json& groups, const Measure& measure, const char* by, const char* fixed) {
  BarPlot plot{measure.heading, Values(groups, "constraint"), {}};
  const std::string wanted = Values(groups, fixed).front();
  for (const std::string& name : Values(groups, by)) {
    BarPlot::Category category{name, std::vector<std::optional<double>>(plot.series.size())};
    for (const json& group : groups) {
      if (group.value(by, "") != name || group.value(fixed, "") != wanted) continue;
      const auto series = std::find(plot.series.begin(), plot.series.end(),
                                    group.at("constraint").get<std::string>()) -
                          plot.series.begin();
      const json& share = group.at(measure.member);
      if (share.is_number()) category.shares[static_cast<size_t>(series)] = share.get<double>();
    }
    plot.categories.push_back(std::move(category));
  }
  return plot;
}

std::string Key(const std::vector<std::string>& constraints) {
  std::string html = "<p class=\"key\">constraint:";
  for (size_t i = 0; i < constraints.size(); ++i)
    html += fmt::format("<span class=\"series{}\"></span>{}", i, EscapeHtml(constraints[i]));
  return html + "</p>\n";
}

std::string Table(const json& result, const Shape& shape) {
  const bool gaps = result.at("eval") == "gaps";
  std::string html = "<div class=\"scroll\"><table>\n<tr><th>language</th>";
  if (gaps) html += "<th>kind</th>";
  html += fmt::format("<th>constraint</th><th>{}</th>", shape.unit);
  for (const Measure& measure : shape.shares) html += fmt::format("<th>{}</th>", measure.heading);
  if (gaps) html += "<th>nats a byte</th>";
  html += "<th>p50 ms</th><th>p95 ms</th></tr>\n";
  for (const json& group : result.at("groups")) {
    html += fmt::format("<tr><td>{}</td>", EscapeHtml(group.value("language", "")));
    if (gaps) html += fmt::format("<td>{}</td>", EscapeHtml(group.value("kind", "")));
    html += fmt::format("<td>{}</td><td>{}</td>", EscapeHtml(group.value("constraint", "")),
                        TextOf(group.at("count")));
    for (const Measure& measure : shape.shares)
      html += fmt::format("<td>{}</td>", Figure(group.at(measure.member), 3));
    if (gaps) html += fmt::format("<td>{}</td>", Figure(group.at("nats_a_byte"), 3));
    const json& ms = group.at("ms");
    html += fmt::format("<td>{}</td><td>{}</td></tr>\n",
                        Figure(ms.is_object() ? ms.at("p50") : json(), 0),
                        Figure(ms.is_object() ? ms.at("p95") : json(), 0));
  }
  return html + "</table></div>\n";
}

std::string Latencies(const json& result, const std::vector<std::string>& constraints) {
  std::vector<double> all;
  const json& latencies = result.at("latencies_ms");
  for (const json& values : latencies)
    for (const json& value : values) all.push_back(value.get<double>());
  if (all.empty()) return "";
  std::sort(all.begin(), all.end());
  // The slowest hundredth does not stretch the scale.
  const double limit = std::max(all[(all.size() - 1) * 99 / 100] * 1.02, 1.0);
  std::string html = "<h2>Time from question to answer</h2>\n<div class=\"plots\">\n";
  for (size_t i = 0; i < constraints.size(); ++i) {
    if (!latencies.contains(constraints[i])) continue;
    html += DrawHistogram(
        "constraint " + constraints[i],
        HistogramOf(latencies.at(constraints[i]).get<std::vector<double>>(), kBins, limit), i);
  }
  return html + "</div>\n";
}

std::string Plots(const json& result, const Shape& shape) {
  const json& groups = result.at("groups");
  const auto constraints = Values(groups, "constraint");
  const bool gaps = result.at("eval") == "gaps";
  std::string html = "<h2>By language, in %</h2>\n" + Key(constraints) + "<div class=\"plots\">\n";
  for (const Measure& measure : shape.shares)
    html += DrawBars(PlotOf(groups, measure, "language", gaps ? "kind" : ""));
  html += "</div>\n";
  if (gaps) {
    html += "<h2>By kind of gap, in %</h2>\n" + Key(constraints) + "<div class=\"plots\">\n";
    for (const Measure& measure : shape.shares)
      html += DrawBars(PlotOf(groups, measure, "kind", "language"));
    html += "</div>\n";
  }
  return html + Latencies(result, constraints);
}

std::string OneByOne(const json& records) {
  std::string html = "<h2>The gaps one by one</h2>\n";
  size_t shown = 0;
  for (const json& record : records) {
    if (shown++ == kMaxShownGaps) {
      html += fmt::format("<p>and {} more</p>\n", records.size() - kMaxShownGaps);
      break;
    }
    html += fmt::format("<details><summary>{}, bytes {}, {}</summary>\n<table>\n",
                        EscapeHtml(record.value("path", "")), TextOf(record.at("at")),
                        EscapeHtml(record.value("kind", "")));
    html += fmt::format("<tr><td>cut out</td><td class=\"text\"><pre>{}</pre></td><td></td></tr>\n",
                        EscapeHtml(record.value("piece", "")));
    for (const auto& [constraint, answer] : record.at("answers").items()) {
      const bool answered = answer.at("answered").get<bool>();
      html += fmt::format(
          "<tr><td>{}</td><td class=\"text\"><pre>{}</pre></td><td>{}, {} ms</td></tr>\n",
          EscapeHtml(constraint),
          EscapeHtml(answered ? answer.value("text", "") : "– " + answer.value("reason", "")),
          answer.at("exact").get<bool>() ? "exact" : Figure(answer.at("similarity"), 2),
          Figure(answer.at("ms"), 0));
    }
    html += "</table></details>\n";
  }
  return html;
}

std::string SettingsTable(const json& result) {
  std::string html = "<h2>Settings</h2>\n<table>\n";
  for (const char* part : {"settings", "machine"}) {
    for (const auto& [name, value] : result.at(part).items())
      html += fmt::format("<tr><td>{}</td><td class=\"text\">{}</td></tr>\n", EscapeHtml(name),
                          EscapeHtml(TextOf(value)));
  }
  return html + "</table>\n";
}

}  // namespace

std::string PageOf(const json& result) {
  const Shape shape = ShapeOf(result);
  std::string html(kHead);
  html += fmt::format("<h1>tenon eval {}</h1>\n", EscapeHtml(result.at("eval").get<std::string>()));
  html += Table(result, shape);
  if (!result.at("groups").empty()) html += Plots(result, shape);
  if (result.at("eval") == "gaps") html += OneByOne(result.at("records"));
  return html + SettingsTable(result) + "</body>\n</html>\n";
}

}  // namespace tenon::server
