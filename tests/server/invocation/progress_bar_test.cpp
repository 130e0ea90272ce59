#include "server/invocation/progress_bar.h"

#include <sstream>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using std::chrono::seconds;

TEST(ProgressBar, TellsTheStepAndTheTimeLeft) {
  std::ostringstream err;
  std::chrono::steady_clock::time_point time;
  {
    ProgressBar bar(err, true, 4, ProgressBar::Steps::kEqual, [&time] { return time; });
    bar.Begin("a.py");
    EXPECT_NE(err.str().find("] 0/4 a.py"), std::string::npos) << err.str();
    EXPECT_EQ(err.str().find("left"), std::string::npos) << "nothing is known yet";
    time += seconds(30);
    bar.Begin("b.py");
    EXPECT_NE(err.str().find("] 1/4 b.py, 1 min 30 s left"), std::string::npos) << err.str();
    time += seconds(10);
    bar.Begin("c.py");
    EXPECT_NE(err.str().find("[===============               ] 2/4 c.py, 40 s left"),
              std::string::npos)
        << err.str();
  }
  EXPECT_TRUE(err.str().ends_with("\r\x1b[K")) << "wiped at the end";
}

TEST(ProgressBar, OfDifferentStepsTellsNoTime) {
  std::ostringstream err;
  ProgressBar bar(err, true, 2, ProgressBar::Steps::kDifferent,
                  [] { return std::chrono::steady_clock::time_point(); });
  bar.Begin("reading");
  bar.Begin("building");
  EXPECT_TRUE(err.str().ends_with("[===============               ] building")) << err.str();
}

TEST(ProgressBar, DrawsNothingAwayFromATerminal) {
  std::ostringstream err;
  {
    ProgressBar bar(err, false, 2, ProgressBar::Steps::kEqual,
                    [] { return std::chrono::steady_clock::time_point(); });
    bar.Begin("a");
  }
  EXPECT_EQ(err.str(), "");
}

TEST(ProgressBar, WritesDurationsInTheirUnits) {
  EXPECT_EQ(DurationText(seconds(0)), "0 s");
  EXPECT_EQ(DurationText(seconds(59)), "59 s");
  EXPECT_EQ(DurationText(seconds(200)), "3 min 20 s");
  EXPECT_EQ(DurationText(seconds(2 * 3600 + 5 * 60 + 1)), "2 h 5 min");
}

}  // namespace
}  // namespace tenon::server
