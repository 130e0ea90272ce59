#include "server/lsp/message_trace.h"

#include <chrono>
#include <utility>

#include <fmt/format.h>

namespace tenon::server {
namespace {

using nlohmann::json;

constexpr size_t kMaxShown = 1000;  // bytes of an answer

// A part that does not end inside a character.
std::string Shortened(std::string text) {
  if (text.size() <= kMaxShown) return text;
  size_t end = kMaxShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

}  // namespace

MessageTrace::MessageTrace(SendMessage send, Deadline::Clock now)
    : send_(std::move(send)), now_(std::move(now)) {}

bool MessageTrace::Set(std::string_view value) {
  if (value == "off")
    *value_ = Value::kOff;
  else if (value == "messages" || value == "compact")  // Emacs and VS Code know the second
    *value_ = Value::kMessages;
  else if (value == "verbose")
    *value_ = Value::kVerbose;
  else
    return false;
  return true;
}

SendMessage MessageTrace::Around(const protocol::Request& request) const {
  const std::string what =
      fmt::format("{} {} was answered", request.method, protocol::ToJson(request.id).dump());
  return [send = send_, now = now_, value = value_, what, begun = now_()](const json& answer) {
    send(answer);
    if (*value == Value::kOff) return;
    json params = {{"message", what}};
    if (*value == Value::kVerbose) {
      const std::chrono::duration<double, std::milli> took = now() - begun;
      params["verbose"] =
          fmt::format("after {:.1f} ms: {}", took.count(), Shortened(protocol::Dump(answer)));
    }
    send(protocol::MakeNotification("$/logTrace", std::move(params)));
  };
}

}  // namespace tenon::server
