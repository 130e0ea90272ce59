// `tenon gap`: can the gap between two texts be closed, does a given text close it, and what may come next?
//
// The exact question about the accepted language, without the stricter rules of what a completion may write. Closing texts and samples
// obey those rules, and so does everything under a scope other than `free`, or in a request with "emit".
// Cost: the gap's set-up (docs/measured.md); the batch form compiles each language once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/cli/session.h"

namespace tenon::server {

inline constexpr size_t kMostSamples = 1000000;
inline constexpr uint32_t kMostSampleTokens = 4096;

// Random texts that close the gap, as tenon would write them.
struct SampleOptions {
  size_t count = 0;  // 0: none are wanted
  uint32_t max_tokens = 32;
  uint64_t seed = 0;
};

struct GapOptions {
  std::string file;
  std::string at;  // A or A-B, bytes of the file: the text A..B is taken out
  std::optional<std::string> insert;
  bool close = false;  // say which text closes the gap, too
  std::optional<std::string> language;
  std::string scope = "free";
  SampleOptions sample;
  std::optional<std::string> tokenizer;  // file of the vocabulary that samples are drawn from; else the model's
};

// A stretch of a text that is taken out, in bytes.
struct Cut {
  size_t begin = 0;
  size_t end = 0;
};
// "A" or "A-B".
[[nodiscard]] std::optional<Cut> CutFrom(std::string_view at);

// 0 where the question could be answered, whatever the answer.
[[nodiscard]] int RunGap(const Session& session, const GapOptions& options);
// Requests as JSON lines on `in`, each answered by one line on `out`: {"viable", "member", "expected"} or {"error"}.
[[nodiscard]] int RunGapBatch(const Session& session, const GapOptions& options);

}  // namespace tenon::server
