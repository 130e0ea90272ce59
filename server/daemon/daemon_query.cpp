#include "server/daemon/daemon_query.h"

#include <array>
#include <chrono>
#include <string>
#include <string_view>

#include <poll.h>
#include <unistd.h>

#include "protocol/framing.h"
#include "protocol/json_rpc.h"
#include "server/daemon/local_socket.h"

namespace tenon::server {
namespace {

constexpr std::chrono::seconds kQueryPatience{5};

}  // namespace

std::optional<nlohmann::json> AskDaemon(const std::filesystem::path& socket) {
  const auto daemon = ConnectToPath(socket);
  if (!daemon) return std::nullopt;
  const std::string question = protocol::EncodeFrame(
      protocol::Dump(protocol::MakeRequest(int64_t{1}, "tenon/daemon", nullptr)));
  if (write(daemon->number(), question.data(), question.size()) !=
      static_cast<ssize_t>(question.size()))
    return std::nullopt;
  protocol::FrameReader frames;
  const auto end = std::chrono::steady_clock::now() + kQueryPatience;
  while (true) {
    if (const auto frame = frames.Next()) {
      const auto* body = std::get_if<std::string>(&*frame);
      if (body == nullptr) return std::nullopt;
      nlohmann::json answer = nlohmann::json::parse(*body, nullptr, false);
      if (!answer.is_object() || !answer.contains("result")) return std::nullopt;
      return answer["result"];
    }
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    pollfd ready{daemon->number(), POLLIN, 0};
    if (left.count() <= 0 || poll(&ready, 1, static_cast<int>(left.count())) <= 0)
      return std::nullopt;
    std::array<char, 4096> buffer{};
    const ssize_t bytes = read(daemon->number(), buffer.data(), buffer.size());
    if (bytes <= 0) return std::nullopt;
    frames.Append(std::string_view(buffer.data(), static_cast<size_t>(bytes)));
  }
}

}  // namespace tenon::server
