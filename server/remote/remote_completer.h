// Completions whose text a server's model writes, under the same constraint as a local model's.
//
// A request walks the path of a local one (server/complete/engine_completer.h). Its first and last
// stage are the same (server/complete/request_stages.h); the middle is another. The prompt is sent
// as text, and the answer is judged while it streams in (streamed_decoder.h).
// Example: for `total = |` the server writes `price * tax)`. The gap takes `price * tax` and
// refuses `)`: what is offered parses, whatever the server sends.
//
// A partial word at the cursor is healed where the server decodes by a grammar, as llama.cpp's
// does: the model writes it anew. Elsewhere the whole left context is shown. Tokens are estimated
// by bytes (kBytesAToken), for the tokenizer is not known.
//
// A person who asks gets up to as many distinct items as from a local model, each for a request or
// more (streamed_candidates.h); where the language has no grammar, one.
//
// A server that fails gives an answer without items, whose reason names the server, the fault and
// the remedy. The status is kReady as soon as the settings are right: the server may come later.
// Work that nobody asked for is not sent: nothing is read or completed ahead. A question whose time
// cut its answer short is asked once more.
//
// Cost: that of the server; docs/measured_completion.md. Thread rule: as Completer says.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "server/languages/language_registry.h"
#include "server/remote/remote_engine.h"
#include "server/request/completer.h"
#include "server/request/deadline.h"

namespace tenon::server {

inline constexpr size_t kBytesAToken = 3;

struct RemoteOptions {
  tl::expected<RemoteEngine, std::string> engine;          // the error becomes the status
  std::vector<std::filesystem::path> syntax_folders = {};  // of tree-sitter's modules
  Deadline::Clock now = [] { return std::chrono::steady_clock::now(); };  // of time budgets
};

[[nodiscard]] std::unique_ptr<Completer> MakeRemoteCompleter(
    RemoteOptions options, std::shared_ptr<const LanguageRegistry> languages);

}  // namespace tenon::server
