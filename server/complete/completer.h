// What to offer at a cursor: the seam between the protocol side (server/lsp, server/cli) and model plus constraint.
//
// Offsets are bytes into UTF-8 text. Thread rule: Complete may be called from one worker thread at a time; status() from any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "constraint/lex/scope.h"

namespace tenon::server {

enum class Guarantee : uint8_t { kFile, kRegion, kNone };
enum class Ended : uint8_t { kStop, kBudget, kWitness };
enum class ConstraintMode : uint8_t { kOff, kLeft, kBoth };
const char* ToString(Guarantee g);
const char* ToString(Ended e);

struct CompletionRequest {
  std::string text;         // the whole buffer, UTF-8
  size_t offset_bytes = 0;  // the cursor; at a code point boundary
  std::string language_id;  // LSP language id
  std::string name;         // base name of the file, for the prompt
  std::string document;     // names the buffer: what is known about one is kept from request to request
  ConstraintMode constraint = ConstraintMode::kBoth;
  int max_tokens = 64;
  // How far the completion may go from the cursor; where nothing within it closes the gap, the next wider one is taken.
  constraint::Scope scope = constraint::Scope::kBlock;
  std::string level;      // of the grammar's `%levels`: what may be written beyond what every version takes
  float temperature = 0;  // 0: greedy
  uint64_t seed = 0;
  // Writes on behind `text` alone, up to the end that the constraint accepts or the budget.
  bool prompt = false;
  std::optional<std::string>
      regex;  // with `prompt`: what is written matches it as a whole; the language means nothing then
};

struct CompletionItem {
  std::string text;  // replaces [range_begin_bytes, range_end_bytes) of the request's text
  size_t range_begin_bytes = 0;
  size_t range_end_bytes = 0;
  Guarantee guarantee = Guarantee::kNone;
  Ended ended = Ended::kStop;
  int tokens = 0;  // drawn from the model
};

// What decoding did.
struct DecodeStatistics {
  int drawn = 0;    // tokens of the middle, forced ones too
  int refused = 0;  // tokens that the sampler drew and the constraint refused
  int masks = 0;    // masks that were made
  int forced = 0;   // tokens that the constraint alone wrote
};

struct CompletionAnswer {
  std::vector<CompletionItem> items;  // empty: nothing to offer; `reason` says why
  std::string
      reason;  // for the log: "no grammar for language 'x'", "the text around the cursor is not valid Python", ...
  bool cancelled = false;
  // The request's tokens are too few: no middle of fewer than these is known to close the gap.
  std::optional<uint32_t> needs_tokens;
  std::optional<DecodeStatistics> statistics;  // nothing: the constraint had no part in it
  // Stage -> milliseconds: gap (where one was opened), prefill, decode; total.
  std::map<std::string, double> timings_ms;

  static CompletionAnswer Nothing(std::string reason);
  static CompletionAnswer Cancelled();
  static CompletionAnswer Infeasible(uint32_t needs_tokens);
};

enum class CompleterState : uint8_t { kLoading, kReady, kFailed };
struct CompleterStatus {
  CompleterState state = CompleterState::kLoading;
  std::string message;  // what is loaded, or what is wrong and what to do
};

class Completer {
 public:
  Completer() = default;
  virtual ~Completer() = default;
  Completer(const Completer&) = delete;
  Completer& operator=(const Completer&) = delete;

  // Always answers; a cancelled request answers soon with `cancelled`, no items.
  virtual CompletionAnswer Complete(const CompletionRequest& request, std::stop_token cancel) = 0;

  [[nodiscard]] CompleterStatus status() const;
  // Returns when the status is no longer kLoading, or when `stop` is requested; with the status then.
  CompleterStatus WaitUntilLoaded(const std::stop_token& stop = {}) const;
  // Calls `then` once the status is no longer kLoading: at once where it is so, else on the thread
  // that loads.
  void WhenLoaded(std::function<void()> then);

 protected:
  // Wakes the waiting threads and runs the waiting functions where the status is no longer kLoading.
  void SetStatus(CompleterStatus status);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  // Guarded by mutex_.
  CompleterStatus status_{CompleterState::kLoading, "the model is loading"};
  std::vector<std::function<void()>> when_loaded_;
};

}  // namespace tenon::server
