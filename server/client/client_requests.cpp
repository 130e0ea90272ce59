#include "server/client/client_requests.h"

#include <algorithm>
#include <utility>

namespace tenon::server {

void ClientRequests::Send(std::string_view method, nlohmann::json params, OnAnswer on_answer) {
  open_.emplace(++last_, std::move(on_answer));
  if (open_.size() > kMaxOpen) open_.erase(open_.begin());
  send_(protocol::MakeRequest(IdOf(last_), method, std::move(params)));
}

bool ClientRequests::OnResponse(const protocol::Response& response) {
  const auto found = std::find_if(open_.begin(), open_.end(), [&](const auto& request) {
    return response.id == protocol::RequestId(IdOf(request.first));
  });
  if (found == open_.end()) return false;
  const OnAnswer on_answer = std::move(found->second);
  open_.erase(found);
  on_answer(response);
  return true;
}

}  // namespace tenon::server
