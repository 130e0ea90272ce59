// Shows in the editor that the model is being loaded: one work-done progress from begin to end.
//
// Source: LSP 3.18, "Work Done Progress", server initiated: window/workDoneProgress/create, and after its answer $/progress.
// Where the loading ended before the client answered, or the client refused, nothing is shown. Cost: three messages.
// Thread rule: the I/O thread.
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

 private:
  enum class State : uint8_t { kNone, kCreating, kShown, kEnded };

  SendMessage send_;
  State state_ = State::kNone;
};

}  // namespace tenon::server
