#include "server/lsp/client_requests.h"

#include <utility>

#include <fmt/format.h>

namespace tenon::server {

void ClientRequests::Send(std::string_view method, nlohmann::json params, OnAnswer on_answer) {
  const std::string id = fmt::format("tenon/{}", ++last_);
  open_.emplace(id, std::move(on_answer));
  send_(protocol::MakeRequest(id, method, std::move(params)));
}

bool ClientRequests::OnResponse(const protocol::Response& response) {
  const auto* id = std::get_if<std::string>(&response.id);
  const auto found = id == nullptr ? open_.end() : open_.find(*id);
  if (found == open_.end()) return false;
  const OnAnswer on_answer = std::move(found->second);
  open_.erase(found);
  on_answer(response);
  return true;
}

}  // namespace tenon::server
