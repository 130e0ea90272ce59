// How much of a model's weights is read so far: bytes that several threads count.
//
// Example: of 1,000 bytes two threads read 300 and 200. The listener hears (300, 1000), then
// (500, 1000).
//
// Cost: a lock for each tensor. Thread rule: Add by any thread; the listener is called by one at a
// time, and its numbers grow.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace tenon::model {

using ReadProgress = std::function<void(uint64_t read_bytes, uint64_t all_bytes)>;

class ReadBytes {
 public:
  // The listener may be empty. REQUIRES: all_bytes > 0.
  ReadBytes(uint64_t all_bytes, ReadProgress listener)
      : all_bytes_(all_bytes), listener_(std::move(listener)) {}

  void Add(uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    read_bytes_ += bytes;
    if (listener_) listener_(read_bytes_, all_bytes_);
  }

 private:
  const uint64_t all_bytes_;
  const ReadProgress listener_;
  std::mutex mutex_;
  uint64_t read_bytes_ = 0;  // guarded by mutex_
};

}  // namespace tenon::model
