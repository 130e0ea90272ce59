// The snippets that a prompt shows, which stay the same while somebody types at one place.
//
// Snippets are chosen among the texts of other files and the parts of this file that the prompt
// hides: code repeats lines from two pages further up, and further down.
//
// Snippets come first in a prompt, so with another choice the model reads the whole prompt anew. At
// another place of the cursor the model reads the prompt anew in any case, since the right context
// is another one. So a choice holds as long as the place does (by_place.h).
//
// Two kinds of files are left out: files that their repository ignores (ignored_files.h), and files
// that hold nothing but secrets (secrets.h).
//
// Cost: a choice (snippets.h) and a copy of the hidden parts of this text, once a place.
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
