// The stretch further up in a text that is most like the lines around a cursor.
//
// A prompt in a hurry shows 1 KB left of the cursor. The text there often repeats lines further up:
// a test repeats the checks of the test before, a comment the words of another one. Example, where
// the prompt begins at `...`:
//
//   def test_complete():
//       assert len(graph) == 5, "Should be a complete graph"
//   ...
//   def test_cycle():
//       assert len(graph) == 5, |
//
// The lines of `test_complete` are the stretch. A stretch is chosen as snippets of other files are
// (snippets.h), and stays the same while somebody types at one place (by_place.h).
//
// Cost: a choice (snippets.h) in this text, once a place. Memory: kMaxBytes a place.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/context/by_place.h"
#include "server/request/completer.h"

namespace tenon::server {

class FurtherUp {
 public:
  static constexpr size_t kMaxBytes = 800;

  // Whole lines of `hidden`, the text above the stretch that the prompt shows. Empty where no lines
  // are like the lines around the cursor of `request`, or where choosing was stopped. `left`,
  // `right`: the contexts as the prompt shows them.
  [[nodiscard]] std::string For(const CompletionRequest& request, std::string_view hidden,
                                std::string_view left, std::string_view right,
                                const std::stop_token& stop);

 private:
  ByPlace<std::string> stretches_;
};

}  // namespace tenon::server
