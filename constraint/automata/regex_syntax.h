// A pattern as it is written, where it has what a tree of RegexNode cannot say: groups that back-references name, lazy repetition,
// atomic groups. Resolving it makes a plain tree of the same texts.
//
// What it matches is what Python's `re` matches, read so: all that stands before the first lazy repetition is chosen freely, as
// `re.fullmatch` does, and from there on the first match counts, as `re.match` finds it. So H X*? Y is `re.fullmatch` of H (?>X*? Y).
//
//   (G) R \1 S   = the union over t in L(G) of  t R t S        L(G) finite: at most kMaxGroupTexts
//   H X*? Y      = H FirstMatch(X, Y)                          regex_first_match.h says when that is exact
//   (?>A) Y      = L(A) Y                                      where L(A) is prefix-free
//
// Parts are resolved together with what follows them, the group's text at hand: the end of a lazy repetition may hold the reference.
// Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/automata/regex.h"

namespace tenon::constraint {

struct RegexSyntax {
  enum class Kind : uint8_t {
    kPlain,      // `plain`, which has none of the others in it
    kConcat,     // all children in order
    kAlternate,  // one of the children
    kRepeat,     // children[0], at least `min` and at most `max` times
    kGroup,      // children[0], remembered under the number `group`
    kReference,  // the text of the group of that number
    kAtomic,     // children[0], never tried again
  };

  Kind kind = Kind::kPlain;
  Regex plain;
  std::vector<RegexSyntax> children;
  uint32_t min = 0, max = 0;  // of kRepeat; RegexNode::kUnbounded
  bool lazy = false;          // of kRepeat
  bool ignore_case = false;   // of kReference
  uint32_t group = 0;         // counted from 1 by opening brackets
  size_t offset_bytes = 0;    // in the pattern, of the group, reference or repetition
};

inline constexpr size_t kMaxGroupTexts = 256;

// Groups that are in `referenced` are read as groups, others as their bodies. REQUIRES: each reference stands behind its group.
// Error: what has no exact meaning for an automaton, `unsupported`, at the place of the part to change.
[[nodiscard]] tl::expected<Regex, RegexError> Resolve(RegexSyntax syntax, const std::set<uint32_t>& referenced);

}  // namespace tenon::constraint
