// The completer of a process with its scheduler: the clients share one model.
//
// Example: two editors are connected. The first one's `initialize` starts loading the model, and
// the second one's finds it loaded. The settings of the first choose model and grammars for both;
// all other settings stay with their client.
//
// Cost: a pointer. Thread rule: the I/O thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "server/lsp/completion_scheduler.h"
#include "server/request/completer.h"
#include "server/settings/settings.h"

namespace tenon::server {

class SharedCompleter {
 public:
  // Starts loading a model and returns at once.
  using Make = std::function<std::unique_ptr<Completer>(const Settings&)>;

  SharedCompleter(Make make, PostTask post) : make_(std::move(make)), post_(std::move(post)) {}

  // The completer; made at the first call, by its settings.
  Completer& Start(const Settings& settings);
  // REQUIRES: Start was called.
  [[nodiscard]] CompletionScheduler& scheduler() { return *scheduler_; }
  // Null before Start.
  [[nodiscard]] const Completer* completer() const { return completer_.get(); }

 private:
  Make make_;
  PostTask post_;
  std::unique_ptr<Completer> completer_;
  std::optional<CompletionScheduler> scheduler_;  // after completer_, which it uses
};

}  // namespace tenon::server
