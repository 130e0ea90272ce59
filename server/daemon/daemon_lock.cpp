#include "server/daemon/daemon_lock.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

namespace tenon::server {
namespace {

bool Lock(const FileDescriptor& file, int command, short type) {
  struct flock whole {};
  whole.l_type = type;
  whole.l_whence = SEEK_SET;
  int result = 0;
  do {
    result = fcntl(file.number(), command, &whole);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

}  // namespace

tl::expected<DaemonLock, std::string> DaemonLock::Take(const std::filesystem::path& file) {
  DaemonLock lock;
  lock.file_ = FileDescriptor(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.file_.open()) {
    return tl::unexpected(fmt::format("{}: cannot be written: {}", file.string(),
                                      std::generic_category().message(errno)));
  }
  lock.first_ = Lock(lock.file_, F_OFD_SETLK, F_WRLCK);
  if (!lock.first_) (void)Lock(lock.file_, F_OFD_SETLKW, F_RDLCK);
  return lock;
}

void DaemonLock::Share() { (void)Lock(file_, F_OFD_SETLK, F_RDLCK); }

}  // namespace tenon::server
