// `tenon bench masks|gap|store`: time and memory of the constraint on a real file.
//
//   masks   the file's tokens one after another: the mask at each place, is the token allowed,
//           take it; with the left context alone and, in windows, with the right context as well
//           with --regex: the masks of every state of an expression's automaton, and of random
//           texts that match
//   gap     opening gaps, by the length of the file; the cost of a keystroke; closing texts
//   store   compiling, building the mask store, loading it from disk; its size and entries
//
// Each is meant for a fresh process: nothing is computed before but what a row says. Names and
// units of rows: README.md.
// Cost: some seconds. Thread rule: the main thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/cli/invocation.h"

namespace tenon::server {

struct BenchOptions {
  std::string what;  // masks, gap, store
  std::string file;
  std::optional<std::string> tokenizer;  // a tokenizer.json or GGUF file; else the model's
  std::optional<std::string> language;
  std::optional<std::string> regex;  // of masks: in place of a file and a language
  size_t gaps = 50;                  // opened a file length; texts of an expression
  unsigned seed = 1;
};

[[nodiscard]] int RunBench(const Invocation& invocation, const BenchOptions& options);

}  // namespace tenon::server
