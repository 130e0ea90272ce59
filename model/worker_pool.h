// A few threads that compute pieces of one task together with the caller.
//
// Run(count, piece) calls piece(index, slot) once for each index below count and returns when all are done. Pieces
// are claimed one by one, so a thread that the scheduler keeps waiting delays the task by one piece at most. Slots
// number the threads that take part (0 is the caller): room that a thread needs for itself is indexed by them.
//
// Why not OpenMP: its threads wait for each other in a spin loop; with any other process on one of two cores a
// parallel region then costs 10 ms instead of 0.05. Ours spin for some microseconds, as long as the next layer of
// a network is in coming, then sleep.
// Cost: 1 us a Run with threads awake, 50 us to wake them (the caller begins meanwhile). An exception of a piece is
// thrown again by Run. Thread rule: Run by one thread at a time; pieces run concurrently.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon::model {

class WorkerPool {
 public:
  // REQUIRES: threads >= 1, the caller counted. on_start runs first in each new thread.
  explicit WorkerPool(int threads, const std::function<void()>& on_start = {});
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // REQUIRES: 0 <= count < 65536.
  void Run(int count, const std::function<void(int index, int slot)>& piece);
  int slots() const { return static_cast<int>(threads_.size()) + 1; }

 private:
  void Work(int slot);
  // Claims and computes pieces until none is left of the task that is on.
  void TakePieces(int slot);

  // generation (32 bits) | count (16) | next piece (16): one word, so that claiming a piece also proves that the
  // task is still the one whose count was read.
  std::atomic<uint64_t> ticket_{0};
  std::atomic<int> finished_{0};
  std::atomic<bool> stop_{false};
  const std::function<void(int, int)>* piece_ = nullptr;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace tenon::model
