// A completer whose model is checked while it works.
//
// Example: the file of a model is damaged. The model loads and is ready; then the check finds the
// damage. The status becomes kFailed with the fault, and from then on nothing is offered.
//
// The check starts when the model is ready, on a thread of its own. It is stopped when the
// completer goes.
//
// Cost: a thread while the check runs. Thread rule: as Completer says; `check` runs on the thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "server/request/completer.h"

namespace tenon::server {

class CheckedCompleter final : public Completer {
 public:
  // The fault of the model; nothing where it has none, or where the check was stopped.
  using Check = std::function<std::optional<std::string>(const std::stop_token& stop)>;

  CheckedCompleter(std::unique_ptr<Completer> inner, Check check);
  ~CheckedCompleter() override;

  CompletionAnswer Complete(const CompletionRequest& request, std::stop_token cancel) override;
  CompletionAnswer CompleteAhead(const CompletionRequest& request, std::stop_token stop) override;
  CompletionAnswer GoOn(std::stop_token stop) override;
  void ReadAhead(const CompletionRequest& request, std::stop_token stop) override;

 private:
  void RunCheck(const std::stop_token& stop);
  // The answer, or nothing to offer where the model has turned out to be damaged.
  [[nodiscard]] CompletionAnswer UnlessFailed(CompletionAnswer answer) const;

  std::shared_ptr<char> alive_ = std::make_shared<char>();  // before inner_, whose threads use it
  std::unique_ptr<Completer> inner_;
  Check check_;
  std::jthread checker_;  // last: uses all of the above
};

}  // namespace tenon::server
