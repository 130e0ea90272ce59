#include "server/complete/hurried_prompts.h"

#include <utility>

namespace tenon::server {
namespace {

// Unread tokens that are worth waiting for.
constexpr size_t kSoonReadTokens = 64;

}  // namespace

HurriedPrompts MakeHurriedPrompts(const std::function<Prompt(PromptExtent)>& make,
                                  const std::function<size_t(const Prompt&)>& unread) {
  HurriedPrompts prompts{make(PromptExtent::kAll), std::nullopt};
  const size_t unread_of_whole = unread(prompts.whole);
  if (unread_of_whole <= kSoonReadTokens) return prompts;
  Prompt near = make(PromptExtent::kNear);
  if (unread(near) + kSoonReadTokens < unread_of_whole) prompts.near = std::move(near);
  return prompts;
}

}  // namespace tenon::server
