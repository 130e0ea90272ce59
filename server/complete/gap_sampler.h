// Random texts that close a gap, drawn token by token from the masks of what may be written, without a model.
//
// Every sample is a member within the budget: drawn tokens and closing text together, and its canonical tokenisation as well. A quarter to
// three quarters of the budget, by chance, are drawn before it may end; then it ends where it is a member, or is closed. A third of the draws
// are among all tokens; a third among short ones, because signs would otherwise be drowned by the words that make up most of a vocabulary;
// a third among single bytes that end the lexeme in progress or bring it nearer to being whole, because strings and comments would otherwise
// never end.
// Cost: a mask and a few checks a token. Thread rule: one thread at a time; equal seeds give equal samples.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "constraint/gap/budgeted_gap.h"
#include "constraint/mask/masker.h"
#include "model/text/text.h"

namespace tenon::server {

class GapSampler {
 public:
  // REQUIRES: `gap` is feasible and nothing has been drawn; `store` is that of its language and of the tokenizer, which outlives the
  // sampler.
  GapSampler(const model::Tokenizer& tokenizer, std::shared_ptr<const constraint::MaskStore> store,
             constraint::BudgetedGap gap, uint64_t seed);

  std::string Draw();

 private:
  std::string DrawOnce();
  // A random token that is allowed, and drawn; false: none was met.
  bool Step(constraint::BudgetedGap& gap);
  // One of the tokens that the mask allows and the budget, too.
  bool StepAmong(const std::vector<model::TokenId>& tokens, const constraint::TokenMask& mask,
                 constraint::BudgetedGap& gap);
  // How many bytes each lexer state is away from a whole lexeme.
  void FindDistances();
  // Tokens of one byte at which the lexeme in progress of some reading ends, or is nearer to being whole.
  std::vector<model::TokenId> Ends(const constraint::GapState& state) const;
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }

  const model::Tokenizer& tokenizer_;
  std::shared_ptr<const constraint::MaskStore> store_;
  constraint::BudgetedGap start_;
  constraint::Masker masker_;
  std::mt19937_64 random_;
  std::vector<model::TokenId> all_, short_;  // tokens that write something; those of them that write little
  std::array<std::optional<model::TokenId>, 256> bytes_;
  std::vector<uint32_t> to_whole_;  // [DfaStateId]
};

}  // namespace tenon::server
