// One right context, read: lexemes, automaton, demand graph and the classes that stacks fall into before it.
//
// R is given and may hold what is newer than what is written. Which levels (`%levels`) hold is a matter of the gap: its graph is one of a
// level, made when a gap asks for it. Lexemes, automaton and whole constructs are those of all levels.
// What is known about R does not depend on L, so gaps with the same R share one of these. Classes and lexemes grow while they are used;
// the stacks that they are asked about are those of one mover.
// Cost: docs/measured.md. Thread rule: one thread at a time, with all gaps that share it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/gap/branch.h"
#include "constraint/gap/construct_parser.h"
#include "constraint/gap/demand_graph.h"
#include "constraint/gap/language.h"
#include "constraint/gap/right_automaton.h"
#include "constraint/gap/right_spine.h"
#include "constraint/gap/viability_class.h"

namespace tenon::constraint {

// What a right context demands at one level.
struct RightDemand {
  bool whole;            // nothing stands left of the gap
  bool too_ambiguous;    // RightSpine::too_ambiguous: nothing is viable then
  PredicateBits barred;  // RightSpine::barred
  DemandGraph graph;
  std::optional<ViabilityClasses> classes;
};

class RightContext {
 public:
  // `in_lexemes`: RightAutomaton::Options.
  RightContext(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover, std::string_view text,
               bool emit, size_t room, bool in_lexemes = true);
  RightContext(const RightContext&) = delete;
  RightContext& operator=(const RightContext&) = delete;

  // Becomes another right context that shares an end with this one; REQUIRES: no gap uses it. False: it cannot, make a new one.
  [[nodiscard]] bool Reread(std::string_view text);
  // What R demands where nothing newer than `levels` holds; it lasts until the next Reread. nullptr: stopped; calling it again goes on.
  [[nodiscard]] RightDemand* Prepare(bool whole, PredicateBits levels, const std::stop_token& stop);

  const Language& language() const { return *language_; }
  BranchMover& mover() { return *mover_; }
  std::string_view text() const { return lexemes_.right(); }
  bool emit() const { return emit_; }
  // The longest match at an offset of the text, from a start of the lexer.
  Lexer::Match At(size_t offset, DfaStateId start = kStartState) {
    Lexer::Match match = lexemes_.At(offset + lexemes_.begin(), start);
    return {match.lexeme, match.end - lexemes_.begin()};
  }
  // Where a lexeme in progress ends in the text (Lexer::Land without guards).
  Lexer::Match LandingOf(DfaStateId q) {
    Lexer::Match match = lexemes_.LandingOf(q);
    return {match.lexeme, match.end - lexemes_.begin()};
  }

  // A stack in R between two lexemes at a line's end, by an offset that does not change with R's beginning.
  struct Passed {
    uint32_t node, offset, indents, depth, names;
    PredicateBits levels;  // where they hold
    bool ends_phrase;
    bool operator==(const Passed&) const = default;
  };
  Passed PassedAt(const Between& at, size_t offset) const {
    return {at.top.value,
            static_cast<uint32_t>(offset + lexemes_.begin()),
            at.layout.indents.value,
            at.layout.depth,
            at.layout.names.value,
            at.layout.levels_hold ? at.layout.levels : 0,
            at.layout.ends_phrase};
  }
  struct Outcome {
    bool accepted = false;
    PredicateBits barred = 0;  // BranchMover::TakeBarred of what was read
  };
  std::optional<Outcome> Known(const Passed& passed) const;
  void Remember(const Passed& passed, Outcome outcome) { outcomes_.emplace(passed, outcome); }

  size_t node_bytes() const;
  size_t text_bytes() const { return lexemes_.memory_bytes(); }
  RightAutomaton& automaton() { return automaton_; }

 private:
  struct Level {
    PredicateBits levels;
    RightSpine spine;
    std::array<std::unique_ptr<RightDemand>, 2> demands = {};  // [whole]
    bool stopped = false;                                      // the spine is not complete
  };
  Level& At(PredicateBits levels);

  std::shared_ptr<const Language> language_;
  std::shared_ptr<BranchMover> mover_;
  struct PassedHash {
    size_t operator()(const Passed& p) const {
      uint64_t a = (static_cast<uint64_t>(p.node) << 32 | p.offset) * 0x9e3779b97f4a7c15u;
      uint64_t b = static_cast<uint64_t>(p.indents) << 32 | p.depth << 1 | p.ends_phrase;
      return (a ^ a >> 31 ^ b ^ static_cast<uint64_t>(p.levels) << 20 ^ static_cast<uint64_t>(p.names) << 24) *
                 0xbf58476d1ce4e5b9u >>
             3;
    }
  };

  bool emit_;
  RightLexemes lexemes_;
  RightAutomaton automaton_;
  ConstructParser constructs_;
  std::vector<std::unique_ptr<Level>> levels_;
  boost::unordered_flat_map<Passed, Outcome, PassedHash> outcomes_;
};

}  // namespace tenon::constraint
