// The stretch further up in a text that is most like the lines around a cursor.
//
// A prompt in a hurry shows 1 KB left of the cursor. Texts repeat what stands above that: a test
// the checks of the test before, a comment the words of another one. Example, where the prompt
// begins at `...`:
//
//   def test_complete():
//       assert len(graph) == 5, "Should be a complete graph"
//   ...
//   def test_cycle():
//       assert len(graph) == 5, |
//
// The lines of `test_complete` are the stretch. They are chosen as snippets of other files are
// (snippets.h), and stay the same while somebody types at one place (by_place.h).
//
// Cost: that of a choice (snippets.h) in this text, once a place. Memory: kMaxBytes a place.
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

  // Whole lines of `hidden`, the text above what the prompt shows left of the cursor of `request`;
  // empty where none are like the lines around it, or where choosing was stopped. `left`, `right`:
  // as the prompt shows them.
  [[nodiscard]] std::string For(const CompletionRequest& request, std::string_view hidden,
                                std::string_view left, std::string_view right,
                                const std::stop_token& stop);

 private:
  ByPlace<std::string> stretches_;
};

}  // namespace tenon::server
