// One completion, asked for and timed: the text that an editor would show, and how long the
// user waits for it.
//
// Example: at `print(na|)` the completer offers the item `me`; the offer is the text `me` and the
// milliseconds from the question to the answer, by a clock that never goes back.
// Cost: that of the completion. Thread rule: that of the completer.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/invocation/progress_bar.h"
#include "server/request/completer.h"

namespace tenon::server {

// A text with a cursor in it.
struct CursorPlace {
  std::string text;
  size_t offset_bytes = 0;
  std::string language;
  std::string path;
  std::vector<OtherText> open = {};  // files that are open beside it
};

struct Offer {
  std::string text;                 // at the cursor; blank: there is none
  std::string whole;                // the text around the cursor with it in its place
  std::vector<std::string> others;  // of further candidates
  std::string reason;
  std::string ended;  // stop, budget, time or witness
  int tokens = 0;
  int requests = 0;  // to a remote engine, and the tokens of it that were of no use
  int wasted = 0;
  double ms = 0;
  // How sure the model is of each line of the item (server/request/sureness.h).
  std::vector<double> line_sureness;

  [[nodiscard]] bool answered() const;  // with more than blanks
};

// The terms of all questions.
struct AskingTerms {
  int max_tokens = kUsualMaxTokens;
  std::optional<std::chrono::milliseconds> time_budget = {};  // absent: as long as it takes
  // From an answer to the next key. Absent: the next key follows at once.
  std::optional<std::chrono::milliseconds> pause = {};
  int candidates = 1;
  // An offer of which the model is less sure is withheld where it must be sure
  // (server/request/sureness.h).
  double sureness = 0;
  bool other_files = false;  // does the model see stretches of the files that are open beside?
};

class Asker {
 public:
  Asker(Completer& completer, AskingTerms terms, Now now)
      : completer_(completer), terms_(terms), now_(std::move(now)) {}

  // `waited`: so much of the answer's time is over when the question reaches the completer.
  [[nodiscard]] Offer Ask(const CursorPlace& at, ConstraintMode constraint,
                          std::chrono::milliseconds waited = {}) const;
  // The time between the answer at a place and the next key. As in the daemon, the model goes on
  // meanwhile with an answer that its time cut short, and then reads the whole text around the
  // cursor (server/scheduling/completion_worker.h, server/lsp/ahead_work.h). Returns how much later
  // than the next key it stops: for so long the next question waits.
  [[nodiscard]] std::chrono::milliseconds Pause(const CursorPlace& at,
                                                ConstraintMode constraint) const;
  // -ln p(middle) under the model alone.
  [[nodiscard]] tl::expected<double, std::string> NatsOf(const CursorPlace& at,
                                                         std::string_view middle) const;
  // Makes the next prompt as slow as a first one: the model forgets the last one.
  void DropPrompt() const;

 private:
  [[nodiscard]] CompletionRequest RequestAt(const CursorPlace& at, ConstraintMode constraint) const;

  Completer& completer_;
  AskingTerms terms_;
  Now now_;
};

}  // namespace tenon::server
