#include "model/kernels/worker_pool.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <system_error>
#include <utility>

namespace tenon::model {
namespace {

// A thread waits by spinning for this long before it sleeps.
constexpr auto kSpin = std::chrono::microseconds(40);
constexpr int kSpinsBetweenClocks = 64;
constexpr uint64_t kGenerationStep = uint64_t{1} << 32;

uint32_t NextOf(uint64_t ticket) { return ticket & 0xffff; }
uint32_t CountOf(uint64_t ticket) { return ticket >> 16 & 0xffff; }
uint64_t GenerationOf(uint64_t ticket) { return ticket >> 32; }

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

WorkerPool::WorkerPool(int threads, const std::function<void()>& on_start) {
  assert(threads >= 1 && "the caller itself is one thread");
  try {
    for (int slot = 1; slot < threads; ++slot) {
      threads_.emplace_back([this, slot, on_start] {
        if (on_start) on_start();
        Work(slot);
      });
    }
  } catch (const std::system_error&) {
    // The system starts no more threads: those that run have to do.
  }
}

WorkerPool::~WorkerPool() {
  stop_.store(true);
  ticket_.fetch_add(kGenerationStep);
  ticket_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::TakePieces(int slot) {
  uint64_t ticket = ticket_.load(std::memory_order_acquire);
  while (NextOf(ticket) < CountOf(ticket)) {
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
    // Run cannot return before this piece is counted, so piece_ belongs to the ticket's task.
    try {
      (*piece_)(first_piece_ + static_cast<int>(NextOf(ticket)), slot);
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      failure_ = std::current_exception();
    }
    if (finished_.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<int>(CountOf(ticket)))
      finished_.notify_one();
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void WorkerPool::Work(int slot) {
  uint64_t seen = 0;
  while (!stop_.load(std::memory_order_relaxed)) {
    const auto give_up = std::chrono::steady_clock::now() + kSpin;
    uint64_t ticket = ticket_.load(std::memory_order_acquire);
    for (int i = 1; GenerationOf(ticket) == seen; ++i) {
      if (i % kSpinsBetweenClocks == 0 && std::chrono::steady_clock::now() > give_up) {
        ticket_.wait(ticket, std::memory_order_acquire);
      }
      Pause();
      ticket = ticket_.load(std::memory_order_acquire);
    }
    seen = GenerationOf(ticket);
    TakePieces(slot);
  }
}

void WorkerPool::Run(int count, const std::function<void(int, int)>& piece) {
  if (threads_.empty() || count <= 1) {
    for (int i = 0; i < count; ++i) piece(i, 0);
    return;
  }
  piece_ = &piece;
  for (int first = 0; first < count; first += kMaxPieces)
    RunTask(first, std::min(count - first, kMaxPieces));
}

void WorkerPool::RunTask(int first, int count) {
  first_piece_ = first;
  finished_.store(0, std::memory_order_relaxed);
  const uint64_t generation = GenerationOf(ticket_.load(std::memory_order_relaxed)) + 1;
  ticket_.store((generation & 0xffffffff) << 32 | static_cast<uint64_t>(count) << 16,
                std::memory_order_release);
  ticket_.notify_all();
  TakePieces(0);
  const auto give_up = std::chrono::steady_clock::now() + kSpin;
  int finished = finished_.load(std::memory_order_acquire);
  for (int i = 1; finished < count; ++i) {
    // The thread of the last piece may be waiting for this very core: sleep and let it run.
    if (i % kSpinsBetweenClocks == 0 && std::chrono::steady_clock::now() > give_up) {
      finished_.wait(finished, std::memory_order_acquire);
    }
    Pause();
    finished = finished_.load(std::memory_order_acquire);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace tenon::model
