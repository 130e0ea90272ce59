#include "constraint/lex/lexeme_futures.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace tenon::constraint {

namespace {

// Does a lexeme end in q, malformed ones apart?
bool AcceptsAt(const Lexer& lexer, DfaStateId q) {
  const LexemeId here = q == kStartState ? kNoLexeme : lexer.LexemeAt(q);
  return here != kNoLexeme && lexer.lexeme(here).kind != TerminalKind::kPoison;
}

// The separable lexemes that one more lexeme after q, itself ended, may be where it begins in
// `begin`. False: guards are in the way.
bool FindFollowingIn(const Lexer& lexer, DfaStateId q, DfaStateId begin, bool emitted, Bits& bits) {
  std::vector<bool> seen(lexer.state_count());
  std::vector<DfaStateId> work;
  Lexer::Steps steps;
  auto go_to = [&](DfaStateId to) {
    if (!seen[to.value]) work.push_back(to);
    seen[to.value] = true;
  };
  for (int b = 0; b < 256; ++b) {
    int n = lexer.Advance(q, Guards{}, static_cast<uint8_t>(b), emitted, steps, begin);
    for (int i = 0; i < n; ++i) {
      if (!steps[i].guards.empty()) return false;
      if (steps[i].ended != kNoLexeme) go_to(steps[i].q);
    }
  }
  while (!work.empty()) {
    DfaStateId at = work.back();
    work.pop_back();
    LexemeId here = lexer.LexemeAt(at);
    if (here != kNoLexeme && lexer.lexeme(here).kind != TerminalKind::kPoison &&
        lexer.IsSeparable(at, Guards{}, emitted))
      SetBit(bits, here.value);
    for (DfaStateId to : lexer.Successors(at, emitted)) go_to(to);
  }
  return true;
}

// In every mode that q's lexeme may stand in. False also where the modes differ.
bool FindFollowing(const Lexer& lexer, DfaStateId q, bool emitted, Bits& bits) {
  ModeMask modes = lexer.ModesAfter(lexer.LexemeAt(q), lexer.ModesOf(q));
  std::optional<Bits> found;
  for (DfaStateId start : lexer.starts()) {
    // Advance begins its lexemes beside the others.
    if (lexer.reads_apart() && lexer.ApartOf(kStartState) == start) continue;
    if (!(lexer.ModesOf(start) & modes)) continue;
    Bits here(bits.size());
    if (!FindFollowingIn(lexer, q, start, emitted, here) || (found && *found != here)) return false;
    found = std::move(here);
  }
  if (found) MergeBits(bits, *found);
  return true;
}

}  // namespace

LexemeFutures::LexemeFutures(const Lexer& lexer, bool emitted) {
  std::vector<Future> of;
  for (uint16_t s = 0; s < lexer.state_count(); ++s) {
    of.push_back(Here(lexer, DfaStateId{s}, emitted));
    reaches_.push_back(AcceptsAt(lexer, DfaStateId{s}));
  }
  HandBack(lexer, emitted, of);
  Number(lexer, of);
}

// What the lexeme is if it ends in q.
LexemeFutures::Future LexemeFutures::Here(const Lexer& lexer, DfaStateId q, bool emitted) {
  Future future;
  future.bits.resize(WordsFor(lexer.lexeme_count()));
  if (!AcceptsAt(lexer, q)) return future;
  const LexemeId here = lexer.LexemeAt(q);
  if (lexer.IsSeparable(q, Guards{}, emitted)) {
    SetBit(future.bits, here.value);
  } else {
    future.unseparated = true;
    future.more = lexer.lexeme(here).kind != TerminalKind::kIgnored ||
                  !FindFollowing(lexer, q, emitted, future.bits);
  }
  return future;
}

// Adds to each state what the states after it have, to the fixpoint: what can be written by the
// edges of this strength, and in `reaches_` what can be read by any.
void LexemeFutures::HandBack(const Lexer& lexer, bool emitted, std::vector<Future>& of) {
  std::vector<std::vector<uint16_t>> before(of.size());
  std::vector<uint16_t> work;
  std::vector<bool> queued(of.size(), true);
  for (uint16_t s = 0; s < of.size(); ++s) {
    for (DfaStateId to : lexer.Successors(DfaStateId{s}, false)) before[to.value].push_back(s);
    work.push_back(s);
  }
  while (!work.empty()) {
    const uint16_t s = work.back();
    work.pop_back();
    queued[s] = false;
    for (uint16_t p : before[s]) {
      bool changed = reaches_[s] && !reaches_[p];
      reaches_[p] = reaches_[p] || reaches_[s];
      const std::span<const DfaStateId> writes = lexer.Successors(DfaStateId{p}, emitted);
      if (std::binary_search(writes.begin(), writes.end(), DfaStateId{s})) {
        changed |= MergeBits(of[p].bits, of[s].bits);
        changed |= (of[s].more && !of[p].more) || (of[s].unseparated && !of[p].unseparated);
        of[p].more = of[p].more || of[s].more;
        of[p].unseparated = of[p].unseparated || of[s].unseparated;
      }
      if (changed && !queued[p]) {
        queued[p] = true;
        work.push_back(p);
      }
    }
  }
}

// Keeps equal futures once.
void LexemeFutures::Number(const Lexer& lexer, std::vector<Future>& of) {
  std::map<std::tuple<Bits, bool, bool>, FutureId> ids;
  for (Future& future : of) {
    const auto [at, fresh] = ids.try_emplace({future.bits, future.more, future.unseparated},
                                             FutureId{static_cast<uint16_t>(futures_.size())});
    of_.push_back(at->second);
    if (!fresh) continue;
    for (uint16_t l = 0; l < lexer.lexeme_count(); ++l) {
      if (HasBit(future.bits, l)) future.ended.push_back(LexemeId{l});
    }
    futures_.push_back(std::move(future));
  }
}

}  // namespace tenon::constraint
