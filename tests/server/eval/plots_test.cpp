#include "server/eval/plots.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

size_t CountOf(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

TEST(Plots, TextIsEscaped) {
  EXPECT_EQ(EscapeHtml("a<b> & \"c\"\n\té"), "a&lt;b&gt; &amp; &quot;c&quot;\n\té");
  EXPECT_EQ(EscapeHtml(std::string_view("\0\x1b", 2)), "\uFFFD\uFFFD");
}

TEST(Plots, AShareIsABarOfItsHeight) {
  const std::string svg = DrawBars(
      {"exact <lines>", {"off", "both"}, {{"go", {0.25, std::nullopt}}, {"c", {1.0, 0.0}}}});
  EXPECT_EQ(CountOf(svg, "<rect "), 3U) << "no bar for what is not known";
  EXPECT_EQ(CountOf(svg, "class=\"series0\""), 2U);
  EXPECT_EQ(CountOf(svg, "height=\"37.5\""), 1U) << svg;
  EXPECT_EQ(CountOf(svg, "height=\"150.0\""), 1U) << svg;
  EXPECT_EQ(CountOf(svg, "height=\"0.0\""), 1U) << svg;
  EXPECT_EQ(CountOf(svg, "go, off: 25 %"), 1U) << svg;
  EXPECT_EQ(CountOf(svg, "exact &lt;lines&gt;"), 2U) << svg;
}

TEST(Plots, AHistogramCountsEveryValueOnce) {
  const Histogram histogram = HistogramOf({0, 0.5, 9.99, 10, 19, 25, 39.9, 40, 1e9}, 4, 40);
  EXPECT_EQ(histogram.bin_width, 10);
  EXPECT_EQ(histogram.counts, (std::vector<size_t>{3, 2, 1, 3}));
  const std::string svg = DrawHistogram("both", histogram, 2);
  EXPECT_EQ(CountOf(svg, "<rect class=\"series2\""), 4U);
  EXPECT_EQ(CountOf(svg, "10 to 20 ms: 2"), 1U) << svg;
  EXPECT_EQ(CountOf(svg, "30 ms and more: 3"), 1U) << svg;
}

}  // namespace
}  // namespace tenon::server
