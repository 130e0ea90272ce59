#include "server/session/stage_trace.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

// The format allows a list without an end; a reader of JSON does not.
json Events(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  std::string all = text.str();
  all.erase(all.find_last_not_of(",\n") + 1);
  return json::parse(all + "]");
}

TEST(StageTrace, StagesLieInTheirRequestOneAfterTheOther) {
  TemporaryFolder folder;
  const std::string path = (folder.path() / "trace.json").string();
  const StageTrace::Time begun(milliseconds(1000));
  const auto trace = StageTrace::Begin(path, begun, {});
  ASSERT_TRUE(trace);
  EXPECT_EQ(Events(path), json::array());
  (*trace)->Add("inline 7", begun + milliseconds(5), begun + milliseconds(105),
                {{"gap", 10}, {"prefill", 50}, {"decode", 20}, {"total", 90}});
  const json events = Events(path);
  const std::vector<std::tuple<std::string, double, double>> expected = {{"inline 7", 5000, 100000},
                                                                         {"queue", 5000, 10000},
                                                                         {"gap", 15000, 10000},
                                                                         {"prefill", 25000, 50000},
                                                                         {"decode", 75000, 20000}};
  ASSERT_EQ(events.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(events[i]["name"], std::get<0>(expected[i]));
    EXPECT_DOUBLE_EQ(events[i]["ts"], std::get<1>(expected[i]));
    EXPECT_DOUBLE_EQ(events[i]["dur"], std::get<2>(expected[i]));
    EXPECT_EQ(events[i]["ph"], "X");
  }
}

TEST(StageTrace, AFileThatCannotBeWrittenIsNamed) {
  EXPECT_NE(StageTrace::Begin("/nowhere/trace.json", {}, {}).error().find("/nowhere/trace.json"),
            std::string::npos);
  EXPECT_FALSE(StageTrace::Begin("/tmp", {}, {}));
}

}  // namespace
}  // namespace tenon::server
