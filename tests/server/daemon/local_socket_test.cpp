#include "server/daemon/local_socket.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

mode_t ModeOf(const fs::path& path) {
  struct stat found {};
  EXPECT_EQ(lstat(path.c_str(), &found), 0);
  return found.st_mode & 0777;
}

TEST(LocalSocket, ListensWhereOnlyTheUserReaches) {
  const TemporaryFolder folder;
  const fs::path mine = folder.path() / "tenon";
  ASSERT_TRUE(MakePrivateFolder(mine).has_value());
  EXPECT_EQ(ModeOf(mine), mode_t{0700});
  EXPECT_TRUE(MakePrivateFolder(mine).has_value()) << "a second time";
  const auto listening = ListenAtPath(mine / "s.sock");
  ASSERT_TRUE(listening.has_value()) << listening.error();
  EXPECT_EQ(ModeOf(mine / "s.sock"), mode_t{0600});
  EXPECT_TRUE(ConnectToPath(mine / "s.sock").has_value());
}

TEST(LocalSocket, RefusesAFolderThatOthersMayEnterOrThatIsNone) {
  const TemporaryFolder folder;
  const fs::path open = folder.path() / "open";
  fs::create_directory(open);
  fs::permissions(open, fs::perms::owner_all | fs::perms::group_exec);
  const auto made = MakePrivateFolder(open);
  ASSERT_FALSE(made.has_value());
  EXPECT_NE(made.error().find("others may enter it"), std::string::npos) << made.error();
  fs::create_directory_symlink(open, folder.path() / "link");
  EXPECT_FALSE(MakePrivateFolder(folder.path() / "link").has_value());
  const std::string file = folder.Write("file", "");
  EXPECT_FALSE(MakePrivateFolder(file).has_value());
  EXPECT_FALSE(MakePrivateFolder(fs::path(file) / "below").has_value());
}

TEST(LocalSocket, TakesTheNameOfASocketThatNobodyServesAndOfNothingElse) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "s.sock";
  { ASSERT_TRUE(ListenAtPath(path).has_value()); }
  EXPECT_TRUE(fs::exists(path));
  EXPECT_FALSE(ConnectToPath(path).has_value());
  EXPECT_TRUE(ListenAtPath(path).has_value());
  const std::string file = folder.Write("file", "precious");
  EXPECT_FALSE(ListenAtPath(file).has_value());
  EXPECT_TRUE(fs::exists(file));
}

TEST(LocalSocket, SaysThatANameIsTooLong) {
  const auto listening = ListenAtPath("/tmp/" + std::string(200, 'x'));
  ASSERT_FALSE(listening.has_value());
  EXPECT_NE(listening.error().find("too long"), std::string::npos);
}

TEST(LocalSocket, KnowsTheUserAtTheOtherEnd) {
  const auto [mine, its] = SocketPair();
  EXPECT_TRUE(PeerIs(mine.number(), geteuid()));
  EXPECT_FALSE(PeerIs(its.number(), geteuid() + 1));
}

TEST(LocalSocket, ListensOnAFreePortOfThisMachine) {
  const auto listening = ListenOnPort(0);
  ASSERT_TRUE(listening.has_value());
  EXPECT_TRUE(ConnectToPort(PortOf(*listening)).has_value());
  EXPECT_FALSE(ListenOnPort(PortOf(*listening)).has_value());
}

}  // namespace
}  // namespace tenon::server
