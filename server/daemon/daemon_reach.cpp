#include "server/daemon/daemon_reach.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <xxhash.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "server/daemon/local_socket.h"

namespace tenon::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// A daemon that has said nothing by then does not start.
constexpr std::chrono::seconds kReachPatience{20};
// Before the second try, the third, ...: a daemon may end just when it is connected to.
constexpr std::array<std::chrono::milliseconds, 4> kPauses = {
    std::chrono::milliseconds(0), std::chrono::milliseconds(20), std::chrono::milliseconds(100),
    std::chrono::milliseconds(500)};

// In the forked child: only calls that are safe there.
[[noreturn]] void BecomeDaemon(const DaemonProgram& daemon, char* const* arguments, int output) {
  setsid();
  if (fork() != 0) _exit(0);
  const int nothing = open("/dev/null", O_RDWR);
  const int errors = open(daemon.error_file.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors >= 0 ? errors : nothing, STDERR_FILENO);
#ifdef SYS_close_range
  syscall(SYS_close_range, 3U, ~0U, 0U);  // what the editor has left open
#endif
  if (chdir(daemon.folder.c_str()) == 0) execv(daemon.program.c_str(), arguments);
  _exit(127);
}

// True when the daemon has said that clients can connect; false where it ended without a word.
asio::awaitable<bool> Ready(FileDescriptor output) {
  // The timer's handler may come after this coroutine, where its time ends as the word comes.
  const auto stream = std::make_shared<asio::posix::stream_descriptor>(
      co_await asio::this_coro::executor, output.Release());
  asio::steady_timer patience(stream->get_executor(), kReachPatience);
  patience.async_wait([stream](const error_code& error) {
    if (!error) stream->close();
  });
  std::array<char, 16> word{};
  const auto [error, bytes] =
      co_await stream->async_read_some(asio::buffer(word), asio::as_tuple(asio::use_awaitable));
  patience.cancel();
  co_return !error && bytes > 0;
}

}  // namespace

std::string SocketName(const std::vector<std::string>& differences) {
  std::string all;
  for (const std::string& difference : differences) all += difference + '\0';
  return fmt::format("tenon-{:016x}.sock", XXH3_64bits(all.data(), all.size()));
}

std::string FileState(const std::filesystem::path& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return file.string() + " absent";
  return fmt::format("{} {} {}.{}", file.string(), found.st_size, found.st_mtim.tv_sec,
                     found.st_mtim.tv_nsec);
}

tl::expected<FileDescriptor, std::string> StartDaemon(const DaemonProgram& daemon) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return tl::unexpected("no pipe: " + std::generic_category().message(errno));
  FileDescriptor reading(ends[0]);
  const FileDescriptor writing(ends[1]);
  std::vector<char*> arguments;
  arguments.reserve(daemon.arguments.size() + 1);
  for (const std::string& argument : daemon.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return tl::unexpected("no process: " + std::generic_category().message(errno));
  if (child == 0) BecomeDaemon(daemon, arguments.data(), writing.number());
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return reading;
}

asio::awaitable<tl::expected<FileDescriptor, std::string>> ReachDaemon(
    DaemonProgram daemon, std::shared_ptr<spdlog::logger> log) {
  std::string fault;
  asio::steady_timer pause(co_await asio::this_coro::executor);
  for (const std::chrono::milliseconds wait : kPauses) {
    if (wait.count() > 0) {
      pause.expires_after(wait);
      (void)co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    if (auto there = ConnectToPath(daemon.socket); there) co_return there;
    auto output = StartDaemon(daemon);
    if (!output) co_return tl::unexpected(output.error());
    const bool ready = co_await Ready(*std::move(output));
    auto connected = ConnectToPath(daemon.socket);
    if (connected) {
      log->info("a daemon was started at {}", daemon.socket.string());
      co_return connected;
    }
    fault = ready
                ? connected.error()
                : fmt::format("the daemon did not start; {} says why", daemon.error_file.string());
  }
  co_return tl::unexpected(fault);
}

}  // namespace tenon::server
