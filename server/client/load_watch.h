// Watches for one client how its model loads, and tells it: so many percent, loaded, or failed and
// why. A model may fail later, too, when its file turns out to be damaged; the client hears of it
// in the same words.
//
//   completer                    client
//   kLoading, 41 %           ->  progress: 41 % (load_progress.h), some times a second
//   kReady                   ->  progress: done
//   kFailed, "no such file"  ->  message: "tenon: no such file"   [Try again]
//
// With "Try again" the model is loaded anew, and watched as the first time; so it is where another
// client has it loaded. A failure that the user knows is told again only where the user has tried.
//
// Source: LSP 3.18, window/showMessage, window/showMessageRequest. Cost: some messages.
// Thread rule: the I/O thread; the completer's own threads only post tasks to it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <spdlog/logger.h>

#include "protocol/json_rpc.h"
#include "server/client/client_profile.h"
#include "server/client/client_requests.h"
#include "server/client/load_percent.h"
#include "server/client/load_progress.h"
#include "server/request/completer.h"
#include "server/request/deadline.h"
#include "server/scheduling/completion_scheduler.h"

namespace tenon::server {

class LoadWatch {
 public:
  struct Parts {
    const ClientProfile& client;
    ClientRequests& requests;
    SendMessage send;
    PostTask post;
    std::shared_ptr<spdlog::logger> log;
    Deadline::Clock now;
    std::function<void()> on_status;  // the completer's status may have changed
    std::function<void()> on_ready;   // the model is loaded
    std::function<void()> load_again;
  };
  // REQUIRES: client and requests outlive this.
  explicit LoadWatch(Parts parts)
      : parts_(std::move(parts)),
        progress_(parts_.send, parts_.requests.ids()),
        watching_(std::make_shared<char>()) {}

  // REQUIRES: the completer outlives this.
  void Start(Completer& completer);
  // The completer was made again.
  void Again();
  // Tells the client nothing from now on.
  void Stop() { watching_.reset(); }
  // True where the response belongs to the progress.
  bool OnResponse(const protocol::Response& response) { return progress_.OnResponse(response); }
  // The user wants to see no more of the progress that has this token.
  void OnCancel(const nlohmann::json& token) { progress_.OnCancel(token); }

 private:
  void WatchLoading();
  void OnPercent();
  // Loading has ended, or the model has failed since.
  void OnEnd();
  void TellFailure(const std::string& message);
  // Calls a function of this on the I/O thread, until Stop. For another thread.
  [[nodiscard]] std::function<void()> Posts(void (LoadWatch::*then)());

  Parts parts_;
  LoadProgress progress_;
  LoadPercent percent_;
  Completer* completer_ = nullptr;  // null before Start
  std::string told_failure_;        // empty: none since the model was ready
  std::shared_ptr<char> loading_;   // null while no model is loading
  std::shared_ptr<char> watching_;  // null after Stop; tasks in flight look for it
};

}  // namespace tenon::server
