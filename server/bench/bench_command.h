// `tenon bench masks|gap|store|ambiguity|model|lsp|syntax`: time and memory of each stage.
//
//   masks   the file's tokens one after another: the mask at each place, is the token allowed,
//           take it; with the left context alone and, in windows, with the right context as well
//           with --regex: the masks of every state of an expression's automaton, and of random
//           texts that match
//   gap     opening gaps, by the length of the file; the cost of a keystroke; closing texts
//   store   compiling, building the mask store, loading it from disk; its size and entries
//   ambiguity   texts of a grammar in which sums and sequences can be grouped in many ways: N
//           brackets in one another with the gap amid them (nested_N), and N terms right of the gap
//           (flat_N)
//   model   loading, prefill and decode of the model file, by the length of the prompt
//   lsp     a language server while some lines of a file are typed again, with a question after
//           each key: an edit, an answer without and with the model, a cancelled question; without
//           and with work ahead
//   syntax  a file grown to 10,000 lines, parsed by tree-sitter: whole, and after each of `gaps`
//           keys typed at random places
//
// Rows in ms hold processor time beside wall time. Each is meant for a fresh process: nothing is
// computed before it except where the row says so. Names and units of rows: README.md.
// Cost: some seconds. Thread rule: the main thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/invocation/invocation.h"

namespace tenon::server {

struct BenchOptions {
  std::string what;  // masks, gap, store, ambiguity, model, lsp, syntax
  std::string file;
  std::optional<std::string> tokenizer;  // a tokenizer.json or GGUF file; else the model's
  std::optional<std::string> language;
  std::optional<std::string> regex;  // of masks: in place of a file and a language
  size_t gaps = 50;                  // opened a file length; texts of an expression
  unsigned seed = 1;
  std::vector<size_t> levels{10, 100, 1000};  // of ambiguity: brackets in one another
  std::vector<size_t> terms{10, 100};         // of ambiguity: terms right of the gap
  std::string precision = "auto";             // of model: auto, f32, bf16, blocks
  size_t runs = 10;                           // of model: of each prompt
  bool busy = false;                          // of model: one core is kept busy meanwhile
  int pause_ms = 50;                          // of lsp: between a key and its question
};

[[nodiscard]] int RunBench(const Invocation& invocation, const BenchOptions& options);

// `tenon model bench`: the model's speed in a few rows: prompt_512 in tokens/s; decode, a token
// after that prompt, in ms; decode_2, decode_4 and decode_8, so many tokens at once. `runs`: of the
// prompt, and ten passes of each kind after each.
[[nodiscard]] int BenchModelBriefly(const Invocation& invocation, const ModelChoice& choice,
                                    size_t runs);

}  // namespace tenon::server
