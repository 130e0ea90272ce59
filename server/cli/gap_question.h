// A question of `tenon gap`: a gap in a text, and what is asked of it.
//
// Example, a line of `tenon gap --batch`:
//
//   {"text": "[1, 2]", "at": [4, 5], "insert": "3", "language": "json", "close": true}
//
// The `2` is taken out, `3` stands in its place, and a text that closes the gap is wanted.
//
// Cost: the text is copied. Thread rule: plain values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/cli/cut.h"
#include "tenon/gap.h"

namespace tenon::server {

inline constexpr size_t kMaxSamples = 1000000;
inline constexpr uint32_t kMaxSampleTokens = 4096;

// Random texts that close the gap, as tenon would write them.
struct SampleOptions {
  size_t count = 0;  // 0: none are wanted
  uint32_t max_tokens = 32;
  uint64_t seed = 0;
};

struct GapQuestion {
  std::string text;
  std::string path;                     // may be empty
  std::optional<std::string> language;  // nothing: by the path's suffix
  Cut cut;
  std::string insert;  // the middle so far
  bool close = false;  // which text closes the gap from there?
  SampleOptions sample;
  Scope scope = Scope::kFree;
  bool emit = false;    // `insert` has to obey the rules of completions
  bool region = false;  // where the file is broken elsewhere, the region around the gap counts

  // Do the rules for writing hold for `insert`? A scope limits a written text.
  [[nodiscard]] bool obeys_emit() const { return emit || scope != Scope::kFree; }
};

// Reads the file at "path" where there is no "text". The error names the member that is wrong, or
// the file.
[[nodiscard]] tl::expected<GapQuestion, std::string> GapQuestionFrom(const nlohmann::json& line);

}  // namespace tenon::server
