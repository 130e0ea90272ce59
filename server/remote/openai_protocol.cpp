// vLLM and other servers with the completions of OpenAI's API: POST /v1/completions.
#include <algorithm>
#include <utility>

#include "server/remote/server_protocol.h"
#include "server/remote/shown_tokens.h"

namespace tenon::server {

namespace {

using nlohmann::json;

constexpr size_t kMaxStops = 4;     // of the API
constexpr int kMaxShownTokens = 5;  // as well

class OpenAi final : public ServerProtocol {
 public:
  [[nodiscard]] std::string path() const override { return "/v1/completions"; }

  [[nodiscard]] json Body(const TextQuestion& question) const override {
    json body = {{"model", question.model},
                 {"prompt", question.prompt},
                 {"max_tokens", question.max_tokens},
                 {"stream", true},
                 {"logprobs", std::min(kShownTokens, kMaxShownTokens)},
                 {"temperature", question.temperature}};
    if (question.temperature > 0) body["seed"] = question.seed & 0x7fff'ffff;
    if (!question.ends.empty()) {
      const size_t stops = std::min(question.ends.size(), kMaxStops);
      body["stop"] = std::vector<std::string>(question.ends.begin(),
                                              question.ends.begin() + static_cast<long>(stops));
    }
    return body;
  }

  [[nodiscard]] tl::expected<StreamEvent, std::string> ReadJson(
      const json& event, const TextQuestion& question) const override {
    StreamEvent read;
    const auto choices = event.is_object() ? event.find("choices") : event.end();
    if (!event.is_object() || choices == event.end() || !choices->is_array())
      return tl::unexpected(std::string("sent an event without 'choices'"));
    if (choices->empty()) return read;  // an account of tokens comes so
    const json& choice = choices->front();
    if (!choice.is_object() || !choice.contains("text") || !choice["text"].is_string())
      return tl::unexpected(std::string("sent a choice without 'text'"));
    std::vector<TextPiece> shown;
    if (const auto logprobs = choice.find("logprobs"); logprobs != choice.end()) {
      if (logprobs->is_object() && logprobs->contains("content"))
        shown = PiecesIn((*logprobs)["content"], question);
      else
        shown = PiecesInLists(*logprobs, question);
    }
    read.pieces = PiecesOf(TextIn(choice, "text"), std::move(shown));
    const std::string reason = TextIn(choice, "finish_reason");
    read.over = !reason.empty();
    if (read.over && reason != "length") AddEnd(read.pieces);
    return read;
  }
};

}  // namespace

std::unique_ptr<const ServerProtocol> OpenAiProtocol() { return std::make_unique<OpenAi>(); }

}  // namespace tenon::server
