// Completions at a cursor: the seam between the protocol side (server/lsp, server/cli) and the
// model under its constraint.
//
// A request is a text and a cursor. The answer is a few items, each of which replaces a stretch of
// the text. Example: for `print(na|)` the item `me` replaces the empty stretch at the cursor. Its
// guarantee is kFile: the file parses with the item in its place. An answer without items has a
// reason.
//
// A completer loads its model after it was made. Until then its status is kLoading and every
// answer is empty. A thread can wait for the end of loading, and a function can be called then:
// nobody has to ask again and again.
//
// Offsets are bytes into UTF-8 text.
// Thread rule: Complete is called by one thread at a time; all other functions by any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "server/request/shared_text.h"
#include "server/request/sureness.h"
#include "tenon/gap.h"
#include "tenon/token_id.h"

namespace tenon::server {

// The promise about a text with an item in its place: the whole file is valid (kFile); a region
// around the cursor is valid (kRegion); the file has no more syntax errors than before (kSyntax);
// nothing (kNone).
enum class Guarantee : uint8_t { kFile, kRegion, kSyntax, kNone };
// Why an item ends where it does: the model ended it (kStop); its tokens or its time were spent at
// a position that fits (kBudget, kTime); a closing text ended it (kWitness). The best comes first:
// items are ranked in this order.
enum class Ended : uint8_t { kStop, kBudget, kTime, kWitness };
enum class ConstraintMode : uint8_t { kOff, kLeft, kBoth };
const char* ToString(Guarantee g);
const char* ToString(Ended e);

// How far a completion is. First the prompt is read, then the middle grows.
struct CompletionProgress {
  size_t read_tokens = 0;
  std::span<const TokenId> prompt;  // all that the model reads before it writes
  std::string_view middle;          // so far; the answer may cut or close it
};

// A text that is open beside the one that is completed.
struct OtherText {
  SharedText text;
  std::string name;       // base name of its file
  std::string path = {};  // of its file; empty where it has none

  friend bool operator==(const OtherText&, const OtherText&) = default;
};

// Tokens of a completion, unless told: enough for the body of most functions.
inline constexpr int kUsualMaxTokens = 96;

// A sign that is missing in another line than the cursor's: the comma after the line above.
struct MissingSign {
  size_t offset_bytes = 0;  // where it goes
  std::string text;

  friend bool operator==(const MissingSign&, const MissingSign&) = default;
};

struct CompletionRequest {
  SharedText text;          // the whole buffer, UTF-8
  size_t offset_bytes = 0;  // the cursor; at a code point boundary
  std::string language_id;  // LSP language id
  std::string name;         // base name of the file, for the prompt
  // Complete freely where neither a grammar nor a syntax of the language is known.
  bool any_language = false;
  // Names the buffer: knowledge about its text is kept from request to request.
  std::string document;
  // Texts of other open files. They make the answer quicker; they change it with `other_files`
  // alone.
  std::vector<OtherText> other_texts = {};
  // Does the model see stretches of them (server/context/snippets.h)?
  bool other_files = false;
  ConstraintMode constraint = ConstraintMode::kBoth;
  int max_tokens = kUsualMaxTokens;
  // From the call of Complete to its answer, give or take one step: opening the gap, one stretch of
  // the prompt (model/inference/inference_session.h), or one decode. Nothing: as long as it takes.
  std::optional<std::chrono::milliseconds> time_budget;
  // How far the completion may go from the cursor. Where nothing within a scope closes the gap, the
  // next wider scope is taken.
  Scope scope = Scope::kBlock;
  // A level of the grammar's `%levels`: the newest version of the language that may be written.
  // Empty: only forms that every version takes.
  std::string level;
  float temperature = 0;  // 0: greedy
  uint64_t seed = 0;
  // The most items of the answer. A person sees each to be distinct (visible_text.h); the number
  // never changes the first one.
  int candidates = 1;
  // Texts that are not offered; neither are texts that begin with one of them, or that one of them
  // begins with. Example: with `max(a, b)` unwanted, `max(a` and `max(a, b) + c` are not offered.
  std::vector<std::string> unwanted = {};
  // Texts of items that an earlier answer has given for this text and cursor, under these terms.
  // The asker has these items: they are not offered again, and `candidates` counts the others.
  std::vector<std::string> already_offered = {};
  // May an item say that the line above lacks a sign (server/complete/missing_sign.h)? For askers
  // who write both.
  bool adds_missing_sign = false;
  // How items end their lines: "\n", "\r\n" or "\r"; empty: as the text does.
  std::string line_end = {};
  // `text` is a prompt: the model writes on at its end, up to an end that the constraint accepts
  // or up to the budget. The cursor means nothing then.
  bool prompt = false;
  // With `prompt`: the written text matches this expression as a whole. The language means nothing
  // then.
  std::optional<std::string> regex;
  // Hears of the work while it is done, also by GoOn, on the thread that calls it; may be empty.
  std::function<void(const CompletionProgress&)> on_progress;
};

// The request for the text with the sign. REQUIRES: the sign's place lies before the cursor.
[[nodiscard]] CompletionRequest WithSign(CompletionRequest request, const MissingSign& sign);

// Would both requests have the same first item if they had the same text, cursor and time? The
// name of the buffer, the other texts themselves and `on_progress` change no answer. Unwanted
// texts, those already offered and `adds_missing_sign` do: who keeps answers must look through
// them.
[[nodiscard]] bool HaveSameTerms(const CompletionRequest& a, const CompletionRequest& b);
// Do two requests have the same answer? But for `adds_missing_sign`: a list and inline items of one
// keystroke share a computation. Linear in the text, where the two do not share it.
[[nodiscard]] bool AskTheSame(const CompletionRequest& a, const CompletionRequest& b);

struct CompletionItem {
  std::string text;  // replaces [range_begin_bytes, range_end_bytes) of the request's text
  size_t range_begin_bytes = 0;
  size_t range_end_bytes = 0;
  Guarantee guarantee = Guarantee::kNone;
  Ended ended = Ended::kStop;
  int tokens = 0;         // drawn from the model
  bool unneeded = false;  // the model would have written nothing, had it been free to
  // Left of the item. The guarantee is about the text with both.
  std::optional<MissingSign> missing_sign = {};
  // Of the tokens that the model wrote. Closing text has none.
  std::vector<TokenNats> nats = {};
};

// May the item be shown to a person who has not asked, at this place? `least`: how sure the model
// must be, where it must be (server/request/sureness.h). Never with words that nobody drew.
[[nodiscard]] bool MayBeShownUnasked(const CompletionItem& item, std::string_view text,
                                     size_t offset_bytes, double least);

// Counts of one decoding.
struct DecodeStatistics {
  int drawn = 0;     // tokens of the middle, forced ones too
  int refused = 0;   // tokens that the sampler drew and the constraint refused
  int masks = 0;     // masks that were made
  int forced = 0;    // tokens that the constraint alone wrote
  int passes = 0;    // of the model over one or more tokens of the middle
  int requests = 0;  // to a remote engine
  int wasted = 0;    // tokens of the remote engine that became no part of the middle
};

struct CompletionAnswer {
  std::vector<CompletionItem> items;  // empty: nothing to offer; `reason` says why
  std::string reason;                 // for the log: "no grammar for language 'x'", ...
  bool cancelled = false;
  bool cut_by_time = false;  // Completer::GoOn would compute more of it
  bool is_rest = false;      // the rest of an earlier answer: no model computed anything
  // The request's tokens are too few: no middle of fewer than these is known to close the gap.
  std::optional<uint32_t> needs_tokens;
  std::optional<DecodeStatistics> statistics;  // nothing: nothing constrained the decoding
  // Stage -> milliseconds: gap (where one was opened), prefill, decode; total.
  std::map<std::string, double> timings_ms;

  static CompletionAnswer Nothing(std::string reason);
  static CompletionAnswer Cancelled();
  static CompletionAnswer Infeasible(uint32_t needs_tokens);
  // The time ended before the model or the server wrote anything. `when` ends the sentence "the
  // time of 300 ms ended …": "before the server wrote anything".
  static CompletionAnswer Late(std::chrono::milliseconds time_budget, std::string_view when);
};

enum class CompleterState : uint8_t { kLoading, kReady, kFailed };
struct CompleterStatus {
  CompleterState state = CompleterState::kLoading;
  std::string message;  // the model that is loaded, or the fault and its remedy
  // Of the bytes of its weights, those that are read: 0 to 100. With kLoading alone.
  int percent = 0;
};

class Completer {
 public:
  Completer() = default;
  virtual ~Completer() = default;
  Completer(const Completer&) = delete;
  Completer& operator=(const Completer&) = delete;

  // Always answers. A cancelled request is answered soon, with `cancelled` and no items.
  virtual CompletionAnswer Complete(const CompletionRequest& request, std::stop_token cancel) = 0;

  // As Complete, for a request that may come.
  virtual CompletionAnswer CompleteAhead(const CompletionRequest& request, std::stop_token stop);

  // Computes on the last request that its time cut short, so that a later request at that place
  // finds the work done, and answers it as if it had no time budget. Returns when it is done, or
  // soon after `stop` is requested, as cancelled then. Called as Complete is.
  virtual CompletionAnswer GoOn(std::stop_token stop);

  // Reads the text around the cursor, so that a later request at that place has less to do. Returns
  // when it is done, or soon after `stop` is requested. Called as Complete is.
  virtual void ReadAhead(const CompletionRequest& request, std::stop_token stop);

  // -ln p(middle): how unlikely the model, without a constraint, finds it that the text at the
  // cursor goes on with `middle` (likelihood.h). The prompt is that of a completion. The error says
  // why there is no such number. Called as Complete is.
  [[nodiscard]] virtual tl::expected<double, std::string> NatsOf(const CompletionRequest& request,
                                                                 std::string_view middle);

  [[nodiscard]] CompleterStatus status() const;
  // Returns when the status is no longer kLoading, or when `stop` is requested; with the status
  // then.
  CompleterStatus WaitUntilLoaded(const std::stop_token& stop = {}) const;
  // Calls `then` once the status is no longer kLoading: at once where it is so, else on the thread
  // that loads.
  void WhenLoaded(std::function<void()> then);
  // Calls `then` once the status is kFailed, after loading, too: at once where it is so, else on
  // the thread that finds the fault. Forgotten where `alive` expires before.
  void WhenFailed(std::weak_ptr<void> alive, std::function<void()> then);
  // Calls `then` each time that the percent of loading grows, on a thread that loads. Forgotten
  // where `alive` expires before.
  void WhenProgress(std::weak_ptr<void> alive, std::function<void()> then);

 protected:
  // Wakes the waiting threads and runs the functions that wait for this status.
  void SetStatus(CompleterStatus status);

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  // Guarded by mutex_.
  CompleterStatus status_{CompleterState::kLoading, "the model is loading"};
  std::vector<std::function<void()>> when_loaded_;
  struct Listener {
    std::weak_ptr<void> alive;
    std::function<void()> then;
  };
  std::vector<Listener> when_failed_;
  std::vector<Listener> when_progress_;
};

}  // namespace tenon::server
