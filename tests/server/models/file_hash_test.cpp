#include "server/models/file_hash.h"

#include <chrono>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

// FIPS 180-4's examples, from NIST's page of them, and the empty text.
TEST(FileHash, IsThatOfTheStandardsExamples) {
  const TemporaryFolder folder;
  EXPECT_EQ(Sha256OfFile(folder.Write("abc", "abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256OfFile(folder.Write("none", "")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256OfFile(folder.Write("million", std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(FileHash, TellsHowFarItIs) {
  const TemporaryFolder folder;
  std::vector<uint64_t> done;
  ASSERT_TRUE(Sha256OfFile(folder.Write("a", std::string(3'000'000, 'a')), {},
                           [&done](uint64_t bytes) { done.push_back(bytes); }));
  EXPECT_EQ(done, (std::vector<uint64_t>{1 << 20, 2 << 20, 3'000'000}));
}

TEST(FileHash, AnUnhurriedOneRestsNineTimesAsLongAsABlockTook) {
  using std::chrono::milliseconds;
  std::chrono::nanoseconds now = milliseconds(100);
  std::vector<std::chrono::nanoseconds> rests;
  const HashProgress hear = Unhurried([&now] { return now; },
                                      [&](std::chrono::nanoseconds time) {
                                        rests.push_back(time);
                                        now += time;
                                      });
  for (const int block_ms : {2, 0, 5}) {
    now += milliseconds(block_ms);
    hear(1);
  }
  EXPECT_EQ(rests, (std::vector<std::chrono::nanoseconds>{milliseconds(18), milliseconds(0),
                                                          milliseconds(45)}));
}

TEST(FileHash, AStopAndWhatIsNoFileAreErrors) {
  const TemporaryFolder folder;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(Sha256OfFile(folder.Write("a", "a"), stop.get_token()));
  EXPECT_FALSE(Sha256OfFile(folder.path()));
  const auto absent = Sha256OfFile(folder.path() / "absent");
  ASSERT_FALSE(absent);
  EXPECT_NE(absent.error().find("absent: is no file"), std::string::npos) << absent.error();
}

}  // namespace
}  // namespace tenon::server
