// The remote engine of the user's settings, checked: which server, how it is spoken to, with which
// key.
//
// Example: {kind: "llama.cpp", url: "http://127.0.0.1:8080", format: "qwen2.5-coder"} is a server
// on this machine that wants no key. A kind without a URL is an error that says so.
//
// The key is text of the setting, of a file's first line, or of a variable of the environment. It
// is sent to the server's host and shown nowhere; without TLS it is sent to this machine alone.
//
// Cost: reading a small file. Thread rule: plain values.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "server/remote/http_client.h"
#include "server/remote/prompt_text.h"
#include "server/remote/server_protocol.h"
#include "server/settings/settings.h"

namespace tenon::server {

struct RemoteEngine {
  std::string kind;
  std::shared_ptr<const ServerProtocol> protocol;
  std::shared_ptr<HttpClient> client;
  std::string model;
  std::string key;  // empty: none
  PromptText format;
  bool sends_grammars = false;

  // "llama.cpp at 127.0.0.1:8080": for messages.
  [[nodiscard]] std::string Name() const;
  // A question to a path of the server, with the key.
  [[nodiscard]] HttpQuestion Question(std::string method, std::string path,
                                      std::string body = {}) const;
};

// A variable of the environment; nothing: it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// The error names the setting, its fault and the remedy. REQUIRES: settings.wanted().
[[nodiscard]] tl::expected<RemoteEngine, std::string> EngineOf(const RemoteSettings& settings,
                                                               const Environment& environment);

// Is the server there, and has it the model? The answer is a sentence's end: "answers, and has the
// model 'x'"; the error names the fault and the remedy.
[[nodiscard]] tl::expected<std::string, std::string> StateOf(const RemoteEngine& engine,
                                                             const Deadline& deadline);

// What is wrong with an answer that is no 200: a redirect, a refused key, an unknown model, a busy
// server. Reads a little of its body.
[[nodiscard]] HttpFault FaultOf(const RemoteEngine& engine, HttpExchange& answer);

}  // namespace tenon::server
