// llama.cpp's own server: POST /completion.
#include <utility>

#include "server/remote/server_protocol.h"
#include "server/remote/shown_tokens.h"

namespace tenon::server {

namespace {

using nlohmann::json;

class LlamaCpp final : public ServerProtocol {
 public:
  [[nodiscard]] std::string path() const override { return "/completion"; }

  [[nodiscard]] json Body(const TextQuestion& question) const override {
    json body = {{"prompt", question.prompt},
                 {"n_predict", question.max_tokens},
                 {"n_probs", kShownTokens},
                 {"stream", true},
                 {"cache_prompt", true},
                 {"temperature", question.temperature},
                 // Of the server's chain of samplers none may change what the model finds likely.
                 {"samplers", {"temperature"}},
                 {"seed", question.seed & 0xffff'ffff}};
    if (!question.model.empty()) body["model"] = question.model;
    if (!question.ends.empty()) body["stop"] = question.ends;
    if (question.grammar) body["grammar"] = *question.grammar;
    return body;
  }

  [[nodiscard]] tl::expected<StreamEvent, std::string> ReadJson(
      const json& event, const TextQuestion& question) const override {
    StreamEvent read;
    if (!event.is_object() || !event.contains("content") || !event["content"].is_string())
      return tl::unexpected(std::string("sent an event without 'content'"));
    const auto shown = event.find("completion_probabilities");
    if (shown == event.end())
      read.pieces = PiecesOf(TextIn(event, "content"), {});
    else
      read.pieces = PiecesOf(TextIn(event, "content"), PiecesIn(*shown, question));
    const auto stop = event.find("stop");
    read.over = stop != event.end() && stop->is_boolean() && stop->get<bool>();
    if (read.over && TextIn(event, "stop_type") != "limit") AddEnd(read.pieces);
    return read;
  }
};

}  // namespace

std::unique_ptr<const ServerProtocol> LlamaCppProtocol() { return std::make_unique<LlamaCpp>(); }

}  // namespace tenon::server
