// Masks of a language that is one regular expression (Language::FromRegex).
//
// Example: the expression `[0-9]{4}` and the middle `20`. The lexer is in the state after two
// digits; the mask is the set of tokens of one or two digits. There is neither a parser nor a
// second lexeme, so the set depends on the state alone:
//
//   alive   = states from which some text leads to a state that R leads to acceptance
//   mask(q) = { t : d(q, t) is alive }
//
// A state's set is made when the state is first met, by one walk over the vocabulary's trie that
// turns back where the automaton dies. Equal sets are kept once. A right context changes only the
// set of states that are alive.
//
// Source: Willard and Louf, Efficient Guided Generation for Large Language Models (2023), section 3
// and algorithm 4: their map from states to tokens. Where we differ: no set holds a token that
// cannot lead to a match with this right context, and states that are not met have no set. Cost: a
// set that was met, one look-up; a new one, some 12 ns a node of the vocabulary's trie that keeps
// the automaton alive (docs/measured.md). A bit a token for each distinct set, of at most kMaxBytes
// together unless told. Thread rule: one thread at a time; the language and the vocabulary may be
// shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "constraint/base/base.h"
#include "constraint/gap/gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/token_set.h"

namespace tenon::constraint {

class ExpressionMasks {
 public:
  // The most bytes of all sets together. Before a set that would exceed it, all sets are forgotten.
  static constexpr size_t kMaxBytes = size_t{64} << 20;

  // For gaps before the right context `right`. REQUIRES: the language is one expression.
  ExpressionMasks(std::shared_ptr<const Language> language,
                  std::shared_ptr<const TokenVocabulary> vocabulary, std::string_view right,
                  size_t most_bytes = kMaxBytes);
  // For the states of one gap. REQUIRES: the gap's language is one expression.
  ExpressionMasks(const GapState& gap, std::shared_ptr<const TokenVocabulary> vocabulary);

  // Tokens that may come next. The references hold until the next call. REQUIRES: the state is
  // viable.
  const TokenMask& Of(DfaStateId q);
  const TokenMask& Of(const GapState& state);

  const std::shared_ptr<const TokenVocabulary>& vocabulary() const { return vocabulary_; }
  // How many different sets the states met so far have.
  size_t sets() const { return masks_.size(); }
  size_t memory_bytes() const {
    return masks_.size() * MaskBytes() + of_state_.size() * sizeof(uint32_t);
  }

 private:
  static constexpr uint32_t kNotMet = 0xffffffffu;

  void FindAlive(std::string_view right);
  TokenMask Walk(DfaStateId q) const;
  uint32_t Keep(TokenMask mask);
  void Forget();
  size_t MaskBytes() const { return (vocabulary_->size() + 63) / 64 * sizeof(uint64_t); }

  std::shared_ptr<const Language> language_;
  std::shared_ptr<const TokenVocabulary> vocabulary_;
  size_t most_bytes_;
  std::vector<bool> alive_;         // [DfaStateId]
  std::vector<uint32_t> of_state_;  // [DfaStateId] into masks_, or kNotMet
  std::vector<TokenMask> masks_;    // distinct
  IdsByHash<uint32_t> interned_;    // into masks_
};

}  // namespace tenon::constraint
