#include "server/lsp/session_record.h"

#include <sys/stat.h>

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
      path, "1.2.3", [&ms] { return std::chrono::steady_clock::time_point(milliseconds(ms)); });
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

TEST(SessionRecord, NobodyElseMayReadIt) {
  TemporaryFolder folder;
  const std::string path = folder.Write("session.jsonl", "old");
  ASSERT_TRUE(SessionRecord::Begin(path, "1", {}));
  struct stat status {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(SessionRecord, AFileThatCannotBeWrittenIsNamed) {
  EXPECT_NE(SessionRecord::Begin("/nowhere/r", "1", {}).error().find("/nowhere/r"),
            std::string::npos);
  EXPECT_FALSE(SessionRecord::Begin("/tmp", "1", {}));
}

}  // namespace
}  // namespace tenon::server
