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
//   EndingOf(at, lexeme)  may this lexeme come here, and can R or W go on behind it?
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
//   - *Two lexemes depend on each other.* Behind `1` in a language with `1.5` the next lexeme
//     decides whether `1` has ended. Such ways hold several lexemes (Continuations).
//
// Source: docs/design/viability.md. Cost: making one is linear in both contexts (docs/measured.md,
// opening gaps); a question is a look-up once its stack node is known.
// Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/gap/gap_state.h"
#include "constraint/gap/right_side.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {

// How a lexeme in progress can go on in W, up to where nothing more needs to be known about it.
struct Continuations {
  // It, or the last of a few lexemes, goes on into R, where `landed` ends at `offset`. `untouched`:
  // W is empty.
  struct IntoRight {
    std::vector<LexemeId> before;  // lexemes ended in W before
    LexemeId landed;
    uint32_t offset = 0;
    bool untouched = false;
    auto operator<=>(const IntoRight&) const = default;
  };
  std::shared_ptr<const LexemeReach> reach;  // `ended`: lexemes that can end in W
  std::vector<IntoRight> into_right;         // ascending
  std::vector<LexemeId>
      firsts;  // that ways of two or more lexemes in W and ways into R begin with; ascending
};

// What somebody knows of the lexemes that could end at one place.
class KnownRefusals {
 public:
  // Is it known that the parser refuses the lexeme there, emitted, whatever follows?
  virtual bool Refused(LexemeId lexeme) = 0;

 protected:
  ~KnownRefusals() = default;
};

// A lexeme in progress with the modes that may matter behind it: a key for what is known of its
// ways on.
struct LexemeKey {
  DfaStateId q;
  uint64_t guards;
  TopModes modes;
  bool operator==(const LexemeKey&) const = default;
};
struct LexemeKeyHash {
  size_t operator()(const LexemeKey& k) const {
    return ((k.guards ^ k.modes.Key() << 7) * 31 + k.q.value) * 0x9e3779b97f4a7c15u;
  }
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
  // REQUIRES: the same strength and levels, and no state that uses this session.
  void SetPolicy(GapPolicy policy) { policy_ = std::move(policy); }
  std::string_view right() const { return right_->context().text(); }
  const std::string& line_end() const { return line_end_; }  // as the text around the gap has it
  BranchMover& mover() { return right_->mover(); }
  const DemandGraph& graph() const { return demand_.right.graph; }
  const GrammarIndex& index() const { return *language().index; }
  const Yields& yields() const { return *language().yields[policy_.emit]; }
  ViabilityClasses& classes() { return demand_.classes; }
  const RightAutomaton& automaton() const { return right_->context().automaton(); }

  // Can R go on behind lexemes that W opens? Where not (the cursor in a string or comment whose
  // rest is no code) W only lengthens the lexeme that L has opened.
  bool JoinsOpened() const { return joins_opened_; }
  bool Viable(const Branch& branch);
  // The same where it is known that EndingOf joins for no lexeme that the one in progress can end
  // as. REQUIRES: it has begun, is emitted, and no guard is alive.
  bool ViableFurther(const Branch& branch, KnownRefusals& refusals);
  // Can `lexeme` end at `from`, and can W, or R at once, go on behind it?
  enum class Ending : uint8_t { kRefused, kEnds, kJoins };
  Ending EndingOf(const Between& from, LexemeId lexeme, bool emitted, NameText text = {});
  // The lexemes, with their ends in R, that some lexeme in progress becomes in R and that EndingOf
  // does not know of: those that reach into R, and those behind which not everything may follow.
  struct Landing {
    LexemeId lexeme;
    uint32_t offset = 0;
    auto operator<=>(const Landing&) const = default;
  };
  std::span<const Landing> landings();
  // Can a lexeme in progress become one of these, by any bytes?
  bool MayLand(DfaStateId q);
  bool Member(const Branch& branch);
  // Does the stack, with R from `offset` on and nothing between, make a valid text? `offset` lies
  // between two lexemes of R.
  bool AcceptsRight(std::vector<Between> from, size_t offset);
  // Is L M W R valid where W only lengthens the lexeme in progress, which then ends in R as
  // `landed` at `offset`?
  bool LandsAsMember(const Branch& branch, LexemeId landed, size_t offset, bool lengthened);
  // `stack`: the modes of the branch. Ways on pop at most kMaxUnseparated + 1 lexemes' modes.
  LexemeKey KeyOf(DfaStateId q, const Guards& guards, ModeStackId stack) const;
  const Continuations& ContinuationsOf(DfaStateId q, const Guards& guards, ModeStackId stack);
  // Join of stacks between two lexemes with the starts of R; W may hold more terminals or none.
  bool Joins(const Between& between);
  // Ends one lexeme after another; the first is emitted as said and has this text, the others are
  // ours.
  std::vector<Between> EndAll(std::vector<Between> from, std::span<const LexemeId> lexemes,
                              bool first_emitted, NameText text);

 private:
  class SharedEnds;
  // By the ways that bytes can lead the lexeme in progress, those of so many lexemes in W or more.
  bool ViableByWays(const Branch& branch, size_t least, KnownRefusals* refusals = nullptr);
  bool RefusesLineEnd(NodeId top);
  // Joins where a line end lies behind the stack: W's first terminal is one that may stand there.
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

// While it lives questions may be asked that leave no trace: the stacks that they make are
// forgotten with it. REQUIRES: no other trial on the session's stacks is alive, and nobody keeps a
// node made in it.
class Trial {
 public:
  explicit Trial(SharedGap& session) : session_(session) {
    session_.mover().stacks().BeginTrial();
    session_.mover().names().BeginTrial();
  }
  ~Trial() {
    session_.mover().stacks().EndTrial();
    session_.classes().ForgetNodes(session_.mover().stacks().size());
    session_.mover().names().EndTrial();
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

 private:
  SharedGap& session_;
};

// The readings of L M, shared by copies of a state.
struct GapBranches {
  std::vector<Branch> branches;
  bool viable = false;
  bool too_ambiguous = false;  // some were given up (BranchMover::GiveUp, RightDemand)
};

}  // namespace tenon::constraint
