// `tenon grammar FILE`: reads a grammar file and prints its tables in numbers, or why the
// engine cannot take it.
//
// It prints counts, the time of compiling, and for each conflict of the table a shortest text that
// leads there with both readings. With `--quotient` it prints the explicit grammar of the middle
// at a gap instead (tenon/middle_grammar.h).
// Cost: compiling the grammar (docs/measured.md). Thread rule: the main thread.
#pragma once

#include <optional>
#include <string>

#include "server/invocation/invocation.h"

namespace tenon::server {

struct GrammarOptions {
  std::string path;
  size_t max_conflicts = 20;  // shown with an example; all are counted
  bool quotient = false;
  std::string file;             // --quotient: the text with the gap
  std::string at;               // --quotient: A or A-B, bytes of the file
  std::string format = "lark";  // --quotient: or gbnf
  bool emit = false;            // --quotient: of the stricter grammar that tenon writes by
  // A stage of the engine is printed in place of the counts (stage_dump.h); empty: none.
  std::string dump;
  // --dump store: file of its vocabulary; nothing: the model.
  std::optional<std::string> tokenizer;
};

// 0 where the grammar can be used; 1 with place and remedy where it cannot.
// With `quotient`: 0 where a grammar of the middle was printed, 1 where nothing closes the gap.
[[nodiscard]] int RunGrammar(const Invocation& invocation, const GrammarOptions& options);

}  // namespace tenon::server
