// Reading a prompt within a request's time.
//
// A long prompt takes seconds on a small machine. With a deadline it is read chunk by chunk, and
// the deadline is looked at between two chunks. Example: of 200 tokens the model holds 40, and the
// time ends during the second chunk:
//
//   held      chunk       chunk         not read
//   [0, 40)   [40, 104)   [104, 168)    [168, 200)     the answer: 168 of 200 tokens
//
// The tokens that were read stay in the KV cache, so the next request begins at token 168. Each
// call reads one chunk at least: requests that come again and again finish any prompt.
//
// Cost: that of the model; at most one chunk after the deadline. Thread rule: the model's.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <tl/expected.hpp>
#include <variant>

#include "model/model_error.h"
#include "model/token_id.h"
#include "server/complete/deadline.h"

namespace tenon::server {

inline constexpr size_t kPrefillChunkTokens = 64;

// The time ended before the prompt was read.
struct UnreadPrompt {
  size_t read_tokens = 0;
  size_t prompt_tokens = 0;
};

// The logits after the prompt, or the reason why there are none.
using PrefillOutcome = std::variant<std::span<const float>, UnreadPrompt, model::ModelError>;

// Makes the model hold exactly this beginning of the prompt: InferenceSession::Prefill.
using ReadBeginning = std::function<tl::expected<std::span<const float>, model::ModelError>(
    std::span<const model::TokenId> beginning)>;

// `held_tokens` of the prompt's beginning need not be read. Without a deadline the prompt is one
// chunk. REQUIRES: prompt is not empty.
[[nodiscard]] PrefillOutcome PrefillWithin(std::span<const model::TokenId> prompt,
                                           size_t held_tokens, const ReadBeginning& read,
                                           const Deadline& deadline);

}  // namespace tenon::server
