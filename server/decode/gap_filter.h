// The constraint as the sampler sees it: which tokens may come next in the middle of a gap, and
// where a drawn token ends the middle.
//
// Example: in `print(|)` the middle is `name` so far, and the model draws its next token.
//   ` +`    keeps the gap viable: it is accepted
//   `]`     closes no bracket that is open: it is refused
//   `)`     writes the beginning of R: the middle ends before it, as `name`
//   `s)`    writes `s` and then the beginning of R: the middle ends inside it, as `names`
//   an end  ends the middle before it, because `name` closes the gap
//
// **The left end.** Generation begins a little left of the cursor, at the beginning of the word or
// of the blanks that end at the cursor (token healing): the tokens of a partial word are not those
// that the model would have chosen for the whole word. The text between is the *healed* text,
// in `print(nam|)` it is `nam`. The first tokens must reproduce it before anything new comes.
//
// **The right end.** A token may write into the text right of the cursor. The middle then ends
// before the token, or inside it, at the sign after which the token writes the beginning of R. The
// token is allowed where the middle may end there: the model has said how the text continues, and R
// says the same. Without this rule the gap would refuse the token, because R follows it once more,
// and its share of the distribution would go to tokens with another meaning. A word is never cut at
// its letters.
//
// **Line ends.** A token that begins a new line ends the middle before that line where the middle
// may end there, but for a goal of kText.
//
// A *goal* says which kind of text the middle becomes, and so where it may end.
//
// Source (the left end):
// towardsdatascience.com/the-art-of-prompt-design-prompt-boundaries-and-token-healing-3b2448b0be38
// Cost: a check costs what Budget::Check does, a mask what server/decode/gap_masks.h says; a
// judgement reuses the check before it.
// Thread rule: one thread at a time, for all copies. A copy is a fork.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/sampling/sampling.h"
#include "model/text/text.h"
#include "server/decode/gap_masks.h"
#include "server/request/words.h"
#include "tenon/budget.h"

namespace tenon::server {

// How many bytes at the end of `left` generation backs up over: a partial word with the blank
// before it, or blanks.
size_t HealedBytes(std::string_view left);

enum class Goal : uint8_t {
  kJoin,  // the middle joins the right context, within the gap's budget
  kLine,  // it ends its line; the left context alone constrains it
  kText,  // it goes on up to an accepted end of the text; it may be blank
};

struct FilterOptions {
  Goal goal = Goal::kJoin;
  std::string healed = {};      // empty where the goal is kText
  std::string right_line = {};  // the rest of the cursor's line
  MaskSource masks = {};        // empty: every token is checked by itself
};

// The effect of a drawn token on the middle.
struct Judgement {
  enum class Verdict : uint8_t {
    kRefused,     // nothing: it may not come
    kAccepted,    // it is appended
    kEndsBefore,  // the middle is whole without it
    kEndsInside,  // the middle is whole with a part of it: `head`
  };
  Verdict verdict = Verdict::kRefused;
  // kEndsInside: the gap with the whole middle.
  std::optional<Gap> head = std::nullopt;
  // kAccepted: a line of the middle that is not blank ends inside the token.
  bool begins_line = false;
};

class GapFilter : public model::TokenFilter {
 public:
  // REQUIRES: tokenizer and end_tokens outlive the filter.
  GapFilter(const model::Tokenizer& tokenizer, const std::vector<TokenId>& end_tokens,
            Budget budget, FilterOptions options);

  bool Check(TokenId token) override;
  bool Accept(TokenId token) override;
  model::TokenBits Mask() override;
  // Judges a drawn token, and appends it where it is accepted. If the last Check was about the same
  // token, its findings are used.
  [[nodiscard]] Judgement Judge(TokenId token);
  // Appends forced text of so many tokens; false: it does not fit, and nothing has changed.
  // REQUIRES: no healed text is left.
  bool AcceptForced(std::string_view bytes, uint32_t tokens);
  bool IsEnd(TokenId token) const;
  Goal goal() const { return goal_; }
  // May the middle end here?
  bool MayEnd() const { return healed_.empty() && MayEndAt(gap()); }
  // May it end at `gap`: within a token, or before some of those drawn? The healed text must lie
  // before that end.
  bool MayEndAt(const Gap& gap) const;
  // Is the middle a member that may end after `token`?
  bool Joins(TokenId token) const;

  // From now on a token is allowed only if the middle after it can still be closed within `bytes`
  // more than it has now. False: it cannot even be closed as it is.
  bool Converge(size_t slack_bytes);
  bool converging() const { return max_bytes_.has_value(); }
  // The model would have ended the middle where it cannot end.
  bool end_refused() const { return end_refused_; }

  const Budget& budget() const { return budget_; }
  const Gap& gap() const { return budget_.gap(); }  // with the middle drawn so far
  const std::string& right_line() const { return right_line_; }
  const std::string& healed() const { return healed_; }  // still to be reproduced
  const model::Tokenizer& tokenizer() const { return *tokenizer_; }
  int refused() const { return refused_; }  // tokens that were drawn and refused
  int masks() const { return made_; }       // masks that were made

 private:
  // Why the last checked token was allowed.
  struct Allowed {
    TokenId token;
    bool end = false;  // it is an end token, and the middle may end
    // The middle ends there, before the part of the token that is R's. Nothing: all of it fits.
    std::optional<Gap> head = std::nullopt;
  };
  std::optional<Allowed> Try(TokenId token);
  bool Fits(std::string_view bytes);
  // The gap before the part of `token` that writes into R, where the middle may end there.
  std::optional<Gap> HeadBeforeRight(TokenId token) const;
  // The gap after the bytes of `token` before its first line end; nothing where it has none, or
  // where the bytes do not fit.
  std::optional<Gap> HeadBeforeLineEnd(TokenId token) const;
  // A middle that ends at `head`.
  Judgement EndsAt(Gap head) const;
  // The part of `bytes` after the healed text; nothing where they do not reproduce it.
  std::optional<std::string_view> Fresh(std::string_view bytes) const;
  // Appends to the middle outside of the budget: for looking ahead.
  std::optional<Gap> After(std::string_view bytes) const;

  const model::Tokenizer* tokenizer_;
  const std::vector<TokenId>* end_tokens_;
  Budget budget_;
  Goal goal_;
  std::string healed_;  // still to be reproduced
  std::string right_line_;
  std::shared_ptr<GapMasks> masks_;  // null: none; copies share them
  // Of the last Check, while the middle is the same; nothing: it refused.
  std::optional<Allowed> last_;
  bool end_refused_ = false;
  int refused_ = 0, made_ = 0;
  // Of the middle with its closing text; set once the middle has to come to its end.
  std::optional<size_t> max_bytes_;
};

}  // namespace tenon::server
