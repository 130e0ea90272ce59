#include "constraint/lex/lexeme_futures.h"

#include <algorithm>
#include <map>

namespace tenon::constraint {

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
      else
        of[s].more = true;
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
        changed |= of[s].more && !of[p].more;
        of[p].more = of[p].more || of[s].more;
      }
      if (changed && !queued[p]) {
        queued[p] = true;
        work.push_back(p);
      }
    }
  }
  std::map<std::pair<std::vector<uint64_t>, bool>, FutureId> ids;
  for (Future& future : of) {
    auto [at, fresh] = ids.try_emplace({future.bits, future.more}, FutureId{static_cast<uint16_t>(futures_.size())});
    of_.push_back(at->second);
    if (!fresh) continue;
    for (uint16_t l = 0; l < lexer.lexeme_count(); ++l) {
      if (future.bits[l / 64] >> l % 64 & 1) future.ended.push_back(LexemeId{l});
    }
    futures_.push_back(std::move(future));
  }
}

}  // namespace tenon::constraint
