#include "server/session/session_record.h"

#include <fstream>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

TEST(SessionRecord, EachMessageIsALineWithItsTimeAndItsSpeaker) {
  TemporaryFolder folder;
  const std::string path = (folder.path() / "session.jsonl").string();
  int64_t ms = 100;
  const auto record = SessionRecord::Begin(
      path, "1.2.3", [&ms] { return std::chrono::steady_clock::time_point(milliseconds(ms)); }, {});
  ASSERT_TRUE(record);
  EXPECT_EQ((*record)->NewClient(), 1);
  (*record)->Add(1, SessionRecord::From::kClient, R"({"id":1})");
  ms = 130;
  (*record)->Add(1, SessionRecord::From::kServer, "{");
  std::ifstream in(path);
  std::vector<json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
  EXPECT_EQ(lines, (std::vector<json>{
                       {{"record", 1}, {"version", "1.2.3"}},
                       {{"ms", 0.0}, {"client", 1}, {"from", "client"}, {"message", {{"id", 1}}}},
                       {{"ms", 30.0}, {"client", 1}, {"from", "server"}, {"raw", "{"}}}));
}

TEST(SessionRecord, AFileThatCannotBeWrittenIsNamed) {
  const auto record = SessionRecord::Begin("/nowhere/r", "1", {}, {});
  ASSERT_FALSE(record);
  EXPECT_NE(record.error().find("/nowhere/r"), std::string::npos);
  EXPECT_NE(record.error().find("--record"), std::string::npos);
}

}  // namespace
}  // namespace tenon::server
