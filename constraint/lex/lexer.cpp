#include "constraint/lex/lexer.h"

#include <algorithm>
#include <cassert>

#include <boost/unordered/unordered_flat_set.hpp>

namespace tenon::constraint {

void Guards::Add(DfaStateId q) {
  auto at = std::lower_bound(states.begin(), states.end(), q);
  if (at != states.end() && *at == q) return;
  assert(states.back() == kDeadState && "CheckBackUp bounds the number of guards");
  if (at == states.end()) return;  // guards that a damaged mask store made up
  std::copy_backward(at, states.end() - 1, states.end());
  *at = q;
}

uint64_t Guards::Key() const {
  uint64_t key = 0;
  for (DfaStateId q : states) key = key << 16 | q.value;
  return key;
}

ModeMask Lexer::Below(ModeMask modes) const {
  ModeMask below = 0;
  for (size_t m = 0; m < below_.size(); ++m) {
    if (modes >> m & 1) below |= below_[m];
  }
  return below;
}

ModeMask Lexer::ModesAfter(LexemeId id, ModeMask modes) const {
  if (!has_modes()) return modes;
  const ModeAction action = lexeme(id).action;
  switch (action.kind) {
    case ModeAction::Kind::kNone:
      return modes;
    case ModeAction::Kind::kPop:
      return Below(modes);
    case ModeAction::Kind::kPush:
    case ModeAction::Kind::kSwitch:
      return MaskOf(action.mode);
  }
  return modes;
}

DfaStateId Lexer::StartAfter(DfaStateId q, const ModeArena& arena, ModeStackId stack) const {
  if (!has_modes()) return kStartState;
  LexemeId here = q == kStartState ? kNoLexeme : LexemeAt(q);
  if (here == kNoLexeme) return StartOf(arena.top(stack));
  const ModeAction action = lexeme(here).action;
  if (action.kind == ModeAction::Kind::kNone) return StartOf(arena.top(stack));
  if (action.kind != ModeAction::Kind::kPop) return StartOf(action.mode);
  ModeStackId below = arena.below(stack);
  return below == ModeArena::kUnknown ? kStartState : StartOf(arena.top(below));
}

int Lexer::Advance(DfaStateId q, const Guards& guards, uint8_t byte, bool emitted, Steps& out,
                   DfaStateId begin) const {
  Guards moved;
  if (!guards.empty()) {
    for (DfaStateId g : guards.states) {
      if (g == kDeadState) break;
      DfaStateId to = Next(g, byte);
      if (to == kDeadState) continue;
      if (LexemeAt(to) != kNoLexeme) return 0;  // the older lexeme should have been longer
      moved.Add(to);
    }
  }
  int count = 0;
  DfaStateId from = q == kStartState ? begin : q;
  DfaStateId to = Next(from, byte);
  if (to != kDeadState && (!emitted || IsEmitEdge(from, byte)) && !IsDoomed(to, moved))
    out[count++] = Step{kNoLexeme, to, moved};
  const auto begin_apart = [&](LexemeId ended) {
    const DfaStateId apart = ApartOf(begin);
    if (apart == kDeadState || (emitted && !IsEmitEdge(apart, byte))) return;
    const DfaStateId first = Next(apart, byte);
    if (first != kDeadState && !IsDoomed(first, moved)) out[count++] = Step{ended, first, moved};
  };
  if (q == kStartState) begin_apart(kNoLexeme);
  LexemeId here = q == kStartState ? kNoLexeme : LexemeAt(q);
  if (here == kNoLexeme || lexeme(here).kind == TerminalKind::kPoison) return count;
  if (to != kDeadState && LexemeAt(to) != kNoLexeme) return count;
  DfaStateId first = Next(begin, byte);
  if (to != kDeadState) moved.Add(to);
  if (first != kDeadState && (!emitted || IsEmitEdge(begin, byte)) && !IsDoomed(first, moved))
    out[count++] = Step{here, first, moved};
  begin_apart(here);
  return count;
}

bool Lexer::FindDoom(DfaStateId q, const Guards& guards) const {
  return std::any_of(guards.states.begin(), guards.states.end(), [&](DfaStateId g) {
    return g != kDeadState && std::binary_search(doomed_.begin(), doomed_.end(),
                                                 static_cast<uint32_t>(q.value) << 16 | g.value);
  });
}

Lexer::Match Lexer::LongestMatch(std::string_view text, size_t begin, DfaStateId start) const {
  Match best;
  DfaStateId q = start;
  for (size_t i = begin; i < text.size(); ++i) {
    q = Next(q, static_cast<uint8_t>(text[i]));
    if (q == kDeadState) break;
    if (LexemeId id = LexemeAt(q); id != kNoLexeme) best = Match{id, i + 1};
  }
  return best;
}

Lexer::Match Lexer::Within(const Match& match, size_t end) const {
  return match.lexeme != kNoLexeme && match.end == end && lexeme(match.lexeme).not_last ? Match{}
                                                                                        : match;
}

Lexer::Match Lexer::Land(DfaStateId q, const Guards& guards, std::string_view text) const {
  Match best;
  if (q != kStartState) best = Match{LexemeAt(q), 0};
  Guards alive = guards;
  for (size_t i = 0; i < text.size() && (q != kDeadState || !alive.empty()); ++i) {
    uint8_t byte = static_cast<uint8_t>(text[i]);
    Guards moved;
    for (DfaStateId g : alive.states) {
      if (g == kDeadState) break;
      DfaStateId to = Next(g, byte);
      if (to == kDeadState) continue;
      if (LexemeAt(to) != kNoLexeme) return Match{};
      moved.Add(to);
    }
    alive = moved;
    if (q == kDeadState) continue;
    q = Next(q, byte);
    if (q == kDeadState) continue;
    if (LexemeId id = LexemeAt(q); id != kNoLexeme) best = Match{id, i + 1};
  }
  return Within(best, text.size());
}

std::vector<Lexer::Match> Lexer::LandAll(std::string_view text) const {
  // A group is the states whose runs have met. What it accepts comes after all that its parts
  // accepted before they met, and the longest match counts: so a group's own match, where it has
  // one, overrides theirs.
  struct Group {
    DfaStateId q;
    Match best;
    uint32_t parent;
    size_t made_at;  // bytes read when its parts met
  };
  constexpr uint32_t kNone = 0xffffffffu;
  std::vector<Group> groups;
  std::vector<uint32_t> live;
  for (size_t i = 0; i < dfa_.size(); ++i) {
    DfaStateId q{static_cast<uint16_t>(i)};
    groups.push_back({q, q == kStartState ? Match{} : Match{LexemeAt(q), 0}, kNone, 0});
    live.push_back(static_cast<uint32_t>(i));
  }
  std::vector<uint32_t> next;
  std::vector<uint32_t> next_at(
      dfa_.size(),
      kNone);  // [state after this byte] where in `next` the group stands that is there
  for (size_t read = 1; read <= text.size() && !live.empty(); ++read) {
    next.clear();
    for (uint32_t g : live) {
      DfaStateId to = Next(groups[g].q, static_cast<uint8_t>(text[read - 1]));
      if (to == kDeadState) continue;
      if (next_at[to.value] == kNone) {
        groups[g].q = to;
        next_at[to.value] = static_cast<uint32_t>(next.size());
        next.push_back(g);
        continue;
      }
      uint32_t& met = next[next_at[to.value]];
      if (groups[met].made_at != read) {  // the first to come becomes a part of a group of both
        groups.push_back({to, Match{}, kNone, read});
        groups[met].parent = static_cast<uint32_t>(groups.size() - 1);
        met = groups[met].parent;
      }
      groups[g].parent = met;
    }
    for (uint32_t g : next) {
      next_at[groups[g].q.value] = kNone;
      if (LexemeId id = LexemeAt(groups[g].q); id != kNoLexeme) groups[g].best = Match{id, read};
    }
    live.swap(next);
  }
  // Groups are made after their parts: from the last one down, each hands its match to its parts.
  std::vector<Match> landed(dfa_.size());
  for (size_t g = groups.size(); g-- > 0;) {
    if (groups[g].parent != kNone && groups[groups[g].parent].best.lexeme != kNoLexeme)
      groups[g].best = groups[groups[g].parent].best;
    if (g < dfa_.size()) landed[g] = Within(groups[g].best, text.size());
  }
  return landed;
}

bool Lexer::FollowsEverything(DfaStateId q, const Guards& guards, ModeId mode) const {
  if (!guards.empty()) return false;
  for (int b = 0; b < 256; ++b) {
    if (first_bytes_[mode.value][b] && Next(q, b) != kDeadState) return false;
  }
  return true;
}

// In every mode that may be on top after the lexeme.
bool Lexer::ComputeSeparable(DfaStateId q, const Guards& guards, bool emitted,
                             BlankOutcomes& known) const {
  ModeMask after = ModesAfter(LexemeAt(q), ModesOf(q));
  for (uint8_t m = 0; m < starts_.size(); ++m) {
    if ((after & MaskOf(ModeId{m})) && !SeparableFrom(q, guards, emitted, ModeId{m}, known))
      return false;
  }
  return true;
}

// Few bytes begin ignorable text or go on with it; the others need no step. Bytes with equal steps
// are one outcome, where no guard reads them.
std::vector<Lexer::Step> Lexer::BlankSteps(DfaStateId q, const Guards& guards, bool in_blank,
                                           bool emitted, ModeId mode) const {
  const std::bitset<256>& begins_blank = begins_blank_[emitted][mode.value];
  const DfaStateId begin = StartOf(mode), apart = ApartOf(begin);
  std::vector<Step> outcomes;
  boost::unordered_flat_set<uint64_t> met;
  Steps steps;
  for (int b = 0; b < 256; ++b) {
    const auto byte = static_cast<uint8_t>(b);
    const DfaStateId to = Next(q, byte);
    const bool goes_on = in_blank && to != kDeadState && reaches_blank_[emitted][to.value];
    if (!begins_blank[b] && !goes_on) continue;
    uint64_t key = 0;
    for (const DfaStateId from : {q, begin, apart == kDeadState ? begin : apart})
      key = key << 17 | uint64_t{Next(from, byte).value} << 1 | IsEmitEdge(from, byte);
    if (guards.empty() && !met.insert(key).second) continue;
    const int n = Advance(q, guards, byte, emitted, steps, begin);
    outcomes.insert(outcomes.end(), steps.begin(), steps.begin() + n);
  }
  return outcomes;
}

bool Lexer::SeparableFrom(DfaStateId q, const Guards& guards, bool emitted, ModeId mode,
                          BlankOutcomes& known) const {
  if (FollowsEverything(q, guards, mode)) return true;
  struct At {
    bool ignorable;  // after the lexeme, inside ignorable text
    DfaStateId q;
    Guards guards;
    auto operator<=>(const At&) const = default;
  };
  // Ignorable text that may be written anywhere.
  const auto parts = [&](LexemeId id) {
    return lexeme(id).kind == TerminalKind::kIgnored && (!emitted || lexeme(id).not_within == 0);
  };
  std::vector<Step> own;
  const auto steps_of = [&](const At& at) -> const std::vector<Step>& {
    if (!at.ignorable || !at.guards.empty())
      return own = BlankSteps(at.q, at.guards, at.ignorable, emitted, mode);
    const auto [found, fresh] = known.try_emplace(uint32_t{mode.value} << 16 | at.q.value);
    if (fresh) found->second = BlankSteps(at.q, at.guards, true, emitted, mode);
    return found->second;
  };
  std::vector<At> seen;
  std::vector<At> front{{false, q, guards}};
  for (int length = 0; length < kMaxBackUpBytes && !front.empty(); ++length) {
    std::vector<At> next;
    for (const At& at : front) {
      for (const Step& step : steps_of(at)) {
        if (!at.ignorable && step.ended == kNoLexeme) continue;
        if (at.ignorable && step.ended != kNoLexeme && !parts(step.ended)) continue;
        LexemeId here = LexemeAt(step.q);
        if (here != kNoLexeme && parts(here) && FollowsEverything(step.q, step.guards, mode))
          return true;
        if (!reaches_blank_[emitted][step.q.value]) continue;
        At to{true, step.q, step.guards};
        if (std::find(seen.begin(), seen.end(), to) != seen.end()) continue;
        seen.push_back(to);
        next.push_back(to);
      }
    }
    front = std::move(next);
  }
  return false;
}

}  // namespace tenon::constraint
