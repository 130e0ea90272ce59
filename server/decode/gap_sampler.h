// Random texts that close a gap, drawn token by token from the masks, without a model.
//
// Example: for `[1, |]` samples are `2`, `"b,"` and `[true], {}`.
//
// Every sample is a member of the gap, and within the budget in two ways: by its drawn tokens and
// closing text together, and by its canonical tokenisation. A quarter to three quarters of the
// budget, by chance, are drawn before a sample may end. Then it ends where it is a member, or is
// closed.
//
// Each draw is of one of three kinds, by chance:
//   all tokens     uniformly, among the tokens of the mask
//   short tokens   signs would else be drowned by words, which most of a vocabulary is
//   single bytes   such that end the lexeme in progress or bring it nearer to its end; strings and
//                  comments would else never end
//
// Cost: a mask and a few checks a token.
// Thread rule: one thread at a time; equal seeds give equal samples.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "model/text/text.h"
#include "tenon/budget.h"
#include "tenon/lexeme_ends.h"
#include "tenon/masker.h"

namespace tenon::server {

class GapSampler {
 public:
  // REQUIRES: `gap` is feasible and nothing has been drawn; `store` is that of its language and of
  // the tokenizer, which outlives the sampler.
  GapSampler(const model::Tokenizer& tokenizer, const MaskStore& store, Budget gap, uint64_t seed);

  std::string Draw();

 private:
  std::string DrawOnce();
  // Draws one random token that is allowed; false: none was met.
  bool Step(Budget& gap);
  // Draws one of the tokens that both the mask and the budget allow; false: none was met.
  bool StepAmong(const std::vector<TokenId>& tokens, std::span<const uint64_t> mask, Budget& gap);
  // Tokens of one byte at which the lexeme in progress of some reading ends, or is nearer to being
  // whole.
  std::vector<TokenId> Ends(const Gap& gap) const;
  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }

  const model::Tokenizer& tokenizer_;
  Budget start_;
  LexemeEnds lexeme_ends_;
  Masker masker_;
  std::mt19937_64 random_;
  // Tokens that write something; the tokens among them that write little.
  std::vector<TokenId> all_, short_;
  std::array<std::optional<TokenId>, 256> bytes_;
};

}  // namespace tenon::server
