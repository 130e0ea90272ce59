// Which of several starting daemons serves: the first that locks the file beside the socket.
//
//   first daemon      write lock · removes a stale socket · listens · read lock, until it ends
//   second daemon     no write lock to have · waits for a read lock: the first listens · ends
//
// The kernel drops the lock of a process that ends, however it ends. So a socket whose file is not
// locked is stale, and whoever has the write lock may remove it. The file itself stays, empty.
//
// Source: fcntl(2), open file description locks, which change between write and read at once.
// Cost: a few system calls. Thread rule: one thread.
#pragma once

#include <filesystem>
#include <string>

#include <tl/expected.hpp>

#include "server/files/file_descriptor.h"

namespace tenon::server {

class DaemonLock {
 public:
  // Waits while another daemon starts. The error: the file cannot be made.
  [[nodiscard]] static tl::expected<DaemonLock, std::string> Take(
      const std::filesystem::path& file);

  // This process has the write lock. False: another one listens, or has just failed to.
  [[nodiscard]] bool first() const { return first_; }
  // Write lock to read lock: from now on others find that somebody listens.
  void Share();
  // No lock: the socket is removed, and the next daemon may start.
  void Drop() { file_.Reset(); }

 private:
  FileDescriptor file_;
  bool first_ = false;
};

}  // namespace tenon::server
