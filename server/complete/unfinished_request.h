// The request that Completer::GoOn continues: the last one, where its time cut its answer short.
//
// Example: the time ends when half of the prompt is read, and the answer has no items. Take() gives
// the same request without a time budget, so that the rest of the prompt is read and the middle
// drawn before the user types on. A request whose answer was whole leaves nothing to take.
//
// Cost: a copy of the request, which shares its texts (shared_text.h). Thread rule: one thread at a
// time.
#pragma once

#include <optional>

#include "server/request/completer.h"

namespace tenon::server {

class UnfinishedRequest {
 public:
  // The last request, and what it was answered.
  void Note(const CompletionRequest& request, const CompletionAnswer& answer);
  // The request without a time budget; nothing where the last answer was whole, or where the
  // request was taken already.
  [[nodiscard]] std::optional<CompletionRequest> Take();
  void Forget() { request_.reset(); }

 private:
  std::optional<CompletionRequest> request_;
};

}  // namespace tenon::server
