#include "server/files/new_file.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <vector>

#include <gtest/gtest.h>

#include "server/files/read_file.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

mode_t ModeOf(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 0777U;
}

TEST(NewFile, IsOfItsUserAloneFromTheBeginning) {
  const TemporaryFolder folder;
  const std::string fresh = (folder.path() / "fresh").string();
  const std::string old = folder.Write("old", "old text");
  ASSERT_EQ(chmod(old.c_str(), 0644), 0);
  const mode_t mask = umask(0);
  for (const std::string& path : {fresh, old}) {
    auto file = NewFile::Begin(path, "--record", {});
    ASSERT_TRUE(file) << file.error();
    EXPECT_EQ(ModeOf(path), 0600U);
    file->Write("a\n");
    file->Write("b\n");
    EXPECT_EQ(*ReadFile(path), "a\nb\n");
  }
  umask(mask);
}

TEST(NewFile, APathThatIsNoFileIsNamedWithItsOption) {
  const TemporaryFolder folder;
  const std::string pipe = (folder.path() / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {std::string("/nowhere/r"), std::string("/tmp"), pipe}) {
    const auto file = NewFile::Begin(path, "--record", {});
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().rfind(path + ": ", 0), 0U) << file.error();
    EXPECT_NE(file.error().find("give --record a path"), std::string::npos) << file.error();
  }
  EXPECT_EQ(NewFile::Begin(pipe, "--record", {}).error(),
            pipe + ": it is a pipe that nobody reads; give --record a path of a file");
}

// A disk that is full, by a limit of this process.
TEST(NewFile, TheFirstWriteThatFailsIsToldAndTheLast) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "r").string();
  std::vector<std::string> faults;
  auto file = NewFile::Begin(path, "--record",
                             [&faults](const std::string& fault) { faults.push_back(fault); });
  ASSERT_TRUE(file) << file.error();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{4, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  file->Write("abcdef");
  file->Write("g");
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  file->Write("h");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].rfind(path + ": is not written any more: ", 0), 0U) << faults[0];
  EXPECT_EQ(*ReadFile(path), "abcd");
}

}  // namespace
}  // namespace tenon::server
