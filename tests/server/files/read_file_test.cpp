#include "server/files/read_file.h"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using testing::HasSubstr;

TEST(ReadFile, GivesTheBytesOrNamesTheFile) {
  TemporaryFolder folder;
  EXPECT_EQ(ReadFile(folder.Write("a", "x\r\n")), "x\r\n");
  const std::string large(200'001, 'x');  // several pieces
  EXPECT_EQ(ReadFile(folder.Write("b", large)), large);
  EXPECT_EQ(ReadFile(folder.Write("c", "")), "");
  const std::string absent = folder.path().string() + "/absent";
  EXPECT_EQ(ReadFile(absent).error(), absent + ": No such file or directory");
}

TEST(ReadFile, ReadsFilesThatAnnounceNoSize) {
  EXPECT_THAT(ReadFile("/proc/self/status").value_or(""), HasSubstr("Pid:"));
}

TEST(ReadFile, RefusesWhatIsNoFileWithoutWaitingForIt) {
  TemporaryFolder folder;
  const std::string pipe = folder.path().string() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadFile(pipe).error(), pipe + ": is a pipe; name a file");
  EXPECT_EQ(ReadFile(folder.path()).error(), folder.path().string() + ": is a folder; name a file");
  EXPECT_EQ(ReadFile("/dev/zero").error(), "/dev/zero: is a device; name a file");
}

TEST(ReadFile, ReadsNoMoreThanItsBound) {
  TemporaryFolder folder;
  const std::string path = folder.Write("a", "12345");
  EXPECT_EQ(ReadFile(path, 5), "12345");
  EXPECT_EQ(ReadFile(path, 4).error(),
            path + ": has 5 bytes, and at most 4 are read; name a smaller file");
  EXPECT_THAT(ReadFile("/proc/self/status", 4).error(), HasSubstr("more than 4 bytes"));
}

}  // namespace
}  // namespace tenon::server
