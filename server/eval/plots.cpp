#include "server/eval/plots.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tenon::server {
namespace {

// In pixels of the plot's own scale.
constexpr double kPlotHeight = 150;
constexpr double kTop = 30;
constexpr double kLeft = 40;
constexpr double kBarWidth = 26;
constexpr double kGroupGap = 22;
constexpr double kBelow = 24;

std::string Open(std::string_view title, double width, double height) {
  return fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" role=\"img\" "
      "aria-label=\"{}\">\n<text class=\"title\" x=\"0\" y=\"14\">{}</text>\n",
      width, height, width, height, EscapeHtml(title), EscapeHtml(title));
}

std::string Text(double x, double y, const char* anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     EscapeHtml(text));
}

std::string LineOf(double x1, double y1, double x2, double y2) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", x1, y1,
                     x2, y2);
}

// `tip` is shown while the pointer is over the bar.
std::string Bar(double x, double width, double share, size_t series, std::string_view tip) {
  const double height = kPlotHeight * std::clamp(share, 0.0, 1.0);
  return fmt::format(
      "<rect class=\"series{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
      "<title>{}</title></rect>\n",
      series, x, kTop + kPlotHeight - height, width, height, EscapeHtml(tip));
}

}  // namespace

std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') {
      escaped += "\uFFFD";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string DrawBars(const BarPlot& plot) {
  const double group = kBarWidth * static_cast<double>(plot.series.size()) + kGroupGap;
  const double width = std::max(kLeft + group * static_cast<double>(plot.categories.size()), 320.0);
  std::string svg = Open(plot.title, width, kTop + kPlotHeight + kBelow);
  for (const double share : {0.0, 0.5, 1.0}) {
    const double y = kTop + kPlotHeight * (1 - share);
    svg += LineOf(kLeft, y, width, y);
    svg += Text(kLeft - 4, y + 4, "end", fmt::format("{:.0f} %", 100 * share));
  }
  double x = kLeft + kGroupGap / 2;
  for (const BarPlot::Category& category : plot.categories) {
    const double begin = x;
    for (size_t i = 0; i < category.shares.size(); ++i, x += kBarWidth) {
      const std::optional<double>& share = category.shares[i];
      if (!share) continue;
      const std::string figure = fmt::format("{:.0f}", 100 * *share);
      svg += Bar(x + 1, kBarWidth - 2, *share, i,
                 fmt::format("{}, {}: {} %", category.name, plot.series[i], figure));
      svg += Text(x + kBarWidth / 2, kTop + kPlotHeight * (1 - std::clamp(*share, 0.0, 1.0)) - 3,
                  "middle", figure);
    }
    svg += Text((begin + x) / 2, kTop + kPlotHeight + 16, "middle", category.name);
    x += kGroupGap;
  }
  return svg + "</svg>\n";
}

Histogram HistogramOf(const std::vector<double>& values, size_t bins, double limit) {
  Histogram histogram{limit / static_cast<double>(bins), std::vector<size_t>(bins)};
  for (const double value : values) {
    const double bin = std::floor(std::max(value, 0.0) / histogram.bin_width);
    ++histogram.counts[static_cast<size_t>(std::min(bin, static_cast<double>(bins - 1)))];
  }
  return histogram;
}

std::string DrawHistogram(std::string_view title, const Histogram& histogram, size_t series) {
  constexpr double kBinPixels = 18;
  const size_t bins = histogram.counts.size();
  const size_t greatest = *std::max_element(histogram.counts.begin(), histogram.counts.end());
  const double width = kLeft + kBinPixels * static_cast<double>(bins) + 50;
  std::string svg = Open(title, width, kTop + kPlotHeight + kBelow);
  svg += LineOf(kLeft, kTop + kPlotHeight, width, kTop + kPlotHeight);
  svg += Text(kLeft - 4, kTop + 4, "end", fmt::format("{}", greatest));
  svg += Text(kLeft - 4, kTop + kPlotHeight + 4, "end", "0");
  for (size_t i = 0; i < bins; ++i) {
    const double x = kLeft + kBinPixels * static_cast<double>(i);
    const double from = histogram.bin_width * static_cast<double>(i);
    const size_t count = histogram.counts[i];
    const std::string range =
        i + 1 == bins ? fmt::format("{:.0f} ms and more", from)
                      : fmt::format("{:.0f} to {:.0f} ms", from, from + histogram.bin_width);
    svg += Bar(x, kBinPixels - 1,
               static_cast<double>(count) / static_cast<double>(std::max<size_t>(greatest, 1)),
               series, fmt::format("{}: {}", range, count));
    if (i % 5 == 0) svg += Text(x, kTop + kPlotHeight + 16, "middle", fmt::format("{:.0f}", from));
  }
  svg += Text(width, kTop + kPlotHeight + 16, "end", "ms");
  return svg + "</svg>\n";
}

}  // namespace tenon::server
