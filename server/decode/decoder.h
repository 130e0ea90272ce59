// The decode loop: draws tokens through the constraint until the middle ends at a good place, or
// closes the middle with a text that was found before.
//
// Each step draws one token from the model's distribution and judges it
// (server/decode/gap_filter.h). Where the gap refuses a token, a mask limits the next draws
// (model/sampling/sampler.h).
// Example: in `print(|)` the model draws `name`, which is accepted, and then `)`. The right context
// begins with `)`, so the middle ends before it: `name`, ended by "stop".
//
// **Forced text.** Where the constraint leaves a single continuation, it is written without the
// model (server/decode/forced_tokens.h).
//
// **Where a middle between two contexts ends** ("stop"): it is a member of the gap, and the model
// ends it, begins a new line, or goes on with the text right of the cursor.
//
// **Converging** (server/decode/convergence.h). Only tokens stay allowed after which the middle can
// be closed soon. The model chooses among them, and the first among its likeliest tokens that makes
// the middle a member ends it.
//
// **Other goals.** A line that only the left context constrains ends at its end. A text goes on to
// where the constraint accepts its end, and the model ends it or nothing may follow.
//
// **Words that cannot stand.** The model writes `return` outside of a function and then ` state`:
// the gap takes the first token, since `returned` is a name, and refuses the second. Where nothing
// but a continuation of the word that the model has ended is allowed, the word is taken back, and
// another one is drawn in its place (server/decode/first_choice.h, "A word that is written to its
// end").
//
// **Budget.** A gap with a budget holds a closing text within it from before the first draw
// (tenon/budget.h), and near the end only tokens stay allowed that keep one.
// When the tokens run out and the middle is a member by chance, it stays as it is ("budget"); else
// the closing text ends it ("witness"). Drawn and closing tokens together are never more than
// DecodeLimits::max_tokens.
//
// **Time.** When the deadline passes, no further decode begins, and the middle is cut back to its
// last good end: the longest beginning of whole tokens at which a middle may end, and which cuts no
// word. Example: of `total + (price * cou` the beginning `total` is kept. Whether a word goes on
// after the last token is not known, so such a middle is cut before that word. Where no beginning
// is good a closing text ends the middle, before that word, too, unless the word is all of it:
// `f(a, pri` becomes `f(a)`. It does not end it with a word: after `not` it would write `nota`, and
// a name that nobody drew is worth less than nothing. A middle without a budget stays as it is.
// Each of them is ended by "time".
//
// Source: Muendler et al., Type-Constrained Code Generation (2025); Ugare et al., SynCode (2024);
// Willard and Louf, Efficient Guided Generation for Large Language Models (2023); the token budget
// of docs/design/closing.md.
// Cost: one decode and one judgement a token, a check for each refused draw, a copy of the filter
// for each word.
// Thread rule: one thread at a time.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "model/sampling/sampling.h"
#include "server/decode/gap_filter.h"
#include "server/request/completer.h"
#include "server/request/deadline.h"

namespace tenon::server {

// The text that the model holds after the prompt. Both functions return the logits after its last
// token, or nothing: the model cannot go on, because its context is full.
class DecodeText {
 public:
  using Logits = std::optional<std::span<const float>>;
  virtual ~DecodeText() = default;
  virtual Logits Append(TokenId token) = 0;
  // Would Append take no time?
  [[nodiscard]] virtual bool LiesAhead(TokenId /*token*/) const { return false; }
  // Forgets all but the first `kept` tokens and appends these.
  virtual Logits Rewrite(size_t kept, std::span<const TokenId> tokens) = 0;
};

struct DecodeResult {
  std::string middle = {};
  Ended ended = Ended::kStop;
  int tokens = 0;
  size_t closing_bytes = 0;  // of the middle's end: a text that closes it, or brackets of blocks
  bool closed = false;       // false: no text that closes the gap was found, or it was cancelled
  bool whole = false;        // the constraint accepts the middle's end
  bool unneeded = false;     // the model would have written nothing (server/decode/first_pieces.h)
  bool cancelled = false;
  DecodeStatistics statistics = {};
  std::vector<TokenNats> nats = {};  // of the tokens of the middle that the model wrote
};

// The middle so far: the tokens that were written after the prompt.
struct DecodeBeginning {
  std::vector<TokenId> tokens;
  std::string written;          // their bytes, healed text included
  std::vector<TokenNats> nats;  // of the drawn tokens
};

// A draw, before its token is appended to the middle.
struct DecodeDraw {
  const GapFilter& filter;
  std::span<const float> logits;
  const DecodeBeginning& beginning;
  TokenId token;
  double nats = 0;  // of the token
};

struct DecodeLimits {
  int max_tokens = 64;     // as the gap's budget, if it has one
  Deadline deadline = {};  // no decode begins after it
  // Hears the middle after each of its tokens; may be empty.
  std::function<void(std::string_view middle)> on_middle = {};
  // Hears of each draw; may be empty.
  std::function<void(const DecodeDraw&)> on_draw = {};
};

// Draws through a gap. `logits` follow the prompt, and `text` holds nothing yet.
// REQUIRES: the filter's gap is feasible.
DecodeResult Decode(GapFilter filter, model::Sampler& sampler, std::span<const float> logits,
                    DecodeText& text, const DecodeLimits& limits, std::stop_token cancel);

// Goes on from a beginning, which the filter has accepted and `text` holds; `logits` follow it.
DecodeResult DecodeOn(DecodeBeginning beginning, GapFilter filter, model::Sampler& sampler,
                      std::span<const float> logits, DecodeText& text, const DecodeLimits& limits,
                      std::stop_token cancel);

// Draws from the model alone: up to the end of the first line that is not blank, to one of
// `end_tokens`, or to the limits' tokens or deadline.
DecodeResult DecodeUnconstrained(const model::Tokenizer& tokenizer,
                                 const std::vector<TokenId>& end_tokens, model::Sampler& sampler,
                                 std::span<const float> logits, DecodeText& text,
                                 const DecodeLimits& limits, const std::stop_token& cancel);

}  // namespace tenon::server
