// The decode loop: draws tokens through the constraint until the middle ends at a good place, or closes it with the witness.
//
// A token is drawn and checked; where it is refused, a mask limits the next draws (model/sampling). Where the constraint leaves a single
// continuation, it is written without the model (server/complete/forced_tokens.h).
//
// A middle that joins a right context ends ("stop") where it is a member and the model says so, or where the model begins a new line and
// the line so far is a member, or where it would go on with what stands right of the cursor anyway. Few places join a right context that
// goes on in the middle of a line, and a small model does not find them by itself. So after its first line, or when the model would end
// where it cannot, or after DecodeLimits::free_tokens, the middle *converges*: only tokens stay allowed after which the cheapest closing
// text still fits into what it needed at that moment and a little slack. The model chooses among them, and the first token among its
// likeliest that makes the middle a member ends it.
//
// A line behind the left context alone ends at its end. A text goes on to where the constraint accepts its end and the model says so, or
// nothing may follow.
//
// Where the gap has a budget it holds a closing text within it from before the first draw (constraint/gap/budgeted_gap.h), and near the
// end only tokens stay allowed that keep one. When the tokens run out and the middle is a member by chance, it stays as it is ("budget");
// else the closing text ends it ("witness"): a middle is never longer than DecodeLimits::max_tokens, drawn and closing tokens together.
//
// Source: Muendler et al., Type-Constrained Code Generation (2025), Ugare et al., SynCode (2024), Willard and Louf, Efficient Guided
// Generation for Large Language Models (2023), and the token budget of docs/architecture.md.
// Cost: one decode a token, a check for each drawn token. Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "model/sampling/sampling.h"
#include "server/complete/completer.h"
#include "server/complete/gap_filter.h"

namespace tenon::server {

// The model's text behind the prompt. Logits are those behind its last token; nothing: it cannot go on (its context is full).
class DecodeText {
 public:
  using Logits = std::optional<std::span<const float>>;
  virtual ~DecodeText() = default;
  virtual Logits Append(model::TokenId token) = 0;
  // Forgets all but the first `kept` tokens and appends these.
  virtual Logits Rewrite(size_t kept, std::span<const model::TokenId> tokens) = 0;
};

struct DecodeResult {
  std::string middle;
  Ended ended = Ended::kStop;
  int tokens = 0;
  bool closed = false;  // false: nothing that closes the gap was found, or the request was cancelled
  bool whole = false;   // the constraint accepts the middle's end
  bool cancelled = false;
  DecodeStatistics statistics;
};

struct DecodeLimits {
  int max_tokens = 64;      // as the gap's budget, if it has one
  int free_tokens = 32;     // then the middle converges
  size_t slack_bytes = 12;  // beyond the cheapest closing text, while it converges
};

// `logits` are those after the prompt, behind which `text` holds nothing yet. REQUIRES: the filter's gap is feasible.
DecodeResult Decode(GapFilter filter, model::Sampler& sampler, std::span<const float> logits, DecodeText& text,
                    const DecodeLimits& limits, std::stop_token cancel);

}  // namespace tenon::server
