// Shows in the editor that the model is being loaded: one work-done progress from begin to end.
//
//   server                               client
//   window/workDoneProgress/create  ->
//                                   <-   its answer
//   $/progress begin, 0 %           ->
//   $/progress report, 41 %         ->                 as the model's bytes are read
//   $/progress report, 100 %        ->                 when the model has been loaded
//   $/progress end                  ->
//
// Where loading ends before the client answers, or the client refuses, nothing is shown. A percent
// that is not larger than the one before is not shown.
//
// Source: LSP 3.18, "Work Done Progress", server initiated.
// Cost: a message for each percent at most; its caller says how often (load_percent.h).
// Thread rule: the I/O thread.
#pragma once

#include <string>
#include <string_view>

#include "server/client/reply_once.h"

namespace tenon::server {

class LoadProgress {
 public:
  // `ids`: client_requests.h.
  LoadProgress(SendMessage send, const std::string& ids)
      : send_(std::move(send)), create_id_(ids + "model/create") {}

  void Start();
  // True where the response belongs to the create request.
  bool OnResponse(const protocol::Response& response);
  void Report(int percent);
  void End(std::string_view message);
  // The user wants to see no more of it. Loading goes on.
  void OnCancel(const nlohmann::json& token);

 private:
  enum class State : uint8_t { kNone, kCreating, kShown, kEnded };

  void Send(nlohmann::json value);

  SendMessage send_;
  protocol::RequestId create_id_;
  State state_ = State::kNone;
  int percent_ = 0;  // shown, or to be shown once the client has answered
};

}  // namespace tenon::server
