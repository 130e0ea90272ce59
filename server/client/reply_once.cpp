#include "server/client/reply_once.h"

#include <chrono>
#include <utility>

#include "protocol/json_rpc.h"

namespace tenon::server {

struct ReplyOnce::Duty {
  using Clock = std::chrono::steady_clock;

  protocol::RequestId id;
  std::string method;
  SendMessage send;
  std::shared_ptr<spdlog::logger> log;
  Clock::time_point asked = Clock::now();
  bool answered = false;

  void Answer(const nlohmann::json& message) {
    if (answered) {
      log->error("a bug: {} {} was answered twice; the second answer is dropped", method,
                 protocol::ToJson(id).dump());
      return;
    }
    answered = true;
    const std::chrono::duration<double, std::milli> took = Clock::now() - asked;
    log->debug("answered {} {} after {:.1f} ms", method, protocol::ToJson(id).dump(), took.count());
    send(message);
  }

  ~Duty() {
    if (answered) return;
    log->error("a bug: {} {} was never answered", method, protocol::ToJson(id).dump());
    send(protocol::MakeError(id, protocol::ErrorCode::kInternalError,
                             "the request got lost; please report this"));
  }
};

ReplyOnce::ReplyOnce(protocol::RequestId id, std::string method, SendMessage send,
                     std::shared_ptr<spdlog::logger> log)
    : duty_(std::make_shared<Duty>()) {
  duty_->id = std::move(id);
  duty_->method = std::move(method);
  duty_->send = std::move(send);
  duty_->log = std::move(log);
}

void ReplyOnce::Result(nlohmann::json result) const {
  duty_->Answer(protocol::MakeResult(duty_->id, std::move(result)));
}

void ReplyOnce::Error(protocol::ErrorCode code, std::string_view message) const {
  duty_->Answer(protocol::MakeError(duty_->id, code, message));
}

const protocol::RequestId& ReplyOnce::id() const { return duty_->id; }

bool ReplyOnce::answered() const { return duty_->answered; }

}  // namespace tenon::server
