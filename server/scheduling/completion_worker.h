// The thread that computes completions: one at a time, for all clients of the process.
//
// Clients are served in turn, each by its newest question. Example: a client has three documents
// with a question each, another client one. The worker computes for the first, then for the second,
// then for the first again.
//
// While nothing is asked the worker works ahead: it goes on with the last answer that its time cut
// short (Completer::GoOn), then it does the work given by WorkAhead. The next computation stops
// either.
//
//   I/O thread                       worker
//   Compute(c)       ->  queue  ->   Completer::Complete
//   on_answer(c, a)  <-  post   <-   its answer; where time has cut it short, Completer::GoOn:
//   on_whole(c, b)   <-  post   <-   all of it
//
// Cost: a thread, which sleeps while there is nothing to do.
// Thread rule: all functions on the I/O thread. The thread of the worker sees the computation
// alone, and hands its answer back by `post`.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include "server/request/completer.h"
#include "server/request/deadline.h"
#include "server/scheduling/typed_along.h"

namespace tenon::server {

// Runs a task on the I/O thread, after the task that runs there. May be called from any thread.
using PostTask = std::function<void(std::function<void()>)>;

// A completion that is to be computed. Both threads use it.
class Computation {
 public:
  Computation(uint64_t of_client, CompletionRequest of_request,
              std::chrono::steady_clock::time_point asked_at)
      : client(of_client), request(std::move(of_request)), asked(asked_at) {}

  const uint64_t client;
  const CompletionRequest request;
  const std::chrono::steady_clock::time_point asked;  // the time of the request begins here
  std::stop_source stop;
  TypedAlong typing;
};

// Work that nobody waits for.
struct AheadTask {
  // Hears on the I/O thread of an answer that nobody waits for. The request says how much time the
  // answer had.
  using Learn =
      std::function<void(const CompletionRequest& request, const CompletionAnswer& answer)>;
  enum class Kind : uint8_t {
    kRead,      // Completer::ReadAhead
    kComplete,  // Completer::CompleteAhead; `learn` hears of the answer
  };

  Kind kind = Kind::kRead;
  CompletionRequest request;
  Learn learn = {};
};

class CompletionWorker {
 public:
  using Hear = std::function<void(const std::shared_ptr<Computation>& computation,
                                  const CompletionAnswer& answer)>;
  struct Parts {
    Completer& completer;  // lives longer than the worker
    PostTask post;
    Deadline::Clock now;  // called by both threads
    // Once for each computation that was begun.
    Hear on_answer;
    // After an answer that its time has cut short: the whole answer, or a cancelled one.
    Hear on_whole;
  };

  explicit CompletionWorker(Parts parts);
  // Waits for the end of the running computation: its own stop source has to be stopped before.
  // Computations that were not handed back are dropped.
  ~CompletionWorker();
  CompletionWorker(const CompletionWorker&) = delete;
  CompletionWorker& operator=(const CompletionWorker&) = delete;

  void Compute(std::shared_ptr<Computation> computation);
  // False where the worker has begun it, or does not have it.
  bool TakeBack(const std::shared_ptr<Computation>& computation);
  // Takes the place of all other work ahead, of any client; nothing where it is the same work as
  // the last since the last computation.
  void WorkAhead(uint64_t client, AheadTask task);
  // The client asks nothing any more.
  void Forget(uint64_t client);
  // Something that nobody waits for runs, waits, or is on its way back.
  [[nodiscard]] bool works_ahead() const { return background_ > 0; }

 private:
  struct ClientAhead {
    uint64_t client = 0;
    AheadTask task;
  };

  // REQUIRES: mutex_ is held.
  void ForgetAhead(uint64_t client);
  // Takes the newest computation of the client whose turn it is. REQUIRES: mutex_ is held, and
  // queue_ is not empty.
  std::shared_ptr<Computation> Next();
  void Post(std::function<void()> task);
  // The worker's thread.
  void Run(const std::stop_token& ending);
  void Complete(std::shared_ptr<Computation> computation, const std::stop_token& ending);
  void GoOn(std::shared_ptr<Computation> computation, const std::stop_token& ending);
  void DoAhead(std::shared_ptr<ClientAhead> ahead, const std::stop_source& stop,
               const std::stop_token& ending);
  // The request of a computation with the time that is left of its budget.
  [[nodiscard]] CompletionRequest RequestNow(const std::shared_ptr<Computation>& computation) const;

  Parts parts_;
  std::shared_ptr<char> alive_;              // tasks in flight look whether this is still there
  std::shared_ptr<ClientAhead> last_ahead_;  // I/O thread: since the last computation
  int background_ = 0;                       // I/O thread

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::shared_ptr<Computation>> queue_;  // guarded by mutex_; the newest is the last
  // Client -> the turn in which it was served last; guarded by mutex_.
  std::map<uint64_t, uint64_t> served_;
  uint64_t turns_ = 0;                  // guarded by mutex_
  std::shared_ptr<ClientAhead> ahead_;  // to be done when nothing is asked; guarded by mutex_
  std::stop_source background_stop_;    // of the work ahead in progress; guarded by mutex_
  std::jthread thread_;                 // last: it uses all of the above
};

}  // namespace tenon::server
