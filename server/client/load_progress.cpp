#include "server/client/load_progress.h"

#include <utility>

namespace tenon::server {
namespace {

constexpr const char* kToken = "tenon/model";

}  // namespace

void LoadProgress::Start() {
  state_ = State::kCreating;
  percent_ = 0;
  send_(protocol::MakeRequest(create_id_, "window/workDoneProgress/create", {{"token", kToken}}));
}

bool LoadProgress::OnResponse(const protocol::Response& response) {
  if (response.id != create_id_) return false;
  if (state_ != State::kCreating) return true;
  state_ = response.error ? State::kEnded : State::kShown;
  if (state_ == State::kShown) {
    Send({{"kind", "begin"},
          {"title", "tenon: loading the model"},
          {"cancellable", false},
          {"percentage", percent_}});
  }
  return true;
}

void LoadProgress::Report(int percent) {
  if (percent <= percent_) return;
  percent_ = percent;
  if (state_ == State::kShown) Send({{"kind", "report"}, {"percentage", percent}});
}

void LoadProgress::End(std::string_view message) {
  if (state_ == State::kShown) Send({{"kind", "end"}, {"message", message}});
  state_ = State::kEnded;
}

void LoadProgress::Send(nlohmann::json value) {
  send_(protocol::MakeNotification("$/progress", {{"token", kToken}, {"value", std::move(value)}}));
}

void LoadProgress::OnCancel(const nlohmann::json& token) {
  if (token == kToken) End("the model is loading");
}

}  // namespace tenon::server
