// The prompts of a question with little time: the text near the cursor first, all of the prompt
// later.
//
// Reading a whole prompt at a new place takes many times a keystroke's time (prompt_maker.h). So a
// question with little time sees the near prompt until the whole one is read. Example: tokens that
// the model has not read yet, of each prompt.
//
//   whole   near    seen first
//     30     ...    the whole prompt: it is soon read
//   2500     400    the near prompt, and then the whole one is read ahead
//    500     450    the whole prompt: the near one saves little
//
// Cost: each prompt is made once at most. Thread rule: a pure function of its arguments.
#pragma once

#include <functional>
#include <optional>

#include "server/complete/prompt_maker.h"

namespace tenon::server {

struct HurriedPrompts {
  Prompt whole;
  std::optional<Prompt> near;  // absent: the whole prompt is seen at once

  [[nodiscard]] const Prompt& first() const { return near ? *near : whole; }
};

// `make`: the prompt of this extent. `unread`: how many of its tokens have yet to be read.
[[nodiscard]] HurriedPrompts MakeHurriedPrompts(
    const std::function<Prompt(PromptExtent extent)>& make,
    const std::function<size_t(const Prompt& prompt)>& unread);

}  // namespace tenon::server
