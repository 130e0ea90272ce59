#include "constraint/gap/shared_gap.h"

#include <algorithm>

#include <boost/container/small_vector.hpp>

#include "constraint/base/base.h"
#include "constraint/gap/right_reader.h"

namespace tenon::constraint {

SharedGap::SharedGap(std::string line_end, std::shared_ptr<RightSide> right, SideDemand& demand,
                     GapPolicy policy)
    : line_end_(std::move(line_end)),
      right_(std::move(right)),
      demand_(demand),
      policy_(std::move(policy)),
      first_line_bytes_(right_->context().first_line_bytes()),
      // What fallbacks read a keyword of R as may be known on the left alone: the graph does not
      // say all.
      can_start_lexeme_(policy_.seam != Seam::kClosed || right_->context().text().empty() ||
                        index().has_fallbacks() || !demand_.right.graph.roots().empty()) {
  for (const ContextChange& change : language().grammar.changes) contexts_ |= change.on;
}

bool SharedGap::Joins(const Between& between) {
  if (!can_start_lexeme_) return false;
  const LayoutState& at = between.context.layout;
  const LineEnds& ends = between.context.line_ends;
  bool line = mover().layout().active() ? at.AtLineBegin() : ends.ends_phrase || ends.seen;
  uint8_t allowed = kEntryInside | kEntryLexeme | (line ? kEntryLine : kEntryWithinLine);
  if (mover().layout().line_ends().remembers()) allowed |= kEntryLine;  // W may be a line end
  if (ends.seen && RefusesLineEnd(between.top)) return JoinsAfterLineEnd(between.top);
  if (classes().Viable(mover().stacks(), between.top, allowed)) return true;
  // A keyword of R may be read as a name by a fallback that only the left side knows: W may be
  // blank.
  return index().has_fallbacks() && AcceptsRight({between}, 0);
}

// Could W begin with a terminal that may not stand after a line end?
bool SharedGap::RefusesLineEnd(NodeId top) {
  LrStateId state = mover().stacks().node(top).state;
  std::span<const SymbolId> lr_terminals = mover().layout().line_ends().same_line_terminals();
  return std::any_of(lr_terminals.begin(), lr_terminals.end(),
                     [&](SymbolId c) { return !language().table.Actions(state, c).empty(); });
}

bool SharedGap::JoinsAfterLineEnd(NodeId top) {
  uint8_t viable = classes().Viable(mover().stacks(), top);
  if (viable & kEntryLine) return true;  // W holds no terminal
  if (!(viable & (kEntryInside | kEntryLexeme))) return false;
  const Grammar& grammar = language().grammar;
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    const LrTerminal& lr_terminal = grammar.lr_terminals[c];
    bool written = !policy_.emit || (!lr_terminal.predicate &&
                                     grammar.terminals[lr_terminal.terminal.value].emitted);
    if (!written || lr_terminal.reads_as || !mover().layout().line_ends().Allows(SymbolId{c}, true))
      continue;
    std::span<const NodeId> shifted = mover().stacks().Shift(top, SymbolId{c});
    for (NodeId to : std::vector<NodeId>(shifted.begin(), shifted.end())) {
      if (classes().Viable(mover().stacks(), to)) return true;
    }
  }
  return false;
}

SharedGap::Ending SharedGap::EndingOf(const Between& from, LexemeId id, bool emitted,
                                      NameText text) {
  const Lexeme& lexeme = language().lexer.lexeme(id);
  if (lexeme.kind == TerminalKind::kIgnored && lexeme.not_within == 0)  // it leaves no trace
    return Joins(from) ? Ending::kJoins : Ending::kEnds;
  Ending ending = Ending::kRefused;
  mover().ForEachEnd(from, id, emitted, text, [&](const Between& at) {
    if (ending != Ending::kJoins) ending = Joins(at) ? Ending::kJoins : Ending::kEnds;
  });
  return ending;
}

bool SharedGap::LeavesCloser(ModeStackId modes, std::span<const LexemeId> before, bool emitted,
                             LexemeId landed, size_t swallowed) {
  const Lexer& lexer = language().lexer;
  if (swallowed == 0 || policy_.seam == Seam::kOpen ||
      lexer.lexeme(landed).action.kind != ModeAction::Kind::kPop)
    return false;
  for (const LexemeId lexeme : before) {
    if (!mover().modes().Apply(lexer.lexeme(lexeme).action, modes,
                               emitted && lexer.lexeme(lexeme).delimited))
      return true;
    emitted = policy_.emit;
  }
  return mover().modes().sealed(modes);
}

bool SharedGap::MayLand(DfaStateId q) {
  const LexemeFutures& any = *language().futures[false];
  FutureId future = any.Of(q);
  if (may_land_.empty()) {
    for (uint16_t f = 0; f < any.size(); ++f) {
      may_land_.push_back(
          any.Unseparated(FutureId{f}) ||
          std::any_of(landings().begin(), landings().end(), [&](const Landing& landing) {
            return any.CanEnd(FutureId{f}, landing.lexeme);
          }));
    }
  }
  return may_land_[future.value];
}

bool SharedGap::TakesSomeLanding(const Between& at, DfaStateId q, bool opened) {
  const LexemeFutures& any = *language().futures[false];
  const FutureId future = any.Of(q);
  return std::any_of(landings().begin(), landings().end(), [&](const Landing& landing) {
    if (opened && !MayEndInRight(landing.lexeme, landing.offset)) return false;
    if (!any.Unseparated(future) && !any.CanEnd(future, landing.lexeme)) return false;
    return Takes(at, landing.lexeme);
  });
}

std::span<const SharedGap::Landing> SharedGap::landings() {
  if (!landings_) {
    landings_.emplace();
    const Lexer& lexer = language().lexer;
    for (uint16_t s = 1; s < lexer.state_count(); ++s) {
      DfaStateId q{s};
      const Lexer::Match match = right_->context().LandingOf(q);
      if (match.lexeme == kNoLexeme || lexer.IsStart(q)) continue;
      const Lexeme& lexeme = lexer.lexeme(match.lexeme);
      if (lexeme.kind == TerminalKind::kPoison) continue;
      if (match.end == 0 && lexer.IsSeparable(q, Guards{}, policy_.emit))
        continue;  // W may end there as well
      landings_->push_back({match.lexeme, static_cast<uint32_t>(match.end)});
    }
    SortUnique(*landings_);
  }
  return *landings_;
}

std::vector<Between> SharedGap::EndAll(std::vector<Between> from, std::span<const LexemeId> lexemes,
                                       bool first_emitted, NameText text) {
  bool emitted = first_emitted;
  for (LexemeId lexeme : lexemes) {
    std::vector<Between> next;
    for (const Between& at : from) {
      std::vector<Between> ended = mover().End(at, lexeme, emitted, text);
      next.insert(next.end(), ended.begin(), ended.end());
    }
    from = std::move(next);
    emitted = policy_.emit;
    text = {};
  }
  return from;
}

// The continuations of a branch, followed. Sequences that begin alike are ended together, and no
// further than where they are refused.
class SharedGap::SharedEnds {
 public:
  // `from`: the reading before the lexeme in progress of `branch`.
  SharedEnds(SharedGap& gap, const Branch& branch, const Between& from)
      : gap_(gap), branch_(branch), from_(from) {}

  // Can R follow after one of the sequences, if it has `least` lexemes or more?
  bool JoinsAfter(std::span<const LexemeReach::Sequence> ascending, size_t least) {
    const LexemeId as_it_stands = gap_.language().lexer.LexemeAt(branch_.q);
    for (auto sequence = ascending.begin(); sequence != ascending.end();) {
      if (sequence->size() < least || Breaks(sequence->front())) {
        ++sequence;
        continue;
      }
      // A lexeme of L that can end as it stands is a given one; where W adds to it, it is emitted,
      // which allows no more.
      const LexemeId first = sequence->front();
      const bool emitted = branch_.emitted || (gap_.policy_.emit && first != as_it_stands);
      const auto before = std::span(*sequence).first(sequence->size() - 1);
      for (const Between& at : EndsAfter(before, sequence->back(), emitted)) {
        if (gap_.Joins(at)) return true;
      }
      if (Refused(first, emitted))
        sequence = std::partition_point(sequence, ascending.end(),
                                        [&](const auto& other) { return other.front() == first; });
      else
        ++sequence;
    }
    return false;
  }

  // Is R accepted after the lexeme that lands in it?
  bool AcceptsLanding(const Continuations::IntoRight& way) {
    const auto& [before, landed, offset, untouched] = way;
    const LexemeId first = before.empty() ? landed : before[0];
    if (before.empty() && untouched &&
        !gap_.language().lexeme_rules->Ends(branch_.q, branch_.progress,
                                            gap_.right().substr(0, offset), landed))
      return false;
    if (Breaks(first)) return false;
    const bool emitted = branch_.emitted || (gap_.policy_.emit && !untouched);
    const bool swallows = from_.context.layout.line_begin && offset > 0;
    if (!swallows && Refused(first, emitted)) return false;
    const bool opened_in_middle = branch_.opened_in_middle || !before.empty();
    if (opened_in_middle && !gap_.MayEndInRight(landed, offset)) return false;
    if (gap_.LeavesCloser(from_.context.modes, before, emitted, landed, offset)) return false;
    if (swallows) {
      const Between from = gap_.Swallow(from_, offset);
      SharedEnds swallowed(gap_, branch_, from);
      return gap_.AcceptsRight(swallowed.EndsAfter(before, landed, emitted), offset);
    }
    const std::vector<Between>& ends = EndsAfter(before, landed, emitted);
    return !ends.empty() && gap_.AcceptsRight(ends, offset);
  }

 private:
  // Does the lexeme in progress break a rule for lexemes, if it ends as `lexeme`?
  bool Breaks(LexemeId lexeme) const {
    return gap_.language().lexeme_rules->Refuses(lexeme, branch_.progress);
  }
  // Was this sequence's first lexeme just refused?
  bool Refused(LexemeId first, bool first_emitted) const {
    return known_ > 0 && lexemes_[0] == first && first_emitted_ == first_emitted &&
           ended_[0].empty();
  }
  // As EndAll of `before` and then `last`. The reference holds until the next call.
  const std::vector<Between>& EndsAfter(std::span<const LexemeId> before, LexemeId last,
                                        bool first_emitted) {
    if (first_emitted != first_emitted_) known_ = 0;
    first_emitted_ = first_emitted;
    for (size_t i = 0;; ++i) {
      const LexemeId lexeme = i < before.size() ? before[i] : last;
      if (i >= known_ || lexemes_[i] != lexeme) {
        lexemes_.resize(std::max(lexemes_.size(), i + 1));
        ended_.resize(std::max(ended_.size(), i + 1));
        lexemes_[i] = lexeme;
        ended_[i].clear();
        const bool emitted = i == 0 ? first_emitted : gap_.policy_.emit;
        const NameText text =
            i == 0 ? NameText{NameText::Known::kBeginning, branch_.text} : NameText{};
        const auto end = [&](const Between& at) {
          gap_.mover().ForEachEnd(at, lexeme, emitted, text,
                                  [&](const Between& to) { ended_[i].push_back(to); });
        };
        if (i == 0) end(from_);
        for (size_t k = 0; i > 0 && k < ended_[i - 1].size(); ++k) end(ended_[i - 1][k]);
        known_ = i + 1;
      }
      if (i == before.size() || ended_[i].empty()) return ended_[i];
    }
  }

  SharedGap& gap_;
  const Branch& branch_;
  const Between& from_;
  bool first_emitted_ = false;
  boost::container::small_vector<LexemeId, 4> lexemes_;  // of the sequence asked about last
  boost::container::small_vector<std::vector<Between>, 4> ended_;  // [i] after lexemes_[i]
  size_t known_ = 0;                                               // so many of them
};

bool SharedGap::Viable(const Branch& branch) {
  const Between here{branch.top, branch.context};
  if (branch.q == kStartState) return Joins(here) || AcceptsRight({here}, 0);
  if (!branch.guards.empty()) return ViableByWays(branch, 1);
  const bool emit = policy_.emit;
  const LexemeFutures& futures = *language().futures[emit];
  const LexemeId as_it_stands = language().lexer.LexemeAt(branch.q);
  for (LexemeId lexeme : futures.Ended(futures.Of(branch.q))) {
    if (language().lexeme_rules->Refuses(lexeme, branch.progress)) continue;
    const bool emitted = branch.emitted || (emit && lexeme != as_it_stands);
    if (EndingOf(here, lexeme, emitted, {NameText::Known::kBeginning, branch.text}) ==
        Ending::kJoins)
      return true;
  }
  return (futures.More(futures.Of(branch.q)) || MayLand(branch.q)) && ViableByWays(branch, 2);
}

bool SharedGap::ViableFurther(const Branch& branch, KnownRefusals& refusals) {
  const LexemeFutures& futures = *language().futures[policy_.emit];
  return (futures.More(futures.Of(branch.q)) || MayLand(branch.q)) &&
         ViableByWays(branch, 2, &refusals);
}

bool SharedGap::ViableByWays(const Branch& branch, size_t least, KnownRefusals* refusals) {
  const Between here{branch.top, branch.context};
  const Continuations& ways = ContinuationsOf(branch.q, branch.guards, branch.context.modes);
  // R's blanks may move the column: that is another place.
  const bool at_one_place = !here.context.layout.line_begin || here.context.layout.depth > 0 ||
                            !mover().layout().active();
  if (refusals && at_one_place &&
      std::all_of(ways.firsts.begin(), ways.firsts.end(),
                  [&](LexemeId first) { return refusals->Refused(first); }))
    return false;
  SharedEnds ends(*this, branch, here);
  return ends.JoinsAfter(ways.reach->ended, least) ||
         std::any_of(ways.into_right.begin(), ways.into_right.end(),
                     [&](const Continuations::IntoRight& way) { return ends.AcceptsLanding(way); });
}

// `from` after its lexeme in progress has taken R's first bytes: blanks among them move the column.
Between SharedGap::Swallow(Between from, size_t offset) const {
  for (size_t i = 0; i < offset && from.context.layout.line_begin; ++i)
    language().layout.ReadByte(static_cast<uint8_t>(right()[i]), from.context.layout);
  return from;
}

bool SharedGap::Member(const Branch& branch, PredicateBits bound) {
  mover().BindGiven(bound);
  bool member = false;
  if (branch.q == kStartState) {
    member = AcceptsRight({{branch.top, branch.context}}, 0);
  } else {
    const Lexer::Match match = Land(branch.q, branch.guards);
    member = match.lexeme != kNoLexeme && LandsAsMember(branch, match.lexeme, match.end, false);
  }
  mover().BindGiven(0);
  return member;
}

bool SharedGap::LandsAsMember(const Branch& branch, LexemeId landed, size_t offset,
                              bool lengthened) {
  if (!lengthened &&
      !language().lexeme_rules->Ends(branch.q, branch.progress, right().substr(0, offset), landed))
    return false;
  if (branch.opened_in_middle && !MayEndInRight(landed, offset)) return false;
  const bool emitted = branch.emitted || (policy_.emit && lengthened);
  if (LeavesCloser(branch.context.modes, {}, emitted, landed, offset)) return false;
  const NameText text = lengthened ? NameText{NameText::Known::kBeginning, branch.text}
                                   : mover().Whole(landed, right().substr(0, offset), branch.text);
  return AcceptsRight(
      mover().End(Swallow({branch.top, branch.context}, offset), landed, emitted, text), offset);
}

LexemeKey SharedGap::KeyOf(DfaStateId q, const Guards& guards, ModeStackId stack) const {
  if (!language().lexer.has_modes()) return {q, guards.Key(), {}};
  return {q, guards.Key(), TopModes(right_->mover().modes(), stack, kMaxUnseparated + 1)};
}

bool SharedGap::AcceptsRight(std::vector<Between> from, size_t offset) {
  return RightReader(*right_, policy_.seam, std::move(from), offset).Accepts();
}

Lexer::Match SharedGap::Land(DfaStateId q, const Guards& guards) {
  if (!guards.empty()) return language().lexer.Land(q, guards, right());
  return right_->context().LandingOf(q);
}

const Continuations& SharedGap::ContinuationsOf(DfaStateId q, const Guards& guards,
                                                ModeStackId stack) {
  LexemeKey key = KeyOf(q, guards, stack);
  auto [at, fresh] = continuations_.try_emplace(key, nullptr);
  if (fresh) at->second = std::make_unique<Continuations>(Explore(q, guards, key.modes));
  return *at->second;
}

// The lexemes that W's bytes lead to depend on the language alone, their landings on R.
Continuations SharedGap::Explore(DfaStateId q, const Guards& guards, TopModes modes) {
  Continuations made{language().reaches->Of(q, guards, policy_.emit, modes), {}, {}};
  auto add = [&](const LexemeReach::Sequence& before, const Lexer::Match& match, bool untouched) {
    if (match.lexeme == kNoLexeme ||
        language().lexer.lexeme(match.lexeme).kind == TerminalKind::kPoison)
      return;
    made.into_right.push_back({before, match.lexeme, static_cast<uint32_t>(match.end), untouched});
  };
  add({}, Land(q, guards), true);
  std::vector<std::vector<Landing>> landings;  // [state set]
  for (const std::vector<DfaStateId>& states : made.reach->state_sets)
    landings.push_back(LandingsOf(states));
  for (const LexemeReach::Group& group : made.reach->groups) {
    for (const Landing& landing : landings[group.states])
      add(group.before, {landing.lexeme, landing.offset}, false);
    for (const auto& [state, alive] : group.guarded) add(group.before, Land(state, alive), false);
  }
  SortUnique(made.into_right);
  for (const LexemeReach::Sequence& way : made.reach->ended) {
    if (way.size() > 1) made.firsts.push_back(way[0]);
  }
  for (const Continuations::IntoRight& way : made.into_right)
    made.firsts.push_back(way.before.empty() ? way.landed : way.before[0]);
  SortUnique(made.firsts);
  return made;
}

// Without doubles, in any order.
std::vector<SharedGap::Landing> SharedGap::LandingsOf(std::span<const DfaStateId> states) {
  std::vector<Landing> found;
  for (DfaStateId q : states) {
    const Lexer::Match match = right_->context().LandingOf(q);
    if (match.lexeme == kNoLexeme) continue;
    Landing landing{match.lexeme, static_cast<uint32_t>(match.end)};
    if (found.empty() || found.back() != landing) found.push_back(landing);
  }
  SortUnique(found);
  return found;
}

}  // namespace tenon::constraint
