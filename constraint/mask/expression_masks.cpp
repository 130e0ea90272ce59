#include "constraint/mask/expression_masks.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "constraint/base/base.h"
#include "constraint/gap/gap.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {

namespace {

// The shared gap keeps its language.
std::shared_ptr<const Language> LanguageOf(const GapState& gap) {
  return {gap.shared(), &gap.shared()->language()};
}

}  // namespace

ExpressionMasks::ExpressionMasks(std::shared_ptr<const Language> language,
                                 std::shared_ptr<const TokenVocabulary> vocabulary,
                                 std::string_view right, size_t most_bytes)
    : language_(std::move(language)), vocabulary_(std::move(vocabulary)), most_bytes_(most_bytes) {
  assert(language_->grammar.one_lexeme && "the language is that of one expression");
  FindAlive(right);
  of_state_.assign(alive_.size(), kNotMet);
}

ExpressionMasks::ExpressionMasks(const GapState& gap,
                                 std::shared_ptr<const TokenVocabulary> vocabulary)
    : ExpressionMasks(LanguageOf(gap), std::move(vocabulary), gap.shared()->right()) {}

// Every state of the automaton leads to acceptance, so without a right context all are alive.
void ExpressionMasks::FindAlive(std::string_view right) {
  const Lexer& lexer = language_->lexer;
  if (right.empty()) {
    alive_.assign(lexer.state_count(), true);
    return;
  }
  std::vector<std::vector<uint16_t>> before(lexer.state_count());
  std::vector<uint16_t> ends;
  for (uint16_t s = 0; s < before.size(); ++s) {
    for (const DfaStateId next : lexer.Successors(DfaStateId{s}, true))
      before[next.value].push_back(s);
    DfaStateId q{s};
    for (size_t i = 0; i < right.size() && q != kDeadState; ++i)
      q = lexer.Next(q, static_cast<uint8_t>(right[i]));
    if (q != kDeadState && lexer.lexeme(lexer.LexemeAt(q)).kind == TerminalKind::kParsed)
      ends.push_back(s);
  }
  alive_ = ReachedFrom(std::move(ends), before);
}

const TokenMask& ExpressionMasks::Of(DfaStateId q) {
  if (of_state_[q.value] == kNotMet) {
    TokenMask made = Walk(q);
    if ((masks_.size() + 1) * MaskBytes() > most_bytes_) Forget();
    of_state_[q.value] = Keep(std::move(made));
  }
  return masks_[of_state_[q.value]];
}

const TokenMask& ExpressionMasks::Of(const GapState& state) {
  assert(state.branches().size() == 1 &&
         "a text of an expression is read in one way, where it is viable");
  return Of(state.branches().front().q);
}

TokenMask ExpressionMasks::Walk(DfaStateId q) const {
  const Lexer& lexer = language_->lexer;
  const std::span<const TokenVocabulary::Node> nodes = vocabulary_->nodes();
  const std::span<const TokenId> sorted = vocabulary_->sorted();
  TokenMask mask(vocabulary_->size());
  std::vector<DfaStateId> after(kMaxTokenBytes + 1);  // [bytes read]
  after[0] = q;
  for (uint32_t node = 0; node < vocabulary_->node_count();) {
    const TokenVocabulary::Node& at = nodes[node];
    const DfaStateId next = lexer.Next(after[at.depth - 1], at.byte);
    if (next == kDeadState || !alive_[next.value]) {
      node = at.end;
      continue;
    }
    after[at.depth] = next;
    const uint32_t own = vocabulary_->OwnTokens(node);
    for (uint32_t i = 0; i < own; ++i) mask.Add(sorted[at.tokens + i]);
    ++node;
  }
  return mask;
}

uint32_t ExpressionMasks::Keep(TokenMask mask) {
  const auto is_same = [&](uint32_t id) { return masks_[id] == mask; };
  return interned_.FindOrAdd(HashOf(mask.words()), is_same, [&] {
    masks_.push_back(std::move(mask));
    return static_cast<uint32_t>(masks_.size() - 1);
  });
}

void ExpressionMasks::Forget() {
  std::fill(of_state_.begin(), of_state_.end(), kNotMet);
  masks_.clear();
  interned_.Clear();
}

}  // namespace tenon::constraint
