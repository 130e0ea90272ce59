// The text that a remote engine's model writes after a prompt: requests to its server, one for each
// stream.
//
// Example: Open("[0", 20, …) asks for at most 20 tokens after the prompt and `[0`. A server that is
// away or busy is asked again after a while (backoff.h), as long as the request's time allows, and
// at most kMaxAttempts times.
//
// An opening becomes a grammar, for a server that decodes by one. Example: `x = pri|`, of which the
// prompt is `x =`, has the grammar
//
//   root ::= " pri" [ \t\r\n]* [^ \t\r\n] [^\x00]*
//
// Where the server refuses grammars, the question goes out again without one, and so do all later
// ones: the prompt holds the healed text, and the stream begins with it.
//
// Nothing that the server sends is trusted: its events are bounded in size and number, and
// data that is no event of its kind ends the stream with the reason.
//
// Cost: a request. Thread rule: one thread at a time; streams end before their source.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/remote/backoff.h"
#include "server/remote/remote_engine.h"
#include "server/remote/text_stream.h"
#include "server/request/deadline.h"

namespace tenon::server {

// How the server has fared so far, kept from one request to the next.
struct ServerRecord {
  Backoff backoff;
  std::string last_fault;
  bool refuses_grammars = false;
};

class RemoteSource final : public TextSource {
 public:
  static constexpr int kMaxAttempts = 3;

  // `question`: without what was written. REQUIRES: engine and record outlive the source.
  RemoteSource(const RemoteEngine& engine, ServerRecord& record, TextQuestion question,
               Deadline deadline, std::stop_token stop);

  [[nodiscard]] tl::expected<std::unique_ptr<TextStream>, StreamFault> Open(
      std::string_view written, int max_tokens, const Opening& opening) override;

 private:
  [[nodiscard]] HttpQuestion HttpOf(const TextQuestion& question) const;
  // Returns once the server may be asked; the error: not in time.
  [[nodiscard]] std::optional<StreamFault> WaitForTurn() const;

  const RemoteEngine& engine_;
  ServerRecord& record_;
  const TextQuestion question_;
  const Deadline deadline_;
  const std::stop_token stop_;
};

}  // namespace tenon::server
