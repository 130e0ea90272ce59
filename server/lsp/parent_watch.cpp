#include "server/lsp/parent_watch.h"

#include <cerrno>
#include <chrono>
#include <limits>
#include <utility>

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>
#include <csignal>

namespace tenon::server {
namespace {

using boost::system::error_code;

constexpr std::chrono::seconds kPollInterval{2};

bool IsAlive(pid_t process) { return kill(process, 0) == 0 || errno == EPERM; }

}  // namespace

ParentWatch::ParentWatch(boost::asio::io_context& io, std::shared_ptr<spdlog::logger> log)
    : process_(io), timer_(io), log_(std::move(log)) {}

void ParentWatch::Watch(int64_t process_id, std::function<void()> on_end) {
  if (process_id <= 0 || process_id > std::numeric_limits<pid_t>::max() ||
      !IsAlive(static_cast<pid_t>(process_id))) {
    log_->info("the client's process {} cannot be seen from here and is not watched", process_id);
    return;
  }
  on_end_ = std::make_shared<std::function<void()>>(std::move(on_end));
  const long descriptor = syscall(SYS_pidfd_open, static_cast<pid_t>(process_id), 0);
  if (descriptor < 0) return Poll(process_id);
  process_.assign(static_cast<int>(descriptor));
  process_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                      [this, watched = std::weak_ptr(on_end_)](const error_code& error) {
                        if (!error && !watched.expired()) OnEnd();
                      });
}

void ParentWatch::OnEnd() {
  const auto on_end = std::exchange(on_end_, nullptr);
  (*on_end)();
}

void ParentWatch::Stop() {
  on_end_.reset();
  error_code ignored;
  process_.close(ignored);
  timer_.cancel(ignored);
}

void ParentWatch::Poll(int64_t process_id) {
  timer_.expires_after(kPollInterval);
  timer_.async_wait([this, process_id, watched = std::weak_ptr(on_end_)](const error_code& error) {
    if (error || watched.expired()) return;
    if (!IsAlive(static_cast<pid_t>(process_id))) return OnEnd();
    Poll(process_id);
  });
}

}  // namespace tenon::server
