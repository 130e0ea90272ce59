#include "server/remote/remote_source.h"

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "protocol/json_rpc.h"
#include "server/remote/event_lines.h"

namespace tenon::server {

namespace {

using std::chrono::steady_clock;

StreamFault ToStreamFault(HttpFault fault) {
  switch (fault.kind) {
    case HttpFault::Kind::kCancelled:
      return {StreamFault::Kind::kCancelled, std::move(fault.message)};
    case HttpFault::Kind::kLate:
      return {StreamFault::Kind::kLate, std::move(fault.message)};
    case HttpFault::Kind::kPassing:
    case HttpFault::Kind::kLasting:
      break;
  }
  return {StreamFault::Kind::kServer, std::move(fault.message)};
}

// GBNF of the texts that begin so.
std::string GrammarOf(const Opening& opening) {
  std::string literal;
  for (const char c : opening.healed) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\') literal += '\\';
    if (byte < 0x20 || byte == 0x7f)
      literal += fmt::format("\\x{:02X}", byte);
    else
      literal += c;
  }
  return fmt::format(R"(root ::= "{}"{} [^\x00]*)", literal,
                     opening.sign ? R"( [ \t\r\n]* [^ \t\r\n])" : "");
}

// May the question's grammar be the reason? The others say that the key or the path is wrong, or
// that the server is busy.
bool MayRefuseGrammar(unsigned status) {
  return status == 400 || status == 422 || status == 500 || status == 501;
}

// Of Retry-After, where it is a number.
std::optional<std::chrono::milliseconds> PauseWanted(const HttpExchange& answer) {
  const std::string text = answer.header("retry-after");
  int seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || seconds < 0)
    return std::nullopt;
  return std::chrono::milliseconds(std::min(seconds, 3600) * 1000);
}

class RemoteStream final : public TextStream {
 public:
  // `given`: a first piece that is not the server's.
  RemoteStream(const RemoteEngine& engine, TextQuestion question, const std::string& given,
               std::unique_ptr<HttpExchange> answer)
      : engine_(engine),
        question_(std::move(question)),
        answer_(std::move(answer)),
        // Some events are no token: the last one, and accounts.
        events_left_(4 * question_.max_tokens + 64) {
    if (given.empty()) return;
    pieces_.push_back({ShownText{given}});
    ++tokens_left_;
  }
  // A server that has sent all that it was asked for has a last event to send.
  ~RemoteStream() override {
    if (over_ || tokens_left_ <= 0) answer_->Finish();
  }

  [[nodiscard]] tl::expected<std::optional<TextPiece>, StreamFault> Next() override {
    while (pieces_.empty()) {
      if (over_) return std::nullopt;
      const auto event = NextEvent();
      if (!event) return tl::unexpected(event.error());
      if (--events_left_ < 0) return Refuse("sends more than it was asked for");
      auto read = engine_.protocol->Read(*event, question_);
      if (!read) return Refuse(read.error());
      over_ = read->over;
      for (TextPiece& piece : read->pieces) pieces_.push_back(std::move(piece));
    }
    TextPiece piece = std::move(pieces_.front());
    pieces_.pop_front();
    --tokens_left_;
    return piece;
  }

 private:
  [[nodiscard]] tl::unexpected<StreamFault> Refuse(std::string_view what) const {
    return tl::unexpected(
        StreamFault{StreamFault::Kind::kServer,
                    fmt::format("{}: it {}; is it {}?", engine_.client->url().authority(), what,
                                engine_.kind)});
  }

  tl::expected<std::string, StreamFault> NextEvent() {
    for (;;) {
      if (auto event = lines_.Next()) return *std::move(event);
      if (ended_) return Refuse("ended its answer before the text's end");
      auto bytes = answer_->Read();
      if (!bytes) return tl::unexpected(ToStreamFault(std::move(bytes.error())));
      if (!*bytes) {
        ended_ = true;
        lines_.End();
      } else if (!lines_.Append(**bytes)) {
        return Refuse("sends an event that is too long");
      }
    }
  }

  const RemoteEngine& engine_;
  const TextQuestion question_;
  const std::unique_ptr<HttpExchange> answer_;
  EventLines lines_;
  std::deque<TextPiece> pieces_;
  int events_left_;
  int tokens_left_ = question_.max_tokens;
  bool over_ = false;   // an event said so
  bool ended_ = false;  // the body is over
};

}  // namespace

RemoteSource::RemoteSource(const RemoteEngine& engine, ServerRecord& record, TextQuestion question,
                           Deadline deadline, std::stop_token stop)
    : engine_(engine),
      record_(record),
      question_(std::move(question)),
      deadline_(std::move(deadline)),
      stop_(std::move(stop)) {}

std::optional<StreamFault> RemoteSource::WaitForTurn() const {
  const auto pause = record_.backoff.Left(steady_clock::now());
  if (pause == std::chrono::nanoseconds(0)) return std::nullopt;
  if (const auto left = deadline_.left(); left && *left < pause) {
    return StreamFault{
        StreamFault::Kind::kServer,
        fmt::format("{}; it is asked again in {} ms", record_.last_fault,
                    std::chrono::duration_cast<std::chrono::milliseconds>(pause).count())};
  }
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any stopped;
  stopped.wait_for(lock, stop_, pause, [] { return false; });
  if (stop_.stop_requested()) return StreamFault{StreamFault::Kind::kCancelled, "cancelled"};
  return std::nullopt;
}

HttpQuestion RemoteSource::HttpOf(const TextQuestion& question) const {
  return engine_.Question("POST", engine_.protocol->path(),
                          protocol::Dump(engine_.protocol->Body(question)));
}

tl::expected<std::unique_ptr<TextStream>, StreamFault> RemoteSource::Open(std::string_view written,
                                                                          int max_tokens,
                                                                          const Opening& opening) {
  const bool asks = opening.sign || !opening.healed.empty();
  const bool with_grammar = asks && engine_.sends_grammars && !record_.refuses_grammars;
  TextQuestion question = question_;
  question.prompt += written;
  question.max_tokens = max_tokens;
  if (with_grammar)
    question.grammar = GrammarOf(opening);
  else
    question.prompt += opening.healed;
  HttpQuestion http = HttpOf(question);
  for (int attempt = 1;; ++attempt) {
    if (auto fault = WaitForTurn()) return tl::unexpected(*std::move(fault));
    auto answer = engine_.client->Ask(http, deadline_, stop_);
    if (answer && (*answer)->status() == 200) {
      record_.backoff.Succeeded();
      record_.refuses_grammars |= with_grammar && !question.grammar;
      const std::string given = question.grammar ? "" : opening.healed;
      return std::make_unique<RemoteStream>(engine_, std::move(question), given,
                                            *std::move(answer));
    }
    if (answer && question.grammar && MayRefuseGrammar((*answer)->status())) {
      question.grammar.reset();
      question.prompt += opening.healed;
      http = HttpOf(question);
      continue;
    }
    const auto wanted = answer ? PauseWanted(**answer) : std::nullopt;
    HttpFault fault = answer ? FaultOf(engine_, **answer) : std::move(answer.error());
    if (fault.kind != HttpFault::Kind::kPassing)
      return tl::unexpected(ToStreamFault(std::move(fault)));
    record_.backoff.Failed(steady_clock::now(), wanted);
    record_.last_fault = fault.message;
    if (attempt >= kMaxAttempts) return tl::unexpected(ToStreamFault(std::move(fault)));
  }
}

}  // namespace tenon::server
