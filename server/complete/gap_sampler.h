// Random texts that close a gap, drawn token by token through the check, without a model.
//
// Every sample is a member within the budget: drawn tokens and closing text together, and its canonical tokenisation as well. How far it
// is drawn before it may end is chosen at random for each; then it ends where it is a member, or is closed. Half of the draws are among
// short tokens: signs would otherwise be drowned by the words that make up most of a vocabulary.
// Cost: some tens of checks a token. Thread rule: one thread at a time; equal seeds give equal samples.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "constraint/gap/budgeted_gap.h"
#include "model/tokenizer.h"

namespace tenon::server {

class GapSampler {
 public:
  // REQUIRES: `gap` is feasible and nothing has been drawn; the tokenizer outlives the sampler.
  GapSampler(const model::Tokenizer& tokenizer, constraint::BudgetedGap gap, uint64_t seed);

  std::string Draw();

 private:
  std::string DrawOnce();
  // A random token that is allowed, and drawn; false: none was met.
  bool Step(constraint::BudgetedGap& gap);
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }

  const model::Tokenizer& tokenizer_;
  constraint::BudgetedGap start_;
  std::mt19937_64 random_;
  std::vector<model::TokenId> all_, short_;  // tokens that write something; those of them that write little
};

}  // namespace tenon::server
