#include "server/cli/cut_file.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

TEST(CutFile, HasTheContextsOfItsGap) {
  TemporaryFolder folder;
  const auto file = ReadCutFile(folder.Write("a.json", "[1, 2]"), "4-5");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->contexts().left, "[1, ");
  EXPECT_EQ(file->contexts().right, "]");
}

TEST(CutFile, AWrongPlaceIsWrongUsageAndAnAbsentFileAFailure) {
  TemporaryFolder folder;
  const std::string path = folder.Write("a.json", "[1, 2]");
  const auto fault = [](const std::string& file, const std::string& at) {
    return ReadCutFile(file, at).error();
  };
  EXPECT_EQ(fault(path, "x").message, "--at x: must be A or A-B, byte offsets");
  EXPECT_EQ(fault(path, "9").message,
            path + ": --at 9 lies after the end of the text, which has 6 bytes");
  EXPECT_EQ(fault(path, "3-2").message, path + ": --at 3-2 ends before it begins");
  for (const char* at : {"x", "9", "3-2"}) EXPECT_EQ(fault(path, at).status, kExitWrongUsage);
  EXPECT_EQ(fault("/nowhere", "1").status, kExitFailed);
}

}  // namespace
}  // namespace tenon::server
