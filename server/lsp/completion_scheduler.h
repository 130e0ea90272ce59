// Decides which completions are computed: one at a time on a worker thread, for all clients of the
// process, and the newest question wins.
//
// Example: an editor asks at `na|`, the user types `m`, and the editor asks at `nam|`. The first
// question is answered at once as superseded, its computation is stopped, and the second one is
// computed.
//
// A question supersedes the older one of the same method about the same document. A change of a
// document supersedes all of its questions. Their computation goes on all the same if it writes
// the typed text (typed_along.h); the next question there waits for it, and gets the rest of its
// answer. Questions that ask for the same completion share one computation: editors ask by
// completion and by inlineCompletion at the same keystroke. A client's newest question is computed
// first. Any other computation without a question is stopped; where it has not begun, it is
// forgotten with its text. The time of a request begins when it is asked: its wait for the worker
// counts. Every question is answered exactly once: by its result, as cancelled, or
// as superseded.
//
// Clients are served in turn. Example: a client has three documents with a question each, another
// client one. The worker computes for the first, then for the second, then for the first again.
// Questions of different clients never meet: each client has request ids and documents of its own,
// and the completer sees the document "2:file:///a.py" of client 2.
//
// A question may wait a little before it is computed (typing_rhythm.h). It can be superseded,
// cancelled and shared meanwhile, and the worker continues its work.
//
// While nothing is asked the worker works ahead: it goes on with the last answer that its time cut
// short (Completer::GoOn), then it does the work given by WorkAhead. The next question stops
// either.
//
// Cost: a thread; a few comparisons a question and client.
// Thread rule: all functions on the I/O thread. The worker sees only the request and the stop
// token, and hands its answer back by `post`.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "protocol/json_rpc.h"
#include "server/lsp/typed_along.h"
#include "server/request/completer.h"
#include "server/request/deadline.h"

namespace tenon::server {

// Runs a task on the I/O thread, after the task that runs there. May be called from any thread.
using PostTask = std::function<void(std::function<void()>)>;

// Runs a task on the I/O thread after some time; never at once.
using RunLater = std::function<void(std::chrono::milliseconds, std::function<void()>)>;

class CompletionScheduler {
 public:
  enum class Outcome : uint8_t { kAnswered, kCancelled, kSuperseded };
  using Answer = std::function<void(Outcome outcome, const CompletionAnswer& answer)>;

  // Hears on the I/O thread of an answer that nobody waits for. The request says how much time the
  // answer had.
  using Learn =
      std::function<void(const CompletionRequest& request, const CompletionAnswer& answer)>;

  struct Question {
    protocol::RequestId id;
    std::string method;
    std::string uri;
    CompletionRequest request;
    // Hears later of the whole answer, where time cut the answer short. May be empty.
    Learn learn = {};
    // Before it is computed.
    std::chrono::milliseconds wait{0};
  };

  // Work that nobody waits for.
  struct Ahead {
    enum class Kind : uint8_t {
      kRead,      // Completer::ReadAhead
      kComplete,  // Completer::CompleteAhead; `learn` hears of the answer
    };
    Kind kind = Kind::kRead;
    CompletionRequest request;
    Learn learn = {};
  };

  // One client's part of the scheduler. When it goes, its open questions are answered as
  // superseded. The scheduler must live longer.
  class Client {
   public:
    explicit Client(CompletionScheduler& scheduler);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    void Ask(Question question, Answer answer);
    // Takes the place of all other work ahead, of any client; nothing where it is the same work.
    void WorkAhead(Ahead ahead);
    // A computation that may be typed along stops a little later: editors cancel a question just
    // before they tell the edit that made them do so.
    void Cancel(const protocol::RequestId& id);
    // The document has this text now.
    void OnEdit(const std::string& uri, std::string_view text);
    void SupersedeDocument(const std::string& uri);
    // A newer question of this method was answered without a computation.
    void SupersedeMethod(const std::string& method, const std::string& uri);
    void SupersedeAll();
    // Nothing is asked by any client, and no question is computed.
    [[nodiscard]] bool idle() const { return scheduler_.jobs_.empty(); }
    // Nor is anything worked ahead.
    [[nodiscard]] bool resting() const { return idle() && scheduler_.background_ == 0; }

   private:
    // Under the name that the completer sees.
    void NameDocument(CompletionRequest& request) const;

    CompletionScheduler& scheduler_;
    const uint64_t number_;
  };

  // The completer must live longer than the scheduler. Without `later` no question waits.
  CompletionScheduler(
      Completer& completer, PostTask post,
      Deadline::Clock now = [] { return std::chrono::steady_clock::now(); }, RunLater later = {});
  // Answers all open questions as superseded, stops the running computation and waits for its end.
  ~CompletionScheduler();
  CompletionScheduler(const CompletionScheduler&) = delete;
  CompletionScheduler& operator=(const CompletionScheduler&) = delete;

 private:
  struct Job {
    uint64_t client = 0;
    std::string uri;
    CompletionRequest request;
    Learn learn;
    std::chrono::steady_clock::time_point asked;
    bool waits = false;  // I/O thread: it is not in the queue yet
    std::stop_source stop;
    TypedAlong typing;
    // I/O thread: it is computed if this one's answer has no rest for it.
    std::shared_ptr<Job> after = nullptr;
    CompletionAnswer cut = {};  // I/O thread: what its time left of its answer
  };
  struct Waiter {
    uint64_t client = 0;
    protocol::RequestId id;
    std::string method;
    std::string uri;
    std::shared_ptr<Job> job;
    Answer answer;
  };

  struct ClientAhead {
    uint64_t client = 0;
    Ahead work;
  };

  void Ask(uint64_t client, Question question, Answer answer);
  void Cancel(uint64_t client, const protocol::RequestId& id);
  void OnEdit(uint64_t client, const std::string& uri, std::string_view text);
  // All questions of a client, or those about one document, and the computations for them.
  void SupersedeAll(uint64_t client);
  void SupersedeDocument(uint64_t client, const std::string& uri);
  void WorkAhead(uint64_t client, Ahead ahead);
  template <typename Predicate>
  void Release(Predicate matches, Outcome outcome);
  // Answers all questions about a document as superseded.
  void ReleaseDocument(uint64_t client, const std::string& uri);
  void Drop(const std::shared_ptr<Job>& job);
  void Enqueue(const std::shared_ptr<Job>& job);
  void Finish(const std::shared_ptr<Job>& job, const CompletionAnswer& answer);
  // The computation that the user types along, if any, where the document has this text.
  std::shared_ptr<Job> TypedAlongAt(uint64_t client, const std::string& uri, std::string_view text);
  [[nodiscard]] std::vector<std::shared_ptr<Job>> JobsAfter(const std::shared_ptr<Job>& job) const;
  // Puts a new job after the one that is typed along; false: it does not go on from there.
  bool PutAfterKept(const std::shared_ptr<Job>& job);
  // The time of a job that waits for another one is over.
  void AnswerInTime(const std::shared_ptr<Job>& job);
  void StopKept();
  // The computation is over: the jobs after it get the rest of its answer, or are computed.
  void End(const std::shared_ptr<Job>& job, const CompletionAnswer& answer);
  // The request of a job with the time that is left of its budget.
  CompletionRequest AfterWaiting(const Job& job) const;
  // Takes the newest question of the client whose turn it is. REQUIRES: mutex_ is held, and
  // queue_ is not empty.
  std::shared_ptr<Job> NextJob();
  void Post(std::function<void()> task);
  void Later(std::chrono::milliseconds wait, std::function<void()> task);
  // The worker's part.
  void Compute(std::shared_ptr<Job> job, const std::stop_token& ending);
  void GoOn(std::shared_ptr<Job> job, const std::stop_token& ending);
  void DoAhead(std::shared_ptr<ClientAhead> ahead, const std::stop_source& stop,
               const std::stop_token& ending);
  void Work(const std::stop_token& ending);

  Completer& completer_;
  PostTask post_;
  Deadline::Clock now_;                     // called by both threads
  RunLater later_;                          // may be empty
  std::shared_ptr<char> alive_;             // tasks in flight look whether this is still there
  uint64_t clients_ = 0;                    // I/O thread: how many there were
  std::list<Waiter> waiters_;               // I/O thread
  std::vector<std::shared_ptr<Job>> jobs_;  // I/O thread: queued, running, or on their way back
  std::shared_ptr<Job> going_on_;           // I/O thread: its time has cut it short
  std::shared_ptr<Job> kept_;               // I/O thread: it goes on though nobody waits for it
  uint64_t edits_ = 0;                      // I/O thread: of any client, so far

  std::shared_ptr<ClientAhead> last_ahead_;  // I/O thread: since the last question
  int background_ = 0;                       // I/O thread: work ahead that has not come to its end

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::shared_ptr<Job>> queue_;  // guarded by mutex_; the newest is the last
  // Client -> the turn in which it was served last; guarded by mutex_.
  std::map<uint64_t, uint64_t> served_;
  uint64_t turns_ = 0;                  // guarded by mutex_
  std::shared_ptr<ClientAhead> ahead_;  // to be done when nothing is asked; guarded by mutex_
  std::stop_source background_stop_;    // of the work ahead in progress; guarded by mutex_
  std::jthread worker_;                 // last: it uses all of the above
};

}  // namespace tenon::server
