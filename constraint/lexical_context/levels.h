// Levels: the newer forms of a language that a whole text may use, such as those of a version
// (`%levels` in a grammar).
//
// Example: `%levels since_3_10 since_3_11`, and a rule with `"match"#since_3_10`. In
//
//   match x:
//       case [a, *b]: |
//
// the text already uses since_3_10, so a completion may write another `match`. In a text without
// `match`, a completion writes one only where the user's setting allows since_3_10, or where no
// older text closes the gap.
//
// Levels are first added and then hold:
// - Before the gap nothing is refused. The levels of each given terminal are added, so each branch
//   knows at the gap which levels the left context uses.
// - From the gap on the levels *hold* (BeginWriting of reading/branch.h). A terminal of a newer
//   level is refused, both in the right context and in written text.
//
//   adding:   on' = on + levels(t) for a given terminal t
//   holding:  t is refused unless levels(t) is a subset of on
//
// One complication: the right context may need a newer level than the left one. Example: `match`
// occurs only after the cursor. The refusal of the given `match` is noted (RefusedLevels), and a
// gap that no text closes is opened again at the least level that was refused
// (gap/gap_cache.cpp).
// Source: docs/grammar_directives.md, `%levels`. Cost: a comparison of bits for a terminal.
// Thread rule: values.
#pragma once

#include "constraint/base/base.h"
#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

// The member of a LexicalContext: a set of levels, and whether they hold. It is one word, because
// branches are copied for each byte. The bit of kGivenPredicate means "hold"; no set of predicates
// contains this predicate.
class Levels {
 public:
  Levels() = default;
  // The levels `on`, to which given text adds the levels that it uses.
  static Levels Added(PredicateBits on) { return Levels(on & ~kHold); }
  // The levels `on`, which hold: no terminal of another level is read or written.
  static Levels Held(PredicateBits on) { return Levels(on | kHold); }

  bool hold() const { return (bits_ & kHold) != 0; }
  PredicateBits on() const { return bits_ & ~kHold; }
  // May given text use a terminal of these levels?
  bool Allows(PredicateBits levels) const { return !hold() || (levels & ~on()) == 0; }
  // The levels after a given terminal of `levels`. REQUIRES: Allows(levels).
  Levels After(PredicateBits levels) const { return Levels(bits_ | levels); }
  auto operator<=>(const Levels&) const = default;

 private:
  static constexpr PredicateBits kHold = PredicateBits{1} << kGivenPredicate.value;
  explicit Levels(PredicateBits bits) : bits_(bits) {}
  PredicateBits bits_ = 0;
};

// The levels for which given text was refused while a NoteScope was open: bit l is level l itself,
// without the levels that it includes.
struct RefusedLevels {
  PredicateBits bits = 0;
  void Note(RefusedLevels other) { bits |= other.bits; }
};

}  // namespace tenon::constraint
