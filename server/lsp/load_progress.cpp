#include "server/lsp/load_progress.h"

#include <string>
#include <utility>

namespace tenon::server {
namespace {

constexpr const char* kToken = "tenon/model";

protocol::RequestId CreateId() { return std::string("tenon/model/create"); }

}  // namespace

void LoadProgress::Start() {
  state_ = State::kCreating;
  send_(protocol::MakeRequest(CreateId(), "window/workDoneProgress/create", {{"token", kToken}}));
}

bool LoadProgress::OnResponse(const protocol::Response& response) {
  if (response.id != CreateId()) return false;
  if (state_ != State::kCreating) return true;
  state_ = response.error ? State::kEnded : State::kShown;
  if (state_ == State::kShown) {
    send_(protocol::MakeNotification(
        "$/progress",
        {{"token", kToken},
         {"value",
          {{"kind", "begin"}, {"title", "tenon: loading the model"}, {"cancellable", false}}}}));
  }
  return true;
}

void LoadProgress::End(std::string_view message) {
  if (state_ == State::kShown) {
    send_(protocol::MakeNotification(
        "$/progress", {{"token", kToken}, {"value", {{"kind", "end"}, {"message", message}}}}));
  }
  state_ = State::kEnded;
}

void LoadProgress::OnCancel(const nlohmann::json& token) {
  if (token == kToken) End("the model is loading");
}

}  // namespace tenon::server
