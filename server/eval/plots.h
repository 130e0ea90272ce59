// Plots as SVG elements that stand inside a page: bars of shares, and histograms of times.
//
// Example: BarPlot with the categories "go" and "python" and the series "off" and "both" draws two
// groups of two bars, each with its figure above it. A share that is not known has no bar.
//
// Colours come from the classes `series0`, `series1`, ... of the page's style sheet; all else has
// the page's text colour. Nothing refers to anything outside of the element.
// Cost: linear in the bars. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

// `<`, `>`, `&` and quotes as HTML writes them; control characters other than line ends and tabs as
// U+FFFD.
[[nodiscard]] std::string EscapeHtml(std::string_view text);

struct BarPlot {
  std::string title;
  std::vector<std::string> series;
  struct Category {
    std::string name;
    std::vector<std::optional<double>> shares;  // 0 to 1, one for each of the series
  };
  std::vector<Category> categories;
};
[[nodiscard]] std::string DrawBars(const BarPlot& plot);

// How many values lie in each bin.
struct Histogram {
  double bin_width = 1;
  std::vector<size_t> counts;  // the last bin also holds all greater values
};
// `bins` bins from 0 to `limit`. REQUIRES: bins > 0, limit > 0.
[[nodiscard]] Histogram HistogramOf(const std::vector<double>& values, size_t bins, double limit);
// Bars over a scale in ms, in the colour of the series with this index.
[[nodiscard]] std::string DrawHistogram(std::string_view title, const Histogram& histogram,
                                        size_t series);

}  // namespace tenon::server
