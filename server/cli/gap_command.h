// `tenon gap`: can the gap between two texts be closed, does a given text close it, and what may
// come next?
//
// Example: for the file `[1, 2]`, `tenon gap a.json --at 4-5` takes the `2` out. The gap is
// viable, and the empty text does not close it. With `--insert 3` the answer is that `3` closes
// it.
//
// The question is the exact one about the accepted language, without the stricter rules of
// completions. Closing texts and samples obey those rules. So does everything under a scope other
// than `free`, and in a request with "emit".
//
// Cost: the gap's set-up (docs/measured.md); the batch form compiles each language once.
// Thread rule: the main thread.
#pragma once

#include <optional>
#include <string>

#include "server/cli/gap_question.h"
#include "server/invocation/invocation.h"

namespace tenon::server {

struct GapOptions {
  bool batch = false;  // requests come as JSON lines, and no file is named
  std::string file;
  std::string at;  // A or A-B, bytes of the file: the text A..B is taken out
  std::optional<std::string> insert;
  bool close = false;   // say which text closes the gap, too
  bool region = false;  // in a broken file the region around the gap counts
  std::optional<std::string> language;
  std::string scope = "free";
  SampleOptions sample;
  // File of the vocabulary that samples are drawn from; nothing: the model.
  std::optional<std::string> tokenizer;
  // A stage of the engine is printed in place of the answer (stage_dump.h); empty: none.
  std::string dump;
  bool explain = false;  // how both sides are read, on one screen
};

// 0 where the question could be answered, whatever the answer.
[[nodiscard]] int RunGap(const Invocation& invocation, const GapOptions& options);
// Requests as JSON lines on `in`, each answered by one line on `out`: {"viable", "member",
// "expected"} or {"error"}.
[[nodiscard]] int RunGapBatch(const Invocation& invocation, const GapOptions& options);

}  // namespace tenon::server
