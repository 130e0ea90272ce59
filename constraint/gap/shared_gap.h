// The part of a gap that all its states share: R as it was read, the parser stacks, the memos.
//
// A state of the gap is small: the middle's text, and a *branch* for each reading of L M (a parser
// stack by its node, the DFA state of the lexeme in progress). Everything else is here, once:
//
//   GapState, middle ""      GapState, middle "b"     GapState, middle "b, "
//     branch: node 17, q 3     branch: node 17, q 6     branch: node 21, q 1
//               \                      |                       /
//                +-------------------- SharedGap ---------------+
//                  policy, line end
//                  ways on of each lexeme in progress (Continuations)
//                  RightSide
//                    |- RightContext      R's lexemes and automaton
//                    |- SideDemand        the demand graph of R at the gap's levels
//                    |    '- ViabilityClasses   a class for each stack node
//                    |- accepted ends     line ends of R at which a stack was found (not) to fit
//                    '- BranchMover       the arenas: stack nodes, names, modes, columns
//
// Three questions are asked here, each about a branch or a place between two lexemes:
//
//   Viable(branch)        can some W follow so that R can follow W?
//   EndingOf(at, lexeme)  may this lexeme come here, and can R or W go on after it?
//   Member(branch)        is R accepted at once?
//
// Example: L = `foo(a, b`, R = `)`. The branch has the lexeme `b` in progress. Viable ends it as
// NAME and asks Joins: does the stack over `foo(a, b` meet R? Its viability class says yes. For the
// token `}` EndingOf says kRefused: the parser has no action.
//
// Then the cases in which a lexeme is cut by the gap:
//   - *W ends the lexeme.* Its possible ends are known by the lexer state (LexemeFutures).
//   - *R goes on with it.* In `pri|nt(x)` the lexeme lands in R: it ends at offset 2 as NAME
//     `print`. R is then read from there by the parser (AcceptsRight), because the stack is known.
//   - *Two lexemes depend on each other.* After `1` in a language with `1.5` the next lexeme
//     decides whether `1` has ended. Such ways hold several lexemes (Continuations).
//
// Source: docs/design/viability.md. Cost: making one is linear in both contexts (docs/measured.md,
// opening gaps); a question is a look-up once its stack node is known.
// Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/gap/gap_state.h"
#include "constraint/gap/right_side.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {

// The ways on of a lexeme in progress, each up to the first point after which everything may
// follow.
//
// Example, for `"ab|` and R = `c")`: it may end in W as a STRING (`reach`); with an empty W it ends
// in R as a STRING at offset 2 (`into_right`, untouched).
struct Continuations {
  // The lexeme, or the last of a few lexemes, goes on into R, where `landed` ends at `offset`.
  // `untouched`: W is empty.
  struct IntoRight {
    std::vector<LexemeId> before;  // lexemes ended in W before
    LexemeId landed;
    uint32_t offset = 0;
    bool untouched = false;
    auto operator<=>(const IntoRight&) const = default;
  };
  std::shared_ptr<const LexemeReach> reach;  // `ended`: lexemes that can end in W
  std::vector<IntoRight> into_right;         // ascending
  // The first lexemes of the ways of two or more lexemes in W and of the ways into R; ascending.
  std::vector<LexemeId> firsts;
};

// A caller's knowledge about the lexemes that could end at one place: it saves SharedGap the
// question.
class KnownRefusals {
 public:
  // Does the caller know that the parser refuses the emitted lexeme there, whatever follows?
  virtual bool Refused(LexemeId lexeme) = 0;

 protected:
  ~KnownRefusals() = default;
};

// A lexeme in progress with the modes that may matter after it: the key of its ways on.
struct LexemeKey {
  DfaStateId q;
  uint64_t guards;
  TopModes modes;
  bool operator==(const LexemeKey&) const = default;
};
struct LexemeKeyHash {
  size_t operator()(const LexemeKey& k) const { return HashOf(k.guards, k.modes.Key(), k.q.value); }
};

class SharedGap {
 public:
  // `demand`: of `right`, at the policy's levels.
  SharedGap(std::string line_end, std::shared_ptr<RightSide> right, SideDemand& demand,
            GapPolicy policy);
  SharedGap(const SharedGap&) = delete;
  SharedGap& operator=(const SharedGap&) = delete;

  const Language& language() const { return right_->context().language(); }
  const SideDemand& demand() const { return demand_; }
  const GapPolicy& policy() const { return policy_; }
  // REQUIRES: the same strength and levels, and no state that uses this shared gap.
  void SetPolicy(GapPolicy policy) { policy_ = std::move(policy); }
  std::string_view right() const { return right_->context().text(); }
  const std::string& line_end() const { return line_end_; }  // as the text around the gap has it
  BranchMover& mover() { return right_->mover(); }
  const DemandGraph& graph() const { return demand_.right.graph; }
  const GrammarIndex& index() const { return *language().index; }
  const Yields& yields() const { return *language().yields[policy_.emit]; }
  ViabilityClasses& classes() { return demand_.classes; }
  const RightAutomaton& automaton() const { return right_->context().automaton(); }

  // False when R only parses as the rest of the lexeme that L opened. Example: in `s = "abc|def"`
  // no new lexeme can be started before R = `def"`; the middle may only lengthen the string.
  bool JoinsOpened() const { return joins_opened_; }
  // Can some W follow the branch so that R can follow W?
  bool Viable(const Branch& branch);
  // Is one of them viable?
  bool AnyViable(const std::vector<Branch>& branches) {
    return std::any_of(branches.begin(), branches.end(),
                       [&](const Branch& b) { return Viable(b); });
  }
  // Viable for a branch that is not viable by EndingOf: no lexeme that the one in progress can end
  // as joins. REQUIRES: the lexeme has begun, is emitted, and no guard is alive.
  bool ViableFurther(const Branch& branch, KnownRefusals& refusals);
  // Can `lexeme` end at `from` (kEnds), and can W, or R at once, go on after it (kJoins)?
  enum class Ending : uint8_t { kRefused, kEnds, kJoins };
  Ending EndingOf(const Between& from, LexemeId lexeme, bool emitted, NameText text = {});
  // Does the parser take the emitted lexeme at `from`, whatever follows?
  bool Takes(const Between& from, LexemeId lexeme) {
    bool takes = false;
    mover().ForEachEnd(from, lexeme, true, {}, [&takes](const Between&) { takes = true; });
    return takes;
  }
  // Can a lexeme in progress, by any bytes, *land*: end in R, or at its begin where R must follow
  // at once? EndingOf knows nothing of such lexemes.
  bool MayLand(DfaStateId q);
  // Does the parser take, at `at`, some lexeme as which the one in progress may land? `opened`: the
  // lexeme's first byte is the middle's own.
  bool TakesSomeLanding(const Between& at, DfaStateId q, bool opened);
  // Does nothing on the right restrict the text after the place? Then every text that the parser
  // can read there is viable (ViabilityClasses::Unrestricted).
  bool Unrestricted(const Between& at) { return classes().Unrestricted(mover().stacks(), at.top); }
  // The place with all reductions taken that every look-ahead asks for: places that the same texts
  // may follow become one. As it was where fallbacks depend on the state (StackArena::Settled).
  Between Settled(Between at) {
    if (!index().has_fallbacks()) at.top = mover().stacks().Settled(at.top);
    return at;
  }
  // May an answer about the stack be kept under its nodes? Not if a packed node in it was made by
  // the trial that is on: it is forgotten with the trial.
  bool Lasts(NodeId top) const {
    const StackArena& stacks = right_->mover().stacks();
    if (!stacks.node(top).over_packed) return true;
    while (!stacks.IsPacked(top)) top = stacks.node(top).below;
    return top.value < stacks.lasting_size();
  }
  // The mode that the next lexeme at the place is read in.
  ModeId ModeAt(const Between& at) const { return right_->mover().modes().top(at.context.modes); }
  // Is R accepted at once after the branch?
  bool Member(const Branch& branch);
  // Is R, from `offset` on, accepted after one of the places? `offset` lies between two lexemes of
  // R.
  bool AcceptsRight(std::vector<Between> from, size_t offset);
  // Is L M W R valid for a W that only lengthens the lexeme in progress, so that the lexeme ends in
  // R as `landed` at `offset`? `lengthened`: W is not empty.
  bool LandsAsMember(const Branch& branch, LexemeId landed, size_t offset, bool lengthened);
  // `stack`: the modes of the branch. Of these kMaxUnseparated + 1 matter: a way on ends no more
  // lexemes.
  LexemeKey KeyOf(DfaStateId q, const Guards& guards, ModeStackId stack) const;
  const Continuations& ContinuationsOf(DfaStateId q, const Guards& guards, ModeStackId stack);
  // Does the place, between two lexemes, meet R, with more terminals in W or none?
  bool Joins(const Between& between);
  // The places after a sequence of lexemes. The first is emitted or not, and has this text; the
  // others are W's.
  std::vector<Between> EndAll(std::vector<Between> from, std::span<const LexemeId> lexemes,
                              bool first_emitted, NameText text);

 private:
  class SharedEnds;
  // A lexeme as which some lexeme in progress lands, and its end in R.
  struct Landing {
    LexemeId lexeme;
    uint32_t offset = 0;
    auto operator<=>(const Landing&) const = default;
  };
  std::span<const Landing> landings();
  // Viable by the ways on that end `least` lexemes or more in W, or reach into R.
  bool ViableByWays(const Branch& branch, size_t least, KnownRefusals* refusals = nullptr);
  bool RefusesLineEnd(NodeId top);
  // Joins where a line end lies after the stack: W's first terminal is one that may stand there.
  bool JoinsBehindLineEnd(NodeId top);
  Between Swallow(Between from, size_t offset) const;
  Lexer::Match Land(DfaStateId q, const Guards& guards);
  Continuations Explore(DfaStateId q, const Guards& guards, TopModes modes);
  std::vector<Landing> LandingsOf(std::span<const DfaStateId> states);

  std::string line_end_;
  std::shared_ptr<RightSide> right_;
  SideDemand& demand_;
  GapPolicy policy_;
  const bool joins_opened_;
  boost::unordered_flat_map<LexemeKey, std::unique_ptr<Continuations>, LexemeKeyHash>
      continuations_;
  std::optional<std::vector<Landing>> landings_;
  std::vector<bool> may_land_;  // [FutureId]; empty: not yet asked
};

// A span of time in which questions leave no trace: the stack nodes and names that they make are
// forgotten at its end. REQUIRES: no other trial on the gap's stacks is alive, and no node made in
// it is kept.
class Trial {
 public:
  explicit Trial(SharedGap& gap) : gap_(gap) {
    gap_.mover().stacks().BeginTrial();
    gap_.mover().names().BeginTrial();
  }
  ~Trial() {
    gap_.mover().stacks().EndTrial();
    gap_.classes().ForgetNodes(gap_.mover().stacks().size());
    gap_.mover().names().EndTrial();
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

 private:
  SharedGap& gap_;
};

// The readings of L M, shared by copies of a state.
struct GapBranches {
  std::vector<Branch> branches;
  bool viable = false;
  bool too_ambiguous = false;  // some were given up (BranchMover::given_up, RightDemand)
};

}  // namespace tenon::constraint
