#include "server/remote/remote_engine.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "protocol/json_text.h"
#include "server/files/read_file.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

constexpr size_t kMaxKeyBytes = 4096;
constexpr size_t kMaxFaultBytes = 4096;
constexpr size_t kMaxHealthBytes = size_t{1} << 20;

// The key's first line without blanks around it; the error: a header cannot hold it.
tl::expected<std::string, std::string> KeyFrom(std::string_view text, std::string_view source) {
  const std::string_view key = Trimmed(text.substr(0, text.find_first_of("\r\n")), kBlanks);
  const auto is_shown = [](char c) { return c > ' ' && c < 0x7f; };
  if (key.empty()) return tl::unexpected(fmt::format("{} holds no key", source));
  if (key.size() > kMaxKeyBytes || !std::all_of(key.begin(), key.end(), is_shown))
    return tl::unexpected(
        fmt::format("{} holds no key: it has blanks, other characters than ASCII, "
                    "or is too long",
                    source));
  return std::string(key);
}

tl::expected<std::string, std::string> KeyOf(const RemoteSettings& settings,
                                             const Environment& environment) {
  if (settings.key_file) {
    const auto text = ReadFile(*settings.key_file, kMaxKeyBytes);
    if (!text) return tl::unexpected("remote.keyFile: " + text.error());
    return KeyFrom(*text, "remote.keyFile " + *settings.key_file);
  }
  if (settings.key_variable) {
    const auto value = environment(*settings.key_variable);
    if (!value) {
      return tl::unexpected(fmt::format(
          "remote.keyVariable: the environment has no '{}'; set it where the editor starts, or use "
          "remote.keyFile",
          *settings.key_variable));
    }
    return KeyFrom(*value, "the variable " + *settings.key_variable);
  }
  if (settings.key) return KeyFrom(*settings.key, "remote.key");
  return std::string();
}

// The body, at most so many bytes of it.
tl::expected<std::string, HttpFault> ReadSome(HttpExchange& answer, size_t most) {
  std::string body;
  while (body.size() < most) {
    auto more = answer.Read();
    if (!more) return tl::unexpected(std::move(more.error()));
    if (!*more) break;
    body += **more;
  }
  body.resize(std::min(body.size(), most));
  return body;
}

}  // namespace

std::string RemoteEngine::Name() const {
  return fmt::format("{} at {}", kind, client->url().authority());
}

HttpQuestion RemoteEngine::Question(std::string method, std::string path, std::string body) const {
  HttpQuestion question{std::move(method), std::move(path), {}, std::move(body)};
  question.headers.emplace_back("Accept", "text/event-stream, application/json");
  if (!question.body.empty()) question.headers.emplace_back("Content-Type", "application/json");
  if (!key.empty()) question.headers.emplace_back("Authorization", "Bearer " + key);
  return question;
}

tl::expected<RemoteEngine, std::string> EngineOf(const RemoteSettings& settings,
                                                 const Environment& environment) {
  if (!settings.url) {
    return tl::unexpected(
        std::string("remote.kind names a server and remote.url does not say where it is; such as "
                    "remote.url = \"http://127.0.0.1:8080\""));
  }
  if (!settings.kind) {
    return tl::unexpected(
        std::string("remote.url names a server and remote.kind does not say what "
                    "it is: \"llama.cpp\", \"openai\" or \"ollama\""));
  }
  auto url = ParseHttpUrl(*settings.url);
  if (!url) return tl::unexpected("remote.url: " + url.error());
  if (!settings.format) {
    return tl::unexpected(
        std::string("remote.format does not say how the model's prompts look; such as "
                    "remote.format = \"qwen2.5-coder\""));
  }
  auto format = PromptText::Named(*settings.format);
  if (!format) return tl::unexpected("remote.format: " + format.error());
  if (!settings.model && *settings.kind != "llama.cpp") {
    return tl::unexpected(fmt::format(
        "remote.model does not say which of its models the {} server runs", *settings.kind));
  }
  auto key = KeyOf(settings, environment);
  if (!key) return tl::unexpected(std::move(key.error()));
  if (!key->empty() && !url->tls && !url->is_loopback()) {
    return tl::unexpected(fmt::format(
        "remote.url: a key is not sent to {} without TLS, where others can read it; use https://",
        url->host));
  }
  HttpLimits limits;
  limits.silence = settings.silence;
  auto client = HttpClient::Make(*std::move(url), settings.ca_file.value_or(""), limits);
  if (!client) return tl::unexpected(std::move(client.error()));
  return RemoteEngine{.kind = *settings.kind,
                      .protocol = ProtocolOf(*settings.kind),
                      .client = *std::move(client),
                      .model = settings.model.value_or(""),
                      .key = *std::move(key),
                      .format = *std::move(format),
                      .sends_grammars = settings.grammar && *settings.kind == "llama.cpp"};
}

HttpFault FaultOf(const RemoteEngine& engine, HttpExchange& answer) {
  using Kind = HttpFault::Kind;
  const unsigned status = answer.status();
  const auto fault = [&](Kind kind, const std::string& what) {
    return HttpFault{kind, engine.client->url().authority() + ": " + what};
  };
  if (status >= 300 && status < 400) {
    return fault(Kind::kLasting,
                 fmt::format("it redirects to '{}', and redirects are not followed; if that is the "
                             "right server, remote.url should name it",
                             Quoted(answer.header("location"))));
  }
  const auto body = ReadSome(answer, kMaxFaultBytes);
  std::string words;
  if (body) {
    const auto object = protocol::ParseJson(*body);
    words = object ? ErrorIn(*object).value_or("") : "";
  }
  if (!words.empty()) words = fmt::format(", '{}'", words);
  const std::string says = fmt::format("it answers {}{}", status, words);
  if (status == 401 || status == 403)
    return fault(Kind::kLasting, says + "; is the key right (remote.keyFile)?");
  if (status == 404)
    return fault(Kind::kLasting,
                 fmt::format("{}; are remote.url, remote.kind and remote.model '{}' "
                             "right?",
                             says, engine.model));
  const bool passing = status == 408 || status == 429 || status >= 500;
  return fault(passing ? Kind::kPassing : Kind::kLasting,
               says + (passing ? "; it may be well again soon" : "; its log may say more"));
}

tl::expected<std::string, std::string> StateOf(const RemoteEngine& engine,
                                               const Deadline& deadline) {
  auto answer = engine.client->Ask(engine.Question("GET", engine.protocol->health_path()), deadline,
                                   std::stop_token());
  if (!answer) return tl::unexpected(std::move(answer.error().message));
  if ((*answer)->status() != 200) return tl::unexpected(FaultOf(engine, **answer).message);
  const auto body = ReadSome(**answer, kMaxHealthBytes);
  if (!body) return tl::unexpected(body.error().message);
  const auto health = protocol::ParseJson(*body);
  if (!health) {
    return tl::unexpected(fmt::format("{}: it sent no JSON: {}; is it {}?",
                                      engine.client->url().authority(), health.error(),
                                      engine.kind));
  }
  const std::vector<std::string> models = engine.protocol->ModelsIn(*health);
  if (engine.model.empty()) return std::string("answers");
  const auto is_it = [&engine](const std::string& name) {
    return name == engine.model || name == engine.model + ":latest";
  };
  if (std::any_of(models.begin(), models.end(), is_it))
    return fmt::format("answers, and has the model '{}'", engine.model);
  if (engine.kind == "llama.cpp") return std::string("answers");  // it runs one, whatever its name
  std::string names;
  for (const std::string& name : models) names += (names.empty() ? "" : ", ") + Quoted(name);
  return tl::unexpected(fmt::format("{}: it has no model '{}'; it has {}",
                                    engine.client->url().authority(), engine.model,
                                    names.empty() ? "none" : names));
}

}  // namespace tenon::server
