#include "constraint/lex/lexeme_futures.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace tenon::constraint {

namespace {

// The separable lexemes that one more lexeme after q, itself ended, may be where it begins in
// `begin`. False: guards are in the way.
bool FindFollowingIn(const Lexer& lexer, DfaStateId q, DfaStateId begin, bool emitted,
                     std::vector<uint64_t>& bits) {
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
      bits[here.value / 64] |= uint64_t{1} << here.value % 64;
    for (DfaStateId to : lexer.Successors(at, emitted)) go_to(to);
  }
  return true;
}

// In every mode that q's lexeme may stand in. False also where the modes differ.
bool FindFollowing(const Lexer& lexer, DfaStateId q, bool emitted, std::vector<uint64_t>& bits) {
  ModeMask modes = lexer.Behind(lexer.LexemeAt(q), lexer.ModesOf(q));
  std::optional<std::vector<uint64_t>> found;
  for (DfaStateId start : lexer.starts()) {
    // Advance begins its lexemes beside the others.
    if (lexer.reads_apart() && lexer.ApartOf(kStartState) == start) continue;
    if (!(lexer.ModesOf(start) & modes)) continue;
    std::vector<uint64_t> here(bits.size());
    if (!FindFollowingIn(lexer, q, start, emitted, here) || (found && *found != here)) return false;
    found = std::move(here);
  }
  for (size_t w = 0; found && w < bits.size(); ++w) bits[w] |= (*found)[w];
  return true;
}

}  // namespace

LexemeFutures::LexemeFutures(const Lexer& lexer, bool emitted) {
  const size_t states = lexer.state_count(), words = (lexer.lexeme_count() + 63) / 64;
  std::vector<Future> of(states);
  reaches_.assign(states, false);
  std::vector<std::vector<uint16_t>> before(states);
  std::vector<uint16_t> work;
  std::vector<bool> queued(states, true);
  for (uint16_t s = 0; s < states; ++s) {
    DfaStateId q{s};
    of[s].bits.resize(words);
    LexemeId here = q == kStartState ? kNoLexeme : lexer.LexemeAt(q);
    if (here != kNoLexeme && lexer.lexeme(here).kind != TerminalKind::kPoison) {
      reaches_[s] = true;
      if (lexer.IsSeparable(q, Guards{}, emitted))
        of[s].bits[here.value / 64] |= uint64_t{1} << here.value % 64;
      else {
        of[s].unseparated = true;
        of[s].more = lexer.lexeme(here).kind != TerminalKind::kIgnored ||
                     !FindFollowing(lexer, q, emitted, of[s].bits);
      }
    }
    for (DfaStateId to : lexer.Successors(q, false)) before[to.value].push_back(s);
    work.push_back(s);
  }
  while (!work.empty()) {
    uint16_t s = work.back();
    work.pop_back();
    queued[s] = false;
    for (uint16_t p : before[s]) {
      bool changed = reaches_[s] && !reaches_[p];
      reaches_[p] = reaches_[p] || reaches_[s];
      std::span<const DfaStateId> writes = lexer.Successors(DfaStateId{p}, emitted);
      if (std::binary_search(writes.begin(), writes.end(), DfaStateId{s})) {
        for (size_t w = 0; w < words; ++w) {
          changed |= (of[s].bits[w] & ~of[p].bits[w]) != 0;
          of[p].bits[w] |= of[s].bits[w];
        }
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
  std::map<std::tuple<std::vector<uint64_t>, bool, bool>, FutureId> ids;
  for (Future& future : of) {
    auto [at, fresh] = ids.try_emplace({future.bits, future.more, future.unseparated},
                                       FutureId{static_cast<uint16_t>(futures_.size())});
    of_.push_back(at->second);
    if (!fresh) continue;
    for (uint16_t l = 0; l < lexer.lexeme_count(); ++l) {
      if (future.bits[l / 64] >> l % 64 & 1) future.ended.push_back(LexemeId{l});
    }
    futures_.push_back(std::move(future));
  }
}

}  // namespace tenon::constraint
