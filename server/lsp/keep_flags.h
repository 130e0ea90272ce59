// Keeps the flags of a file descriptor that other processes share.
//
// Asio switches its descriptors to non-blocking. The flag belongs to the open file, not to the
// process: a terminal on standard input would be non-blocking for the shell that started the
// program, too. A KeepFlags puts the flags back when it goes.
// Cost: two system calls. Thread rule: any thread.
#pragma once

#include <fcntl.h>

namespace tenon::server {

class KeepFlags {
 public:
  explicit KeepFlags(int descriptor)
      : descriptor_(descriptor), flags_(fcntl(descriptor, F_GETFL)) {}
  ~KeepFlags() {
    if (flags_ >= 0) fcntl(descriptor_, F_SETFL, flags_);
  }
  KeepFlags(const KeepFlags&) = delete;
  KeepFlags& operator=(const KeepFlags&) = delete;

 private:
  int descriptor_;
  int flags_;
};

}  // namespace tenon::server
