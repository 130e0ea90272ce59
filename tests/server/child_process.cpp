#include "tests/server/child_process.h"

#include <array>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tenon::server {
namespace {

constexpr int kPatienceMs = 20000;

}  // namespace

MessagePipe::~MessagePipe() {
  CloseInput();
  CloseOutput();
}

void MessagePipe::WriteBytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(write_end_, bytes.data(), bytes.size());
    if (written <= 0) return;  // the server ended; the test sees that by what it receives
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void MessagePipe::CloseInput() {
  if (write_end_ >= 0) close(write_end_);
  write_end_ = -1;
}

void MessagePipe::CloseOutput() {
  if (read_end_ >= 0) close(read_end_);
  read_end_ = -1;
}

std::optional<nlohmann::json> MessagePipe::Receive() {
  while (true) {
    if (const auto frame = frames_.Next())
      return nlohmann::json::parse(std::get<std::string>(*frame));
    pollfd ready{read_end_, POLLIN, 0};
    if (poll(&ready, 1, kPatienceMs) <= 0) return std::nullopt;
    std::array<char, 4096> buffer{};
    const ssize_t bytes = read(read_end_, buffer.data(), buffer.size());
    if (bytes <= 0) return std::nullopt;
    frames_.Append(std::string_view(buffer.data(), static_cast<size_t>(bytes)));
  }
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> to_child{};
  std::array<int, 2> from_child{};
  if (pipe2(to_child.data(), O_CLOEXEC) != 0 || pipe2(from_child.data(), O_CLOEXEC) != 0) return;
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(to_child[0], STDIN_FILENO);
    dup2(from_child[1], STDOUT_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(to_child[0]);
  close(from_child[1]);
  pipe_.emplace(to_child[1], from_child[0]);
}

ChildProcess::~ChildProcess() {
  if (!status_) {
    Kill();
    Wait();
  }
}

void ChildProcess::Kill() {
  if (pid_ > 0 && !status_) kill(pid_, SIGKILL);
}

int ChildProcess::Wait() {
  for (int waited_ms = 0; !status_ && waited_ms < kPatienceMs; waited_ms += 5) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_)
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return status_.value_or(-1);
}

}  // namespace tenon::server
