// Decides which completions are computed for the clients of a process: the newest question wins.
//
// Example: an editor asks at `na|`, the user types `m`, and the editor asks at `nam|`. The first
// question is answered at once as superseded, its computation is stopped, and the second one is
// computed.
//
// A question supersedes the older one of the same method about the same document. A change of a
// document supersedes all of its questions. Their computation goes on all the same if it writes
// the typed text (typed_along.h); the next question there waits for it, and gets the rest of its
// answer. Questions that ask for the same completion share one computation: editors ask by
// completion and by inlineCompletion at the same keystroke. Where its item has a missing sign that
// one of both cannot write, that one is computed again without. Any other computation without a
// question is stopped; where it has not begun, it is forgotten with its text. The time of a request
// begins when it is asked: its wait for the worker counts. Every question is answered exactly once:
// by its result, as cancelled, or as superseded.
//
// Which computation comes next, and the work ahead while nothing is asked, is for the worker
// (completion_worker.h). Questions of different clients never meet: each client has request ids and
// documents of its own, and the completer sees the document "2:file:///a.py" of client 2.
//
// A question may wait a little before it is computed (typing_rhythm.h). It can be superseded,
// cancelled and shared meanwhile, and the worker continues its work.
//
// Cost: a few comparisons a question and client. Thread rule: the I/O thread.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/json_rpc.h"
#include "server/request/completer.h"
#include "server/request/deadline.h"
#include "server/scheduling/completion_worker.h"

namespace tenon::server {

// Runs a task on the I/O thread after some time; never at once.
using RunLater = std::function<void(std::chrono::milliseconds, std::function<void()>)>;

class CompletionScheduler {
 public:
  enum class Outcome : uint8_t { kAnswered, kCancelled, kSuperseded };
  using Answer = std::function<void(Outcome outcome, const CompletionAnswer& answer)>;

  // Hears of an answer that nobody waits for.
  using Learn = AheadTask::Learn;

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
    void WorkAhead(AheadTask task);
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
    [[nodiscard]] bool resting() const { return idle() && !scheduler_.worker_.works_ahead(); }

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
  // Answers all open questions as superseded, stops all computations and waits for their end.
  ~CompletionScheduler();
  CompletionScheduler(const CompletionScheduler&) = delete;
  CompletionScheduler& operator=(const CompletionScheduler&) = delete;

 private:
  // A computation, its document, and its place among the others.
  struct Job {
    std::shared_ptr<Computation> computation;
    std::string uri;
    Learn learn;
    bool waits = false;  // the worker does not have it yet
    // It is computed if this one's answer has no rest for it.
    std::shared_ptr<Job> after = nullptr;
    std::optional<CompletionAnswer> cut = {};  // what its time left of its answer

    [[nodiscard]] const CompletionRequest& request() const { return computation->request; }
    [[nodiscard]] bool IsOf(uint64_t client, const std::string& of_uri) const {
      return computation->client == client && uri == of_uri;
    }
    void Stop() { computation->stop.request_stop(); }
  };
  struct Waiter {
    uint64_t client = 0;
    protocol::RequestId id;
    std::string method;
    std::string uri;
    bool adds_missing_sign = false;
    std::shared_ptr<Job> job;
    Answer answer;
  };

  void Ask(uint64_t client, Question question, Answer answer);
  void Cancel(uint64_t client, const protocol::RequestId& id);
  void OnEdit(uint64_t client, const std::string& uri, std::string_view text);
  // All questions of a client, or those about one document, and the computations for them.
  void SupersedeAll(uint64_t client);
  void SupersedeDocument(uint64_t client, const std::string& uri);
  void WorkAhead(uint64_t client, AheadTask task);
  template <typename Predicate>
  void Release(Predicate matches, Outcome outcome);
  // Answers all questions about a document as superseded.
  void ReleaseDocument(uint64_t client, const std::string& uri);
  // The job for a question: a job of the same question, or a new job, which takes the question's
  // request and `learn`.
  std::shared_ptr<Job> JobFor(uint64_t client, Question& question);
  // Takes a job that nobody waits for from the worker, and its text with it. A job that runs is
  // stopped, and goes when the worker hands it back.
  void Drop(const std::shared_ptr<Job>& job);
  void Enqueue(const std::shared_ptr<Job>& job);
  void Finish(const std::shared_ptr<Job>& job, const CompletionAnswer& answer);
  // Where the answer has a missing sign, those who wait for the job and cannot write one wait for a
  // new job.
  void ComputeWithoutSign(const Job& job, const CompletionAnswer& answer);

  // The computation that the user types along, if any, where the document has this text.
  std::shared_ptr<Job> TypedAlongAt(uint64_t client, const std::string& uri, std::string_view text);
  [[nodiscard]] std::vector<std::shared_ptr<Job>> JobsAfter(const std::shared_ptr<Job>& job) const;
  // Puts a new job after the kept job, which is typed along; false: it does not go on from there.
  bool PutAfterKept(const std::shared_ptr<Job>& job);
  // The time of a job that waits for another one is over.
  void AnswerInTime(const std::shared_ptr<Job>& job);
  void StopKept();

  // From the worker.
  void OnAnswer(const std::shared_ptr<Computation>& computation, const CompletionAnswer& answer);
  void OnWhole(const CompletionAnswer& answer);
  // No more comes of the job than this answer: the jobs after it get its rest, or are computed.
  void End(const std::shared_ptr<Job>& job, const CompletionAnswer& answer);
  void Later(std::chrono::milliseconds wait, std::function<void()> task);

  Deadline::Clock now_;
  RunLater later_;               // may be empty
  std::shared_ptr<char> alive_;  // tasks in flight look whether this is still there
  uint64_t clients_ = 0;         // how many there were
  std::list<Waiter> waiters_;
  std::vector<std::shared_ptr<Job>> jobs_;  // waiting, queued, running, or on their way back
  std::shared_ptr<Job> going_on_;           // its time has cut it short
  std::shared_ptr<Job> kept_;               // it goes on though nobody waits for it
  uint64_t edits_ = 0;                      // of any client, so far
  CompletionWorker worker_;                 // last: it uses all of the above
};

}  // namespace tenon::server
