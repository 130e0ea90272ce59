// Ollama: POST /api/generate, with the prompt as it is ("raw").
#include <utility>

#include "server/remote/server_protocol.h"
#include "server/remote/shown_tokens.h"

namespace tenon::server {

namespace {

using nlohmann::json;

class Ollama final : public ServerProtocol {
 public:
  [[nodiscard]] std::string path() const override { return "/api/generate"; }

  [[nodiscard]] json Body(const TextQuestion& question) const override {
    json options = {{"num_predict", question.max_tokens},
                    {"temperature", question.temperature},
                    {"seed", question.seed & 0x7fff'ffff},
                    // Nothing may change what the model finds likely.
                    {"repeat_penalty", 1.0},
                    {"top_k", 0},
                    {"top_p", 1.0}};
    if (!question.ends.empty()) options["stop"] = question.ends;
    return {{"model", question.model},
            {"prompt", question.prompt},
            {"raw", true},
            {"stream", true},
            {"logprobs", true},
            {"top_logprobs", kShownTokens},
            {"options", std::move(options)}};
  }

  [[nodiscard]] bool sends_done() const override { return false; }
  [[nodiscard]] tl::expected<StreamEvent, std::string> ReadJson(
      const json& event, const TextQuestion& question) const override {
    StreamEvent read;
    const auto done = event.is_object() ? event.find("done") : event.end();
    if (!event.is_object() || done == event.end() || !done->is_boolean())
      return tl::unexpected(std::string("sent an event without 'done'"));
    const auto shown = event.find("logprobs");
    read.pieces =
        PiecesOf(TextIn(event, "response"),
                 shown == event.end() ? std::vector<TextPiece>() : PiecesIn(*shown, question));
    read.over = done->get<bool>();
    if (read.over && TextIn(event, "done_reason") != "length") AddEnd(read.pieces);
    return read;
  }

  [[nodiscard]] std::string health_path() const override { return "/api/tags"; }
  [[nodiscard]] std::vector<std::string> ModelsIn(const json& health) const override {
    return NamesIn(health, "models", "name");
  }
};

}  // namespace

std::unique_ptr<const ServerProtocol> OllamaProtocol() { return std::make_unique<Ollama>(); }

}  // namespace tenon::server
