// `tenon eval gaps|typing DIR`: quality and speed of completions on the files of a folder.
//
//   gaps     pieces are cut out of files and completed (gaps.h)
//   typing   lines are typed again, key by key (typing.h)
//
// Example: `tenon eval gaps src --gaps 100 --html page.html` asks about 100 gaps of each language
// below src, three times each: without a constraint, with the left context, and with both. A table
// is printed, --json and --html write the whole result:
//
//   {"eval", "settings": {...}, "machine": {...}, "groups": [...], "latencies_ms": {...},
//    "records": [...]}
//
// with the groups of summary.h and the records of gaps.h or typing.h. With --resume a run that was
// stopped goes on after its last finished gap (record_file.h).
// One model computes, on all threads that it is given; nothing else runs beside it, so that times
// are those of a user.
// Cost: loading the model, and a completion for each gap or key and each constraint. Thread rule:
// the main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/invocation/invocation.h"
#include "server/request/completer.h"

namespace tenon::server {

struct EvalOptions {
  std::string what;  // gaps, typing
  std::string folder;
  size_t gaps = 100;        // of each language
  size_t regions = 10;      // of each language
  size_t lines = 4;         // of a region
  bool auto_close = false;  // with typing: the editor closes brackets and quotes ahead
  uint64_t seed = 1;
  size_t open = 0;                     // files that are open beside the one that is completed
  bool other_files = false;            // does the model see stretches of them?
  std::vector<std::string> languages;  // empty: all
  std::vector<std::string> constraints{"off", "left", "both"};
  int max_tokens = kUsualMaxTokens;
  std::vector<std::string> kinds{"tail", "inside", "line"};  // of gaps
  int candidates = 1;                                        // of each request
  double sureness = 0;           // where a request needs it; less is withheld
  std::optional<int> budget_ms;  // the time of each request; absent: as long as it takes
  std::optional<int> pause_ms;   // with typing: from an answer to the next key; absent: none
  std::optional<std::string> json_file;
  std::optional<std::string> html_file;
  std::optional<std::string> resume_file;
};

[[nodiscard]] int RunEval(const Invocation& invocation, const EvalOptions& options);

}  // namespace tenon::server
