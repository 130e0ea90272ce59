// What the tests of the remote completer share: the events of a llama.cpp server, a server in this
// process that streams them, and a completer that asks it.
//
// Example: Streaming({Event("2"), kEnd}) serves the text `2` and its end; With(request, answer) is
// the request's text with `2` at the cursor.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/remote/remote_completer.h"
#include "tests/server/cursor_request.h"
#include "tests/server/remote/test_server.h"
#include "tests/source_path.h"

namespace tenon::server {

inline bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// An event of llama.cpp with a token and its alternatives.
inline std::string Event(const std::string& text, const std::vector<std::string>& others = {}) {
  nlohmann::json shown = {
      {"token", text}, {"logprob", -0.5}, {"top_logprobs", nlohmann::json::array()}};
  for (const std::string& other : others)
    shown["top_logprobs"].push_back({{"token", other}, {"logprob", -1.5}});
  return nlohmann::json({{"content", text}, {"stop", false}, {"completion_probabilities", {shown}}})
      .dump();
}

inline constexpr const char* kEnd = R"({"content":"","stop":true,"stop_type":"eos"})";

// Streams these events.
inline TestServer::Serve Streaming(std::vector<std::string> events) {
  return [events = std::move(events)](TestConnection& client) {
    client.SendHead("200 OK", "Content-Type: text/event-stream\r\n");
    for (const std::string& event : events) client.SendEvent(event);
  };
}

class RemoteCompleterFixture : public testing::Test {
 protected:
  static void SetUpTestSuite() { languages_ = *LanguageRegistry::Load(SourcePath("grammars")); }
  static void TearDownTestSuite() { languages_.reset(); }

  static RemoteSettings SettingsFor(const TestServer& server) {
    RemoteSettings settings;
    settings.kind = "llama.cpp";
    settings.url = server.url();
    settings.format = "qwen2.5-coder";
    settings.silence = std::chrono::milliseconds(200);
    settings.grammar = false;  // the servers here decode by none
    return settings;
  }
  static std::unique_ptr<Completer> CompleterOf(const RemoteSettings& settings) {
    const auto no_environment = [](const std::string&) { return std::nullopt; };
    return MakeRemoteCompleter({EngineOf(settings, no_environment)}, languages_);
  }
  // A request whose cursor stands at the '|' of the text.
  static CompletionRequest At(std::string text) {
    CompletionRequest request = RequestAt(std::move(text), "json");
    request.name = "a.json";
    return request;
  }
  static CompletionAnswer Ask(const TestServer& server, const CompletionRequest& request) {
    return CompleterOf(SettingsFor(server))->Complete(request, std::stop_token());
  }
  // The text with the one item in its place.
  static std::string With(const CompletionRequest& request, const CompletionAnswer& answer) {
    EXPECT_EQ(answer.items.size(), 1u) << answer.reason;
    if (answer.items.empty()) return answer.reason;
    const std::string text = WithItem(request, answer.items.front());
    EXPECT_TRUE(nlohmann::json::accept(text)) << text;
    return text;
  }

  static inline std::shared_ptr<const LanguageRegistry> languages_;
};

}  // namespace tenon::server
