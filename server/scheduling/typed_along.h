// A computation that goes on while the user types its text.
//
// A completion takes the default model as long as five keys. Were each computation stopped by the
// next key, nobody would see an answer before a pause. So a computation goes on as long as its text
// and the typed text agree, and the question after the last key gets the rest of its answer.
// Example: the question was asked at `x = |`.
//
//   written     typed      the computation
//   nothing     `m`        is stopped, for the text is still being read, and the next question
//                          knows more of it
//   `ma`        `m`        goes on
//   `ma`        `max(`     goes on: the rest may come
//   `max(a`     `max(`     goes on; its answer `max(a, b)` leaves `a, b` for `x = max(|`
//   `ma`        `mi`       is stopped
//
// Source: our own; figures in docs/measured_editing.md. Cost: linear in the written text.
// TypedSince and RestFor compare texts as wholes, some 20 us for 400 KB. Thread rule: any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "server/request/completer.h"

namespace tenon::server {

class TypedAlong {
 public:
  // The computation has read the text around the cursor, and has written so much. Returns whether
  // the typed text agrees with it.
  bool Write(std::string_view middle);
  // So much was typed since the question, in all. Returns whether the computation may go on.
  [[nodiscard]] bool Type(std::string_view typed);

 private:
  std::mutex mutex_;
  std::optional<std::string> written_;  // guarded by mutex_; nothing: the text is still being read
  std::string typed_;                   // guarded by mutex_
};

// The text typed at the request's cursor; nothing where `text` differs from the request's text
// elsewhere, too.
[[nodiscard]] std::optional<std::string_view> TypedSince(const CompletionRequest& request,
                                                         std::string_view text);

// May the answer to `earlier` have a rest for `next`? Both are about one document.
[[nodiscard]] bool MayGoOnFrom(const CompletionRequest& earlier, const CompletionRequest& next);
// The rest of the answer to `earlier`, as the answer to `next`; nothing where `next` is another
// text.
[[nodiscard]] std::optional<CompletionAnswer> RestFor(const CompletionRequest& earlier,
                                                      const CompletionAnswer& answer,
                                                      const CompletionRequest& next);

}  // namespace tenon::server
