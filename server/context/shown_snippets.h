// The snippets that a prompt shows, which stay the same while somebody types at one place.
//
// They are chosen among the texts of other files and what the prompt hides of this one: code
// repeats what stands two pages further up, and further down.
//
// Snippets stand in front of everything else in a prompt, so another choice has the model read the
// whole prompt anew. It reads it anew anyway where the cursor has gone to another place, for then
// the text right of it is another one. So a choice holds as long as the place does (by_place.h).
//
// Of the other texts those are left out that their repository ignores (ignored_files.h), and those
// that hold nothing but secrets (secrets.h).
//
// Cost: that of a choice (snippets.h) and a copy of what it looks at in this text, once a place.
// Memory: choices keep their texts, of this one twice SnippetFinder::kMaxTextBytes at most. Thread
// rule: one thread at a time.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string_view>
#include <vector>

#include "server/context/by_place.h"
#include "server/context/snippets.h"
#include "server/request/completer.h"

namespace tenon::server {

class ShownSnippets {
 public:
  static constexpr size_t kMaxBytes = 2048;  // of all snippets of a prompt

  // The parts of the request's text that the prompt does not show.
  struct Hidden {
    std::string_view above, below;
  };
  // For the place of the cursor of a request, between `left` and `right`. None where
  // choosing was stopped; such a choice is not kept.
  [[nodiscard]] std::vector<Snippet> For(const CompletionRequest& request, std::string_view left,
                                         std::string_view right, const Hidden& hidden,
                                         const std::stop_token& stop);

 private:
  SnippetFinder finder_;
  // By whether there were other files to choose from: a place may be older than the first of them.
  ByPlace<std::vector<Snippet>> with_others_, without_;
};

}  // namespace tenon::server
