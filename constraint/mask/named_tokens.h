// Named tokens: tokens that hang on the names that a text declares (`%names`). Which of them fit?
//
// A walk over the mask store knows lexemes and not their texts, so it bounds a mask from two sides:
// the tokens that fit whatever is declared, and the tokens that fit under some declarations. This
// class decides about the tokens between the two.
//
// Example: in JSX, after `<b>text`, a walk knows that `</` fits and that `</b>` and `</i>` may fit.
// The open element is `b`. So of the two `</b>` fits.
//
// Tokens are tried one by one (token_trial.h). An answer is kept with the part of the stack that it
// depends on (walk_memo.h), and with the declarations only if a trial looked a name up. So the next
// mask in the same element finds it again.
//
// Source: none. Cost: a question met before, a look-up in the memo; a new one, a trial of each
// token in question.
// Thread rule: one thread at a time, with all states of the gap.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/gap/gap.h"
#include "constraint/mask/token_vocabulary.h"
#include "constraint/mask/unsure_tokens.h"
#include "constraint/mask/walk_memo.h"

namespace tenon::constraint {

// A list of tokens that fit.
struct TokenListId {
  uint32_t value = 0;
  auto operator<=>(const TokenListId&) const = default;
};
inline constexpr TokenListId kEmptyTokenList{0};

class NamedTokens {
 public:
  // REQUIRES: both outlive this.
  NamedTokens(const TokenVocabulary& vocabulary, SharedGap& gap);

  // The tokens that `ever` allows and `always` does not. `pair`: a number that the caller gives
  // these two masks, until Forget.
  UnsureTokens::SetId UnsureBetween(uint64_t pair, const TokenMask& always, const TokenMask& ever);
  size_t Count(UnsureTokens::SetId unsure) const { return unsure_.Count(unsure); }
  // The tokens of `unsure` that fit after the branch.
  TokenListId FittingOf(const Branch& branch, UnsureTokens::SetId unsure);
  std::span<const TokenId> tokens(TokenListId list) const { return lists_[list.value]; }

  size_t walked() const { return walked_; }  // questions that were tried
  void Forget();
  size_t memory_bytes() const { return unsure_.memory_bytes() + memo_.memory_bytes(); }

 private:
  // A question but for the stack and the lexical context.
  struct Question {
    uint32_t unsure;
    DfaStateId q;
    TextId text;
    bool emitted;
    auto operator<=>(const Question&) const = default;
  };
  struct QuestionHash {
    size_t operator()(const Question& question) const {
      return HashOf(question.unsure, question.q.value, question.text.value, question.emitted);
    }
  };
  // What a trial has read, and the tokens that it found.
  struct Tried {
    std::vector<TokenId> fitting;
    StackReads stack;
    bool names = false;
  };
  Tried Try(const Branch& branch, UnsureTokens::SetId unsure);
  TokenListId AddList(std::vector<TokenId> tokens);
  void Remember(WalkMemo::Place& place, const Branch& branch, const Tried& tried, TokenListId list);

  const TokenVocabulary& vocabulary_;
  SharedGap& gap_;
  UnsureTokens unsure_;
  boost::unordered_flat_map<uint64_t, UnsureTokens::SetId> between_;  // by pair
  boost::unordered_flat_map<Question, uint32_t, QuestionHash> questions_;
  std::vector<std::vector<TokenId>> lists_;  // [TokenListId]
  WalkMemo memo_;  // a question is a node of one unit, its answer a TokenListId
  size_t walked_ = 0;
};

}  // namespace tenon::constraint
