// The completer of a process with its scheduler: the clients share one model.
//
// Example: two editors are connected. The first one's `initialize` starts loading the model, and
// the second one's finds it loaded. The settings of the first choose model and grammars for both;
// all other settings stay with their client.
//
// Where no model could be loaded, the user may fetch one and try again: by an action in the editor,
// or by opening another editor. Questions, scheduler and clients stay as they are meanwhile, and
// all clients hear of it.
//
// Cost: a pointer. Thread rule: the I/O thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "server/request/completer.h"
#include "server/request/deadline.h"
#include "server/scheduling/completion_scheduler.h"
#include "server/settings/settings.h"

namespace tenon::server {

// A completer in whose place another one can be put. Its status is the inner completer's.
class ReplaceableCompleter final : public Completer {
 public:
  CompletionAnswer Complete(const CompletionRequest& request, std::stop_token cancel) override;
  CompletionAnswer CompleteAhead(const CompletionRequest& request, std::stop_token stop) override;
  CompletionAnswer GoOn(std::stop_token stop) override;
  void ReadAhead(const CompletionRequest& request, std::stop_token stop) override;

  // Any thread, but not from the inner completer's own. The one before is let go by its last user.
  void Use(std::shared_ptr<Completer> inner);

 private:
  [[nodiscard]] std::shared_ptr<Completer> Inner() const;

  mutable std::mutex mutex_;
  std::shared_ptr<char> alive_ = std::make_shared<char>();
  std::shared_ptr<Completer> inner_;  // guarded by mutex_; last: its threads use all of the above
};

class SharedCompleter {
 public:
  // Starts loading a model and returns at once.
  using Make = std::function<std::unique_ptr<Completer>(const Settings&)>;

  // Without `later` no question waits before it is computed. The worker's thread calls `now`, too.
  SharedCompleter(
      Make make, PostTask post, RunLater later = {},
      Deadline::Clock now = [] { return std::chrono::steady_clock::now(); })
      : make_(std::move(make)),
        post_(std::move(post)),
        later_(std::move(later)),
        now_(std::move(now)) {}

  // The completer; made at the first call, by its settings. Made again where it has failed.
  Completer& Start(const Settings& settings);
  // Makes the completer again where it has failed. REQUIRES: Start was called.
  void TryAgain(const Settings& settings);
  // Calls `then` each time that the completer was made again. Forgotten where `alive` expires
  // before.
  void WhenMadeAgain(std::weak_ptr<char> alive, std::function<void()> then);
  // REQUIRES: Start was called.
  [[nodiscard]] CompletionScheduler& scheduler() { return *scheduler_; }
  // Null before Start.
  [[nodiscard]] const Completer* completer() const { return completer_.get(); }

 private:
  void ForgetExpired();

  Make make_;
  PostTask post_;
  RunLater later_;
  Deadline::Clock now_;
  std::vector<std::pair<std::weak_ptr<char>, std::function<void()>>> when_made_again_;
  std::unique_ptr<ReplaceableCompleter> completer_;
  std::optional<CompletionScheduler> scheduler_;  // after completer_, which it uses
};

}  // namespace tenon::server
