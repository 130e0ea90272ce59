// The part of a gap that all its states share: the data about R, the parser stacks, the memos.
//
// A state of the gap is small: the middle's text, and a *branch* for each reading of L M (a parser
// stack by its node, the DFA state of the lexeme in progress). Everything else is here, once:
//
//   GapState, middle ""      GapState, middle "b"     GapState, middle "b, "
//     branch: node 17, q 3     branch: node 17, q 6     branch: node 21, q 1
//               \                      |                       /
//                +-------------------- SharedGap ---------------+
//                  policy, line end
//                  continuations of each lexeme in progress (Continuations)
//                  RightSide
//                    |- RightContext      R's lexemes and automaton
//                    |- SideDemand        the demand graph of R at the gap's levels
//                    |    '- ViabilityClasses   a class for each stack node
//                    |- accepted ends     line ends of R at which a stack was found (not) to fit
//                    '- BranchMover       the arenas: stack nodes, names, modes, columns
//
// Three questions are answered here, each about a branch, or about a reading between two lexemes:
//
//   Viable(branch)        can some W follow so that R can follow W?
//   EndingOf(at, lexeme)  may this lexeme follow, and can W or R continue after it?
//   Member(branch)        is R accepted at once?
//
// Example: L = `foo(a, b`, R = `)`. The branch has the lexeme `b` in progress. Viable ends it as
// NAME and calls Joins: does the stack over `foo(a, b` meet R? Its viability class says yes. For
// the token `}` EndingOf returns kRefused: the parser has no action.
//
// Where the gap cuts a lexeme there are three cases:
//   - *W ends the lexeme.* The lexer state tells the lexemes that it can end as (LexemeFutures).
//   - *R ends the lexeme.* In `pri|nt(x)` the lexeme lands in R: it ends at offset 2 as NAME
//     `print`. The stack is known, so the parser reads the rest of R (AcceptsRight).
//   - *Two lexemes depend on each other.* After `1|` in a language with `1.5` the next lexeme
//     decides whether `1` has ended. The two lexemes are followed together (Continuations).
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

// The continuations of a lexeme in progress. Each is a sequence of lexemes that the first can
// become, up to the first offset after which every terminal may follow.
//
// Example, for `"ab|` and R = `c")`: the lexeme may end in W as a STRING (`reach`). With an empty W
// it ends in R as a STRING at offset 2 (`into_right`, untouched).
struct Continuations {
  // A continuation into R: after `before`, the lexeme `landed` ends in R at `offset`. `untouched`:
  // W is empty.
  struct IntoRight {
    std::vector<LexemeId> before;  // the lexemes that end in W
    LexemeId landed;
    uint32_t offset = 0;
    bool untouched = false;
    auto operator<=>(const IntoRight&) const = default;
  };
  std::shared_ptr<const LexemeReach> reach;  // `ended`: the sequences that end in W
  std::vector<IntoRight> into_right;         // ascending
  // The first lexemes of the continuations with two or more lexemes in W, and of the continuations
  // into R; ascending.
  std::vector<LexemeId> firsts;
};

// Refusals that a caller of SharedGap already knows, for lexemes that could end at one position.
class KnownRefusals {
 public:
  // Does the caller know that the parser refuses the emitted lexeme at its position?
  virtual bool Refused(LexemeId lexeme) = 0;

 protected:
  ~KnownRefusals() = default;
};

// A lexeme in progress, with the modes that the lexemes after it can depend on: the key of its
// continuations.
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
  // Becomes the shared gap of another left context. REQUIRES: the same strength, seam and levels,
  // and no state that uses this shared gap.
  void BeginGap(GapPolicy policy) {
    policy_ = std::move(policy);
    closing_text_keeps_contexts_.reset();
  }
  std::string_view right() const { return right_->context().text(); }
  const std::string& line_end() const { return line_end_; }  // of the text around the gap
  BranchMover& mover() { return right_->mover(); }
  const DemandGraph& graph() const { return demand_.right.graph; }
  const GrammarIndex& index() const { return *language().index; }
  const Yields& yields() const { return language().YieldsAt(policy_.emit, policy_.seam); }
  ViabilityClasses& classes() { return demand_.classes; }
  const RightAutomaton& automaton() const { return right_->context().automaton(); }

  // May a lexeme that the middle begins end `swallowed` bytes after R's beginning?
  bool MayEndInRight(LexemeId lexeme, size_t swallowed) const {
    return constraint::MayEndInRight(
        policy_.seam, language().lexer.lexeme(lexeme), swallowed, first_line_bytes_,
        policy_.seam == Seam::kRest && automaton().IsRest(lexeme, swallowed));
  }
  // Does R end the closer of a mode that the middle has pushed, which the middle has to write
  // itself? `before`: lexemes that end in the middle, after the stack of modes; `emitted`: the
  // first of them is.
  bool LeavesCloser(ModeStackId modes, std::span<const LexemeId> before, bool emitted,
                    LexemeId landed, size_t swallowed);
  // False when R only parses as the rest of the lexeme that L opened. Example: in `s = "abc|def"`
  // no new lexeme can be started before R = `def"`; the middle may only lengthen the string.
  bool CanStartLexemeBeforeRight() const { return can_start_lexeme_; }
  // Can some W follow the branch so that R can follow W?
  bool Viable(const Branch& branch);
  // Is one of the branches viable?
  bool AnyViable(const std::vector<Branch>& branches) {
    return std::any_of(branches.begin(), branches.end(),
                       [&](const Branch& b) { return Viable(b); });
  }
  // Viable, when EndingOf has not returned kJoins for any lexeme that the one in progress can end
  // as. REQUIRES: the lexeme in progress has begun and is emitted, and no guard is alive.
  bool ViableFurther(const Branch& branch, KnownRefusals& refusals);
  // May `lexeme` follow `from`? kRefused: it may not. kEnds: the parser takes it. kJoins: and then
  // R can follow, directly or after some W.
  enum class Ending : uint8_t { kRefused, kEnds, kJoins };
  Ending EndingOf(const Between& from, LexemeId lexeme, bool emitted, NameText text = {});
  // Does the parser take the emitted lexeme at `from`? R is left out of account.
  bool Takes(const Between& from, LexemeId lexeme) {
    bool takes = false;
    mover().ForEachEnd(from, lexeme, true, {}, [&takes](const Between&) { takes = true; });
    return takes;
  }
  // Can a lexeme in progress in q, after more bytes, *land*: end in R, or at R's begin where R must
  // follow directly? EndingOf does not see these lexemes.
  bool MayLand(DfaStateId q);
  // Does the parser take, at `at`, some lexeme as which the one in progress may land? `opened`: the
  // lexeme's first byte is the middle's own.
  bool TakesSomeLanding(const Between& at, DfaStateId q, bool opened);
  // Does R not restrict the text after `at`? Then every text that the parser can read is viable
  // (ViabilityClasses::Unrestricted).
  bool Unrestricted(const Between& at) { return classes().Unrestricted(mover().stacks(), at.top); }
  // `at` after the reductions that every look-ahead makes: readings that the same texts may follow
  // become equal. Unchanged in a grammar with fallbacks (StackArena::Settled).
  Between Settled(Between at) {
    if (!index().has_fallbacks()) at.top = mover().stacks().Settled(at.top);
    return at;
  }
  // May an answer about the stack be kept under its nodes? Not if the active trial made a packed
  // node of it, which is forgotten with the trial.
  bool Lasts(NodeId top) const {
    const StackArena& stacks = right_->mover().stacks();
    if (!stacks.node(top).over_packed) return true;
    while (!stacks.IsPacked(top)) top = stacks.node(top).below;
    return top.value < stacks.lasting_size();
  }
  // The mode of the next lexeme.
  ModeId ModeAt(const Between& at) const { return right_->mover().modes().top(at.context.modes); }
  // Is R accepted directly after the branch? `bound`: predicates that its words obey, too
  // (BranchMover::BindGiven).
  bool Member(const Branch& branch, PredicateBits bound = 0);
  // The predicates that some rule turns on.
  PredicateBits contexts() const { return contexts_; }
  // Does R keep to its contexts after tenon's own closing text of this gap? All states of the gap
  // share the answer, so it is kept here. `search` finds it, and is called at most once. The only
  // caller is closing/right_in_context.cpp: this room, gap/, knows no closing texts.
  template <typename Search>
  bool ClosingTextKeepsContexts(const Search& search) {
    if (!closing_text_keeps_contexts_) closing_text_keeps_contexts_ = search();
    return *closing_text_keeps_contexts_;
  }
  const std::vector<std::string>& asked_names() const { return right_->asked_names(); }
  // Is R, from `offset` on, accepted after one of the readings? `offset` lies between two lexemes
  // of R.
  bool AcceptsRight(std::vector<Between> from, size_t offset);
  // Is L M W R valid for a W that only lengthens the lexeme in progress, so that the lexeme ends in
  // R as `landed` at `offset`? `lengthened`: W is not empty.
  bool LandsAsMember(const Branch& branch, LexemeId landed, size_t offset, bool lengthened);
  // Where the lexeme in progress ends if R's bytes follow at once (Lexer::Land). Cost: without
  // guards a look-up, after one pass over R for all states together.
  Lexer::Match Land(DfaStateId q, const Guards& guards);
  // `stack`: the modes of the branch. Only the top kMaxUnseparated + 1 matter, because a
  // continuation ends no more lexemes.
  LexemeKey KeyOf(DfaStateId q, const Guards& guards, ModeStackId stack) const;
  const Continuations& ContinuationsOf(DfaStateId q, const Guards& guards, ModeStackId stack);
  // Can R follow the reading, directly or after more terminals of W?
  bool Joins(const Between& between);
  // The readings after a sequence of lexemes. `first_emitted`, `text`: of the first lexeme. The
  // others are emitted.
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
  // Is the branch viable by a continuation that ends `least` lexemes or more in W, or reaches into
  // R?
  bool ViableByWays(const Branch& branch, size_t least, KnownRefusals* refusals = nullptr);
  bool RefusesLineEnd(NodeId top);
  // Joins where a line end lies after the stack: W's first terminal may follow a line end.
  bool JoinsAfterLineEnd(NodeId top);
  Between Swallow(Between from, size_t offset) const;
  Continuations Explore(DfaStateId q, const Guards& guards, TopModes modes);
  std::vector<Landing> LandingsOf(std::span<const DfaStateId> states);

  std::string line_end_;
  std::shared_ptr<RightSide> right_;
  SideDemand& demand_;
  GapPolicy policy_;
  const size_t first_line_bytes_;  // of R
  const bool can_start_lexeme_;
  PredicateBits contexts_ = 0;
  std::optional<bool> closing_text_keeps_contexts_;  // nothing: not searched yet
  boost::unordered_flat_map<LexemeKey, std::unique_ptr<Continuations>, LexemeKeyHash>
      continuations_;
  std::optional<std::vector<Landing>> landings_;
  std::vector<bool> may_land_;  // [FutureId]; made on first use
};

// A rollback scope: stack nodes, classes and names that are made in it are forgotten at its end.
// REQUIRES: no other trial on the gap's stacks is alive, and no node made in it is kept.
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
