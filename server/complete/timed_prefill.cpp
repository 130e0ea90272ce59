#include "server/complete/timed_prefill.h"

#include <algorithm>

namespace tenon::server {

PrefillOutcome PrefillWithin(std::span<const model::TokenId> prompt, size_t held_tokens,
                             const ReadBeginning& read, const Deadline& deadline) {
  size_t end = std::min(held_tokens, prompt.size());
  while (true) {
    end = deadline.exists() ? std::min(prompt.size(), end + kPrefillChunkTokens) : prompt.size();
    const auto logits = read(prompt.first(end));
    if (!logits) return logits.error();
    if (end == prompt.size()) return *logits;
    if (deadline.passed()) return UnreadPrompt{end, prompt.size()};
  }
}

}  // namespace tenon::server
