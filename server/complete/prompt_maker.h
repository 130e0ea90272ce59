// The prompt of a completion: the text that the model reads before it draws the middle.
//
// A prompt around a cursor shows a window of both contexts (model/text/fim.h), in one of two
// extents. `|` is the cursor:
//
//   kAll    stretches of other files and of this one, its imports and heads, 4,096 bytes left of
//           the cursor and 1,024 right of it: up to 2,500 tokens
//   kNear   1,024 bytes left and 256 right, after what is most like them further up in the text
//           (further_up.h): 350 to 600 tokens
//
// Example: a processor reads 80 tokens a second, and the cursor goes to another function. All of
// the prompt takes 20 s, the near text 4 to 7 s. So a question with little time sees the near text
// until the rest is read (hurried_prompts.h).
//
// Cost: encoding the text that is shown, 1 to 2 ms; choosing stretches once a place.
// Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <stop_token>
#include <string_view>
#include <vector>

#include "model/inference/inference.h"
#include "server/complete/completion_task.h"
#include "server/complete/prompt_surroundings.h"
#include "server/context/further_up.h"
#include "server/languages/language_registry.h"
#include "server/request/completer.h"

namespace tenon::server {

enum class PromptExtent : uint8_t { kAll, kNear };

struct Prompt {
  std::vector<TokenId> tokens;
  PromptExtent extent = PromptExtent::kAll;
  // The tokens of the healed text, which the model may write first: none where there are many.
  std::vector<TokenId> healed = {};
};

class PromptMaker {
 public:
  PromptMaker(std::shared_ptr<const model::LlamaModel> model,
              std::shared_ptr<const LanguageRegistry> languages)
      : model_(std::move(model)), surroundings_(std::move(languages)) {}

  // A text that is written on has one extent. `stop` ends the choice of stretches; the prompt then
  // shows none.
  [[nodiscard]] Prompt For(const CompletionRequest& request, const CompletionTask& task,
                           PromptExtent extent, const std::stop_token& stop);
  // Of both contexts as they are, without a task.
  [[nodiscard]] Prompt AtCursor(const CompletionRequest& request, PromptExtent extent,
                                const std::stop_token& stop);

 private:
  std::vector<TokenId> AroundCursor(const CompletionRequest& request, std::string_view left,
                                    std::string_view right, PromptExtent extent,
                                    const std::stop_token& stop);
  std::vector<TokenId> AroundGap(const CompletionRequest& request, size_t healed_bytes,
                                 PromptExtent extent, const std::stop_token& stop);
  [[nodiscard]] std::vector<TokenId> AfterText(const CompletionRequest& request) const;
  [[nodiscard]] std::vector<TokenId> TokensAhead(std::string_view healed) const;

  std::shared_ptr<const model::LlamaModel> model_;
  PromptSurroundings surroundings_;
  FurtherUp further_up_;
};

}  // namespace tenon::server
