#include "server/daemon/daemon_reach.h"

#include <filesystem>
#include <fstream>
#include <optional>

#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include "server/daemon/local_socket.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using Reached = tl::expected<FileDescriptor, std::string>;

Reached Reach(const DaemonProgram& daemon) {
  boost::asio::io_context io{1};
  const auto log =
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::null_sink_mt>());
  std::optional<Reached> reached;
  boost::asio::co_spawn(
      io,
      [&]() -> boost::asio::awaitable<void> { reached.emplace(co_await ReachDaemon(daemon, log)); },
      boost::asio::detached);
  io.run();
  return *std::move(reached);
}

std::string ReadAll(const FileDescriptor& file) {
  std::string text(100, '\0');
  const ssize_t bytes = read(file.number(), text.data(), text.size());
  text.resize(bytes > 0 ? static_cast<size_t>(bytes) : 0);
  return text;
}

TEST(SocketName, DiffersWithEachDifference) {
  EXPECT_EQ(SocketName({"a", "b"}), SocketName({"a", "b"}));
  EXPECT_NE(SocketName({"a", "b"}), SocketName({"ab", ""}));
  EXPECT_NE(SocketName({"a"}), SocketName({"b"}));
  EXPECT_EQ(SocketName({}).size(), std::string("tenon-0123456789abcdef.sock").size());
}

TEST(FileState, DiffersWithSizeAndForAnAbsentFile) {
  const TemporaryFolder folder;
  const std::string file = folder.Write("a", "1");
  const std::string before = FileState(file);
  EXPECT_EQ(FileState(file), before);
  folder.Write("a", "12");
  EXPECT_NE(FileState(file), before);
  EXPECT_NE(FileState(file), FileState(folder.path() / "b"));
}

TEST(StartDaemon, StartsInASessionOfItsOwnWithNothingOfOurs) {
  const TemporaryFolder folder;
  DaemonProgram daemon;
  daemon.program = "/bin/sh";
  daemon.folder = folder.path();
  daemon.error_file = folder.path() / "errors";
  daemon.arguments = {"sh", "-c",
                      "read line || echo 'no input'; echo oops >&2; pwd; ls /proc/$$/fd"};
  const FileDescriptor inherited(dup(STDIN_FILENO));  // not closed at exec
  const auto output = StartDaemon(daemon);
  ASSERT_TRUE(output.has_value());
  std::string said;
  for (std::string part = ReadAll(*output); !part.empty(); part = ReadAll(*output)) said += part;
  EXPECT_EQ(said, "no input\n" + folder.path().string() + "\n0\n1\n2\n");
  std::ifstream errors(daemon.error_file);
  std::string line;
  EXPECT_TRUE(std::getline(errors, line) && line == "oops");
}

TEST(ReachDaemon, ConnectsToOneThatRunsAndStartsNone) {
  const TemporaryFolder folder;
  DaemonProgram daemon;
  daemon.socket = folder.path() / "d.sock";
  daemon.program = "/nowhere/program";
  const auto listening = ListenAtPath(daemon.socket);
  ASSERT_TRUE(listening.has_value());
  EXPECT_TRUE(Reach(daemon).has_value());
}

TEST(ReachDaemon, SaysWhereToLookWhenADaemonDoesNotStart) {
  const TemporaryFolder folder;
  DaemonProgram daemon;
  daemon.socket = folder.path() / "d.sock";
  daemon.program = "/bin/false";
  daemon.arguments = {"false"};
  daemon.folder = folder.path();
  daemon.error_file = folder.path() / "errors";
  const auto reached = Reach(daemon);
  ASSERT_FALSE(reached.has_value());
  EXPECT_NE(reached.error().find(daemon.error_file.string()), std::string::npos);
}

}  // namespace
}  // namespace tenon::server
