// The parts of a prompt beside the two windows of text around the cursor: the outline of the file
// and stretches of text, for local and remote models alike.
//
// Example: in a file of 300 lines whose window begins in the method `price`, the surroundings are
// the outline `import json⏎class Basket:⏎    def price(self, tax):⏎` (outline.h), and stretches
// that are like the text at the cursor, of other open files and of the lines that both windows
// leave out (server/context/shown_snippets.h).
//
// Cost: choosing stretches once a place, the imports' marks of a language.
// Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "model/text/text.h"
#include "server/context/shown_snippets.h"
#include "server/languages/language_registry.h"
#include "server/request/completer.h"

namespace tenon::server {

class PromptSurroundings {
 public:
  explicit PromptSurroundings(std::shared_ptr<const LanguageRegistry> languages)
      : languages_(std::move(languages)) {}

  struct Shown {
    model::FimOutline outline;
    std::vector<Snippet> stretches;  // of other files, and of this one
    // They point into the stretches.
    [[nodiscard]] std::vector<model::FimSnippet> snippets() const;
  };
  // `left`, `right`: the contexts of which the prompt shows a window. `shows_files`: the model's
  // format has a place for stretches. `stop` ends their choice; none are shown then.
  [[nodiscard]] Shown For(const CompletionRequest& request, std::string_view left,
                          std::string_view right, bool shows_files, const std::stop_token& stop);

 private:
  std::shared_ptr<const LanguageRegistry> languages_;
  ShownSnippets snippets_;
};

}  // namespace tenon::server
