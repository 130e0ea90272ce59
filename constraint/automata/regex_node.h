// The syntax tree of a regular expression after parsing.
//
// Four kinds of nodes are enough, because flags, escapes and classes are resolved into sets of code
// points. Example: `(?i)ab?` is
//
//   kConcat
//     kSet {A, a}
//     kRepeat 0..1
//       kSet {B, b}
//
// Back-references, lazy repetition and atomic groups are resolved before (regex_syntax.h). Trees
// share subtrees.
// Thread rule: immutable once shared.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "constraint/automata/codepoint_set.h"
#include "constraint/automata/regex.h"

namespace tenon::constraint {

enum class RegexKind : uint8_t {
  kSet,        // one code point of `set`; an empty set matches nothing
  kConcat,     // all children in order; without children the empty text
  kAlternate,  // one of the children
  kRepeat,     // children[0], at least `min` and at most `max` times
};

struct RegexNode {
  static constexpr uint32_t kUnbounded = std::numeric_limits<uint32_t>::max();

  RegexKind kind = RegexKind::kConcat;
  CodepointSet set;
  std::vector<Regex> children;
  uint32_t min = 0;
  uint32_t max = kUnbounded;
};

}  // namespace tenon::constraint
