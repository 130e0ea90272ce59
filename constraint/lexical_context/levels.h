// Levels: which newer forms of a language a whole text may use (`%levels` in a grammar).
//
// Example, `%levels since_3_10 since_3_11` and a rule with `"match"#since_3_10`. In
//
//   match x:
//       case [a, *b]: |
//
// the text already uses since_3_10, so a completion may write another `match`. In a text without
// one, a completion writes it where the user's setting allows that level, or where nothing older
// closes the gap.
//
// Two modes, one after the other. While the left context is read, nothing is refused: the levels of
// each terminal are added, so that at the gap each branch knows the levels that it uses. From the
// gap on they *hold* (HoldLevels of reading/branch.h): a terminal of a higher level is refused,
// whether it is given in the right context or written.
//
//   adding:   on' = on + levels(t) for a given terminal t
//   holding:  t is refused unless levels(t) is a part of on
//
// A refusal of given text is noted (RefusedLevels): a gap that nothing closes is opened once more
// at the least level that was refused (gap/gap_cache.cpp).
// Source: docs/grammars.md, `%levels`. Cost: a comparison of bits for a terminal with a predicate.
// Thread rule: values.
#pragma once

#include "constraint/base/base.h"
#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

// The member of a LexicalContext: a set of levels, and whether they hold. One word, because
// branches are copied for each byte: kGivenPredicate's bit, which is never on in a set of
// predicates, means "hold".
class Levels {
 public:
  Levels() = default;
  // Given text adds the levels that it uses to these.
  static Levels Added(PredicateBits on) { return Levels(on & ~kHold); }
  // These hold: nothing beyond them is read or written.
  static Levels Held(PredicateBits on) { return Levels(on | kHold); }

  bool hold() const { return (bits_ & kHold) != 0; }
  PredicateBits on() const { return bits_ & ~kHold; }
  // May given text use a terminal of these levels?
  bool Allows(PredicateBits levels) const { return !hold() || (levels & ~on()) == 0; }
  // After a given terminal of these levels. REQUIRES: Allows(levels).
  Levels After(PredicateBits levels) const { return Levels(bits_ | levels); }
  auto operator<=>(const Levels&) const = default;

 private:
  static constexpr PredicateBits kHold = PredicateBits{1} << kGivenPredicate.value;
  explicit Levels(PredicateBits bits) : bits_(bits) {}
  PredicateBits bits_ = 0;
};

// The levels, as their own bits, that given text was refused for while a NoteScope was open.
struct RefusedLevels {
  PredicateBits bits = 0;
  void Note(RefusedLevels other) { bits |= other.bits; }
};

}  // namespace tenon::constraint
