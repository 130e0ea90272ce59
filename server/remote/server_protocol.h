// How a kind of server is asked to write on after a text, and how its answer is read.
//
// A protocol is two pure functions, for each kind of server:
//
//   question -> path and body of an HTTP request
//   event of the streamed answer -> pieces of text (text_stream.h), or what is wrong with it
//
// Example, of llama.cpp: the event {"content": "ce", "stop": false} gives the piece `ce`, and
// {"content": "", "stop": true, "stop_type": "eos"} gives the end.
//
//   kind        path              the likeliest tokens come as
//   llama.cpp   /completion       n_probs, with bytes
//   openai      /v1/completions   logprobs (vLLM and others), or with bytes (llama.cpp)
//   ollama      /api/generate     logprobs, from version 0.12.11 on
//
// Where a server shows tokens whose bytes are not the text of the event, the text counts, as one
// piece: the constraint judges what the text says. A text of more than kMaxPieceBytes, as a server
// sends it that writes all at once, is several pieces. A token whose text was no whole character
// (U+FFFD) is no alternative.
//
// Source: llama.cpp, tools/server/README.md; the OpenAI API reference, "Completions (legacy)";
// Ollama, docs/api.md. Cost: linear in the event. Thread rule: immutable, pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/remote/text_stream.h"

namespace tenon::server {

// Tokens that a server is asked to show in the place of each one.
inline constexpr int kShownTokens = 8;
// Of a piece. Where a piece is refused its beginnings are judged one by one, so its length counts
// squared.
inline constexpr size_t kMaxPieceBytes = 1024;

struct TextQuestion {
  std::string prompt;
  int max_tokens = 64;
  float temperature = 0;
  uint64_t seed = 0;
  std::string model;                        // as the server calls it; empty: its only one
  std::vector<std::string> ends = {};       // texts of tokens that end the middle
  std::optional<std::string> grammar = {};  // GBNF; for servers that take one
};

struct StreamEvent {
  std::vector<TextPiece> pieces;
  bool over = false;  // no event follows that counts
};

class ServerProtocol {
 public:
  virtual ~ServerProtocol() = default;
  // Below the path of the server's URL.
  [[nodiscard]] virtual std::string path() const = 0;
  [[nodiscard]] virtual nlohmann::json Body(const TextQuestion& question) const = 0;
  // The error says what the server says is wrong, or what is wrong with its event, for the end of a
  // sentence.
  [[nodiscard]] tl::expected<StreamEvent, std::string> Read(std::string_view event,
                                                            const TextQuestion& question) const;
  // A path that answers quickly where the server is well, and the models that its answer names;
  // none where it names none. Here: the list of models of OpenAI's API, which most servers have.
  [[nodiscard]] virtual std::string health_path() const;
  [[nodiscard]] virtual std::vector<std::string> ModelsIn(const nlohmann::json& health) const;

 private:
  // Does the event "[DONE]", which is no JSON, end a stream? Here: yes, as in OpenAI's API.
  [[nodiscard]] virtual bool sends_done() const { return true; }
  // As Read, for the JSON of an event, in which the server says of nothing that it is wrong.
  [[nodiscard]] virtual tl::expected<StreamEvent, std::string> ReadJson(
      const nlohmann::json& event, const TextQuestion& question) const = 0;
};

// Null where no kind has this name (server/settings/settings.h, kRemoteKinds).
[[nodiscard]] std::unique_ptr<const ServerProtocol> ProtocolOf(std::string_view kind);
[[nodiscard]] std::unique_ptr<const ServerProtocol> LlamaCppProtocol();
[[nodiscard]] std::unique_ptr<const ServerProtocol> OpenAiProtocol();
[[nodiscard]] std::unique_ptr<const ServerProtocol> OllamaProtocol();

// The names in a list of models, {"data": [{"id": "a"}, {"id": "b"}]} for ("data", "id"); at most
// kMaxModels.
inline constexpr size_t kMaxModels = 100;
[[nodiscard]] std::vector<std::string> NamesIn(const nlohmann::json& answer, const char* list,
                                               const char* member);
// The words of a server that says that something is wrong: {"error": {"message": "…"}}, {"error":
// "…"} and the like. Printable, and of one short line. Nothing: it says no such thing.
[[nodiscard]] std::optional<std::string> ErrorIn(const nlohmann::json& answer);
// A server's words, printable, and of one short line.
[[nodiscard]] std::string Quoted(std::string_view words);

}  // namespace tenon::server
