// Masks for which some tokens are tried one by one, because a trie of lexemes does not decide them:
// with a guard alive, near the limit of a lexeme rule, with declared names (see masker.h).
#include <utility>

#include "constraint/mask/masker.h"
#include "constraint/mask/token_trial.h"

namespace tenon::constraint {

namespace {
// More tokens than this are not tried before closer masks are made.
constexpr size_t kManyTokens = 1000;
}  // namespace

// The mask without the guards, in which the tokens are tried anew whose first byte a guard reads.
Masker::MaskIndex Masker::OfGuarded(const Branch& branch) {
  std::bitset<256> kept_alive, changed;
  for (int b = 0; b < 256; ++b) {
    bool alive = false, kills = false;
    for (DfaStateId guard : branch.guards.states) {
      if (guard == kDeadState) break;
      DfaStateId to = lexer_.Next(guard, static_cast<uint8_t>(b));
      alive = alive || to != kDeadState;
      kills = kills || (to != kDeadState && lexer_.LexemeAt(to) != kNoLexeme);
    }
    kept_alive[b] = alive && !kills;
    changed[b] = alive;
  }
  Branch unguarded = branch;
  unguarded.guards = Guards{};
  TokenMask made = kept_[OfBranch(unguarded)];
  const TokenVocabulary& vocabulary = store_->vocabulary();
  std::span<const TokenVocabulary::Node> nodes = vocabulary.nodes();
  for (uint32_t i = 0; i < vocabulary.node_count(); i = nodes[i].end) {
    if (!changed[nodes[i].byte]) continue;
    for (uint32_t t = nodes[i].tokens; t < nodes[nodes[i].end].tokens; ++t)
      made.Remove(vocabulary.sorted()[t]);
  }
  TryTokensOf(branch, kept_alive, made);
  return kept_.Keep(std::move(made));
}

// A trie knows lexemes, and not the rules that their texts keep to. So each token is tried: few
// tokens lengthen the name of a character, and few numbers are so long.
Masker::MaskIndex Masker::OfPressed(const Branch& branch) {
  TokenMask made(store_->vocabulary().size());
  TryTokensOf(branch, std::bitset<256>().set(), made);
  return kept_.Keep(std::move(made));
}

// A trie knows the text of the lexeme in progress alone. So a token is allowed whatever is
// declared, or refused whatever is declared, or tried.
Masker::MaskIndex Masker::OfNames(const Branch& branch) {
  Bounds bounds = OfLexemes(branch, true);
  if (bounds.always == bounds.ever) return bounds.ever;
  const auto between = [&] {
    return named_.UnsureBetween(uint64_t{bounds.always} << 32 | bounds.ever, kept_[bounds.always],
                                kept_[bounds.ever]);
  };
  UnsureTokens::SetId unsure = between();
  if (named_.Count(unsure) > kManyTokens && IsKnown(branch.context.names)) {
    bounds = OfLexemes(branch, false);
    if (bounds.always == bounds.ever) return bounds.ever;
    unsure = between();
  }
  const TokenListId fitting = named_.FittingOf(branch, unsure);
  if (fitting == kEmptyTokenList) return bounds.always;
  const uint64_t parts[] = {bounds.always, fitting.value};
  return kept_.Of(KeptMasks::Kind::kWithTokens, parts, [&](TokenMask& made) {
    made = kept_[bounds.always];
    for (const TokenId token : named_.tokens(fitting)) made.Add(token);
  });
}

// Few tokens keep a guard alive: the answers are not kept.
void Masker::TryTokensOf(const Branch& branch, const std::bitset<256>& first, TokenMask& out) {
  if (first.none()) return;
  const std::span<const TokenVocabulary::Node> nodes = store_->vocabulary().nodes();
  ++tried_;
  TryTokens(
      *gap_, store_->vocabulary(), branch,
      [&](uint32_t node) -> size_t { return nodes[node].depth > 1 || first[nodes[node].byte]; },
      [&](TokenId token) { out.Add(token); });
}

}  // namespace tenon::constraint
