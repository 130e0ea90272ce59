// Keeps the flags of a file descriptor for whoever shares it.
//
// Asio switches descriptors to non-blocking, which a shell on the same terminal would notice; this
// switches them back. Cost: two system calls. Thread rule: any thread.
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
