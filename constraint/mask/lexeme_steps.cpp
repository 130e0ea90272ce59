#include "constraint/mask/lexeme_steps.h"

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>

namespace tenon::constraint {

LexemeSteps::LexemeSteps(const Lexer& lexer, const LexemeFutures& futures) : lexer_(lexer) {
  for (uint16_t s = 0; s < lexer.state_count(); ++s) {
    FutureId future = futures.Of(DfaStateId{s});
    std::span<const LexemeId> ended = futures.Ended(future);
    line_end_.push_back(!futures.More(future) && !ended.empty() &&
                        std::all_of(ended.begin(), ended.end(),
                                    [&](LexemeId id) { return lexer.lexeme(id).is_newline; }));
  }
  if (lexer.has_modes()) FindBeginnings();
  FindInnerSteps();
}

void LexemeSteps::FindBeginnings() {
  for (int b = 0; b < 256; ++b) {
    auto& found = by_byte_[b];
    for (DfaStateId start : lexer_.starts()) {
      DfaStateId q = lexer_.Next(start, static_cast<uint8_t>(b));
      if (q == kDeadState || !lexer_.IsEmitEdge(start, static_cast<uint8_t>(b))) continue;
      auto same = std::find_if(found.begin(), found.end(),
                               [&](const Beginning& other) { return other.q == q; });
      if (same == found.end()) same = found.insert(same, {q, start, 0});
      same->modes |= lexer_.ModesOf(start);
    }
  }
}

void LexemeSteps::FindInnerSteps() {
  // Of a byte that a longer lexeme goes on with in `guard`: can no other lexeme begin with it?
  boost::unordered_flat_map<uint32_t, bool> known;
  const auto begins_none = [&](uint8_t byte, DfaStateId guard) {
    auto [at, fresh] = known.try_emplace(static_cast<uint32_t>(guard.value) << 8 | byte);
    if (!fresh) return at->second;
    Guards guards;
    guards.Add(guard);
    at->second = std::all_of(lexer_.starts().begin(), lexer_.starts().end(), [&](DfaStateId start) {
      const DfaStateId first = lexer_.Next(start, byte);
      return first == kDeadState || !lexer_.IsEmitEdge(start, byte) ||
             lexer_.IsDoomed(first, guards);
    });
    return at->second;
  };
  only_goes_on_.resize(lexer_.state_count());
  for (uint16_t s = 0; s < lexer_.state_count(); ++s) {
    const DfaStateId q{s};
    if (lexer_.IsStart(q)) continue;
    const LexemeId here = lexer_.LexemeAt(q);
    const bool may_end = here != kNoLexeme && lexer_.lexeme(here).kind != TerminalKind::kPoison;
    for (int b = 0; b < 256; ++b) {
      const uint8_t byte = static_cast<uint8_t>(b);
      const DfaStateId to = lexer_.Next(q, byte);
      if (to == kDeadState || !lexer_.IsEmitEdge(q, byte)) continue;
      only_goes_on_[s][byte] =
          !may_end || lexer_.LexemeAt(to) != kNoLexeme || begins_none(byte, to);
    }
  }
}

}  // namespace tenon::constraint
