// One right context R, read: its lexemes, its automaton, and the demand graph that follows from
// them.
//
// In `foo(a, |b)` R is `b)`. Read from its first byte it begins with the lexeme `b`; read after a
// middle that ends in a letter it begins inside a name. The automaton (right_automaton.h) holds
// both readings; the spine (right_spine.h) finds the items of the grammar in which R may begin; the
// demand graph (demand_graph.h) says which tree nodes must lie above the gap: here an argument list
// that still owes its `)`.
//
// R is given and may use newer forms than the middle may. Which levels (`%levels`) hold is decided
// by the gap, so there is one spine and one demand graph a level, made on request; lexemes,
// automaton and whole constructs serve all levels. Nothing here depends on L: gaps with the same R
// share it.
//
// Source: docs/design/right_context.md. Cost: docs/measured.md, opening gaps.
// Thread rule: one thread at a time, with all gaps that share it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "constraint/language/language.h"
#include "constraint/right/demand_graph.h"
#include "constraint/right/right_automaton.h"
#include "constraint/right/right_dump.h"  // IWYU pragma: export
#include "constraint/right/right_spine.h"

namespace tenon::constraint {

// The demand of a right context at one level.
struct RightDemand {
  bool whole;            // the left context is empty
  bool too_ambiguous;    // RightSpine::too_ambiguous: nothing is viable then
  PredicateBits barred;  // RightSpine::barred
  DemandGraph graph;
};

class RightContext {
 public:
  // `room`: bytes that R may grow by at its beginning without being read anew. `in_lexemes`:
  // RightAutomaton::Options. Once `stop` is requested the object may be thrown away alone.
  RightContext(std::shared_ptr<const Language> language, std::string_view text, bool emit,
               size_t room, bool in_lexemes = true, const std::stop_token& stop = {});
  RightContext(const RightContext&) = delete;
  RightContext& operator=(const RightContext&) = delete;

  // Becomes another right context that shares an end with this one. REQUIRES: no gap uses it.
  // Returns the Place from which everything known stays valid. Nothing: the caller has to make a
  // new right context. Once `stop` is requested the object may be thrown away alone.
  [[nodiscard]] std::optional<size_t> Reread(std::string_view text, const std::stop_token& stop);
  // R's demand where nothing newer than `levels` holds; it lasts until the next Reread.
  // `pack_above`: GapPolicy::pack_above, for the level's first call. nullptr: stopped; calling it
  // again goes on. `seam`: which lexemes of the middle R may end. For another seam than the closed
  // one the object may be thrown away alone once `stop` is requested.
  [[nodiscard]] const RightDemand* Prepare(bool whole, PredicateBits levels, size_t pack_above,
                                           const std::stop_token& stop, Seam seam = Seam::kClosed);

  const Language& language() const { return *language_; }
  std::string_view text() const { return lexemes_.right(); }
  bool emit() const { return emit_; }
  // An offset of the text as a number that Reread does not change: it counts from R's end.
  size_t Place(size_t offset) const { return offset + lexemes_.begin(); }
  // The longest match at an offset of the text, from a start of the lexer.
  Lexer::Match At(size_t offset, DfaStateId start = kStartState) {
    Lexer::Match match = lexemes_.At(offset + lexemes_.begin(), start);
    return {match.lexeme, match.end - lexemes_.begin()};
  }
  // The match of a lexeme that is read apart (RightLexemes::Apart).
  Lexer::Match Apart(size_t offset, DfaStateId start) {
    Lexer::Match match = lexemes_.Apart(offset + lexemes_.begin(), start);
    match.end -= lexemes_.begin();
    return match;
  }
  // Where a lexeme in progress ends in the text (Lexer::Land without guards).
  Lexer::Match LandingOf(DfaStateId q) {
    Lexer::Match match = lexemes_.LandingOf(q);
    return {match.lexeme, match.end - lexemes_.begin()};
  }
  size_t first_line_bytes() const { return lexemes_.first_line_bytes(); }
  RightAutomaton& automaton() { return automaton_; }

  size_t node_bytes() const;
  size_t text_bytes() const { return lexemes_.memory_bytes(); }

 private:
  struct Level {
    PredicateBits levels;
    RightSpine spine;
    std::array<std::array<std::unique_ptr<RightDemand>, 2>, kSeams> demands = {};  // [Seam][whole]
    bool stopped = false;  // the spine is not complete
  };
  Level& At(PredicateBits levels, size_t pack_above);

  std::shared_ptr<const Language> language_;
  bool emit_;
  RightLexemes lexemes_;
  RightAutomaton automaton_;
  std::vector<std::unique_ptr<Level>> levels_;
};

}  // namespace tenon::constraint
