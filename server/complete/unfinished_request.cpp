#include "server/complete/unfinished_request.h"

#include <utility>

namespace tenon::server {

void UnfinishedRequest::Note(const CompletionRequest& request, const CompletionAnswer& answer) {
  request_.reset();
  if (answer.cut_by_time) request_ = request;
}

std::optional<CompletionRequest> UnfinishedRequest::Take() {
  std::optional<CompletionRequest> request = std::exchange(request_, std::nullopt);
  if (!request) return std::nullopt;
  request->time_budget.reset();
  return request;
}

}  // namespace tenon::server
