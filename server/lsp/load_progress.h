// Shows in the editor that the model is being loaded: one work-done progress from begin to end.
//
//   server                               client
//   window/workDoneProgress/create  ->
//                                   <-   its answer
//   $/progress begin                ->
//   $/progress end                  ->                 when the model has been loaded
//
// Where loading ends before the client answers, or the client refuses, nothing is shown.
//
// Source: LSP 3.18, "Work Done Progress", server initiated.
// Cost: three messages. Thread rule: the I/O thread.
#pragma once

#include <string_view>

#include "server/lsp/reply_once.h"

namespace tenon::server {

class LoadProgress {
 public:
  explicit LoadProgress(SendMessage send) : send_(std::move(send)) {}

  void Start();
  // True where the response belongs to the create request.
  bool OnResponse(const protocol::Response& response);
  void End(std::string_view message);
  // The user wants to see no more of it. Loading goes on.
  void OnCancel(const nlohmann::json& token);

 private:
  enum class State : uint8_t { kNone, kCreating, kShown, kEnded };

  SendMessage send_;
  State state_ = State::kNone;
};

}  // namespace tenon::server
