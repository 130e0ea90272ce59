// A few threads that share one task with the thread that calls.
//
// A task is `count` pieces. Run(count, piece) calls piece(index, slot) once for each index below
// count and returns when all pieces are done. A slot numbers a thread of the pool (0 is the
// caller), so memory that a piece needs for itself is indexed by the slot.
// Example: Run(5, piece) on a pool of two threads:
//
//   slot 0 (caller)  piece 0 | piece 2 | piece 3 | returns
//   slot 1           piece 1           | piece 4 | spins, then sleeps
//
// Threads claim pieces one by one, so a thread that the scheduler keeps waiting delays the task by
// one piece at most.
//
// Why not OpenMP: OpenMP's threads wait for each other in a spin loop; with any other process on
// one of two cores a parallel region then costs 10 ms instead of 0.05. Threads of this pool spin
// for some microseconds, about the time until the next layer of a network is due, then sleep.
// Cost: 1 us a Run while the threads are awake, 50 us to wake them (the caller begins meanwhile).
// Thread rule: Run is called by one thread at a time; pieces run concurrently. Run throws the
// exception of a piece again.
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
  // threads: with the caller; fewer where the system starts no more. REQUIRES: threads >= 1. Each
  // new thread first calls on_start.
  explicit WorkerPool(int threads, const std::function<void()>& on_start = {});
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // REQUIRES: count >= 0.
  void Run(int count, const std::function<void(int index, int slot)>& piece);
  int slots() const { return static_cast<int>(threads_.size()) + 1; }

 private:
  // Of a task: a ticket holds its number in 16 bits.
  static constexpr int kMaxPieces = 0xffff;

  // `count` pieces from `first` on.
  void RunTask(int first, int count);
  void Work(int slot);
  // Claims and computes pieces of the current task until none is left.
  void TakePieces(int slot);

  // generation (32 bits) | count (16) | next piece (16). A generation numbers a task. All three
  // are one word, so a claim of a piece also proves that the count belongs to the current task.
  std::atomic<uint64_t> ticket_{0};
  // Pieces of the current task that are done.
  std::atomic<int> finished_{0};
  std::atomic<bool> stop_{false};
  const std::function<void(int, int)>* piece_ = nullptr;
  int first_piece_ = 0;  // of the current task
  std::mutex failure_mutex_;
  // An exception of a piece of the current task, if there was one.
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace tenon::model
