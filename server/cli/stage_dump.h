// One stage of the engine as text: `tenon grammar FILE --dump STAGE`, `tenon gap FILE --at A --dump
// STAGE`, and `tenon gap FILE --at A --explain`.
//
// Example: `tenon gap a.json --at 4-5 --dump plan` prints the terminals that would close the gap of
// `[1, |]`. The stages of a gap are those of completions: text that tenon may write, under the seam
// rule. `--explain` asks about the accepted language, as `tenon gap` does without it.
//
// Cost: that of the stage; nothing is measured. Thread rule: the main thread.
#pragma once

#include <memory>

#include "server/cli/gap_command.h"
#include "server/cli/grammar_command.h"

namespace tenon::server {

// REQUIRES: `options.dump` is lexer, table or store.
[[nodiscard]] int DumpGrammarStage(const Invocation& invocation, const GrammarOptions& options,
                                   const Language& language);
// REQUIRES: `options.explain`, or `options.dump` is lexer, right, demand, classes or plan.
[[nodiscard]] int DumpGapStage(const Invocation& invocation, const GapOptions& options);

}  // namespace tenon::server
