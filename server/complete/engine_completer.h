// Completions from a local model under a grammar: the Completer that the program runs.
//
// The model loads on a thread of its own; until then status() says so and Complete answers with no items. A request splits the
// buffer at the cursor, opens the gap, makes sure that a closing text exists, prefills the prompt (what the last one shares is
// kept), and decodes. Source: docs/architecture.md, "A completion". Cost: docs/measured.md.
// Thread rule: as Completer says.
#pragma once

#include <memory>
#include <string>

#include "server/complete/completer.h"
#include "server/complete/language_registry.h"

namespace tenon::server {

struct CompleterOptions {
  std::string model_path;     // GGUF
  int threads = 0;            // 0: as many as the machine has, at most two
  int context_tokens = 2048;  // prompt and middle together
};

// Never fails: what is wrong with the model is said by status() and in each answer's reason.
[[nodiscard]] std::unique_ptr<Completer> MakeCompleter(CompleterOptions options,
                                                       std::shared_ptr<const LanguageRegistry> languages);

}  // namespace tenon::server
