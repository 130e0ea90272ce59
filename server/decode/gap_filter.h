// The constraint as the sampler sees it: which tokens may come next in the middle of a gap, and
// where a drawn token ends the middle.
//
// A token is a piece of the middle (server/decode/gap_text.h), or an end token. Example: in
// `print(|)` the middle is `name` so far, and the model draws its next token. ` +` is accepted, `]`
// refused, `)` ends the middle, and so does an end token, because `name` closes the gap.
//
// **The left end.** Generation begins a little left of the cursor, at the beginning of the word,
// the signs or the blanks that end at the cursor (token healing): the tokens of a partial word are
// not those that the model would have chosen for the whole word, and `"` with `""` after it
// is one token `"""`. The text between is the healed text.
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
#include "server/decode/gap_text.h"

namespace tenon::server {

// How many bytes at the end of `left` generation backs up over: a partial word or a few signs, with
// the blank before them, or blanks.
size_t HealedBytes(std::string_view left);
// The tokens of this text. Of blanks the tokens that end within them where code follows: a last
// blank is a token with the word after it. Cost: a tokenization.
std::vector<TokenId> HealedTokens(const model::Tokenizer& tokenizer, std::string_view healed);

struct FilterOptions {
  Goal goal = Goal::kJoin;
  CursorText cursor = {};  // empty where the goal is kText
  MaskSource masks = {};   // empty: every token is checked by itself
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
  // As GapText says.
  bool AcceptForced(std::string_view bytes, uint32_t tokens);
  bool ConvergeWhereDue(const Judgement& judged);
  // Is the middle a member that may end after `token`, or before it where it is an end token? Asked
  // of the likeliest token first; what it refuses counts as refused.
  bool Joins(TokenId token);
  // The middle's end with such a token.
  [[nodiscard]] Judgement JudgeJoining(TokenId token) const;
  // The token, which was the writer's first choice, is refused at this place.
  void Ban(TokenId token) {
    banned_.push_back(token);
    text_.FirstChoiceIsKnown();
  }
  // As GapText says.
  void LetGoOn() { text_.LetGoOn(); }

  bool IsEnd(TokenId token) const;
  // The middle drawn so far.
  const GapText& text() const { return text_; }
  const Gap& gap() const { return text_.written().gap(); }
  const model::Tokenizer& tokenizer() const { return *tokenizer_; }
  int refused() const { return refused_; }  // tokens that were drawn and refused
  int masks() const { return made_; }       // masks that were made

 private:
  // Why the last checked token was allowed.
  struct Allowed {
    TokenId token;
    bool end = false;  // it is an end token, and the middle may end
    GapText::Allowed piece = {};
  };
  std::optional<Allowed> Try(TokenId token);
  bool IsBanned(TokenId token) const;
  void BeginPlace();

  const model::Tokenizer* tokenizer_;
  const std::vector<TokenId>* end_tokens_;
  GapText text_;
  std::shared_ptr<GapMasks> masks_;  // null: none; copies share them
  // Of the last Check, while the middle is the same; nothing: it refused.
  std::optional<Allowed> last_;
  std::vector<TokenId> banned_;  // while the middle is the same
  bool end_refused_ = false;     // the model would have ended the middle where it cannot end
  int refused_ = 0, made_ = 0;
};

}  // namespace tenon::server
