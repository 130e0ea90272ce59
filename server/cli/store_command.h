// `tenon store build|show`: the mask store of a language and a vocabulary, and how many entries
// each step of streamlining leaves.
//
// `show` prints rows {"name", "count"}. The first is `entries_before`: the distinct pairs of a
// lexer state and a sequence of lexemes that some token realises. One row a step follows; the last
// is `entries_after`. `build` says what building took and where the store is kept: a row {"name":
// "file", "path", "bytes", "from_cache"}. Both read the stores that earlier runs have left. On a
// terminal a bar shows the progress.
//
// Cost: compiling the grammar and building the store, or reading both; counting entries builds the
// store three times more (docs/measured.md). Thread rule: the main thread.
#pragma once

#include <optional>
#include <string>

#include "server/invocation/invocation.h"

namespace tenon::server {

struct StoreOptions {
  std::string what;      // build, show
  std::string language;  // an LSP language id
  std::optional<std::string> tokenizer;
};

[[nodiscard]] int RunStore(const Invocation& invocation, const StoreOptions& options);

}  // namespace tenon::server
