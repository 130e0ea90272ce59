#include "server/remote/server_protocol.h"

#include <fmt/format.h>

#include "protocol/json_text.h"
#include "server/remote/shown_tokens.h"

namespace tenon::server {

namespace {

using nlohmann::json;

constexpr size_t kMaxQuotedBytes = 200;

}  // namespace

tl::expected<StreamEvent, std::string> ServerProtocol::Read(std::string_view event,
                                                            const TextQuestion& question) const {
  if (event == "[DONE]" && sends_done()) return StreamEvent{.pieces = {}, .over = true};
  const auto json_event = protocol::ParseJson(event);
  if (!json_event) return tl::unexpected("sent no JSON: " + json_event.error());
  if (auto error = ErrorIn(*json_event)) return tl::unexpected(fmt::format("says '{}'", *error));
  return ReadJson(*json_event, question);
}

std::string ServerProtocol::health_path() const { return "/v1/models"; }

std::vector<std::string> ServerProtocol::ModelsIn(const json& health) const {
  return NamesIn(health, "data", "id");
}

std::unique_ptr<const ServerProtocol> ProtocolOf(std::string_view kind) {
  if (kind == "llama.cpp") return LlamaCppProtocol();
  if (kind == "openai") return OpenAiProtocol();
  if (kind == "ollama") return OllamaProtocol();
  return nullptr;
}

std::vector<std::string> NamesIn(const json& answer, const char* list, const char* member) {
  std::vector<std::string> names;
  if (!answer.is_object()) return names;
  const auto models = answer.find(list);
  if (models == answer.end() || !models->is_array()) return names;
  for (const json& model : *models) {
    std::string name = TextIn(model, member);
    if (!name.empty() && names.size() < kMaxModels) names.push_back(std::move(name));
  }
  return names;
}

std::string Quoted(std::string_view words) {
  std::string line;
  for (const char c : words.substr(0, kMaxQuotedBytes)) {
    const bool blank = c == '\n' || c == '\t' || c == '\r' || c == ' ';
    const bool printable = c > ' ' && c < 0x7f;
    if (printable) line += c;
    if (blank && !line.ends_with(' ')) line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  if (words.size() > kMaxQuotedBytes) line += "...";
  return line;
}

std::optional<std::string> ErrorIn(const json& answer) {
  if (!answer.is_object()) return std::nullopt;
  const auto text_of = [](const json& value) -> std::optional<std::string> {
    if (value.is_string()) return Quoted(value.get<std::string>());
    const auto message = value.is_object() ? value.find("message") : value.end();
    if (value.is_object() && message != value.end() && message->is_string())
      return Quoted(message->get<std::string>());
    return std::nullopt;
  };
  if (const auto error = answer.find("error"); error != answer.end() && !error->is_null())
    return text_of(*error).value_or("an error without words");
  // An error of llama.cpp or vLLM without its frame.
  if (answer.contains("code") && answer.contains("message")) return text_of(answer);
  if (const auto detail = answer.find("detail"); detail != answer.end()) return text_of(*detail);
  return std::nullopt;
}

}  // namespace tenon::server
