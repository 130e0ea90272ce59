// A pattern as it is written, with the parts that a tree of RegexNode cannot hold: groups that
// back-references name, lazy repetition, atomic groups. Resolve makes a plain tree of the same
// texts.
//
// *Back-references* are written out. Example: Rust's raw strings with at most one hash,
// `r(#?)"[a-z]*"\1`, become a sum over the texts of the group, which are the empty one and `#`:
//
//   r"[a-z]*" | r#"[a-z]*"#
//
// *Lazy repetition* and *atomic groups* become sets of first matches (regex_first_match.h says when
// that is exact).
//
//   (G) R \1 S   = the union over t in L(G) of  t R t S        L(G) finite: at most kMaxGroupTexts
//   H X*? Y      = H FirstMatch(X, Y)
//   (?>A) Y      = L(A) Y                                      where L(A) is prefix-free
//
// *The meaning* is that of Python's `re`, read so: everything before the first lazy repetition is
// chosen freely, as `re.fullmatch` does; from the repetition on the first match counts, as
// `re.match` finds it. So H X*? Y is `re.fullmatch` of H (?>X*? Y).
//
// Parts are resolved together with everything after them, the group's text at hand, because the end
// of a lazy repetition may hold the reference: `r(#{0,16})".*?"\1`.
//
// Source: https://docs.python.org/3/library/re.html.
// Cost: a copy of the rest of the pattern for each text of a group; recursion as deep as it has
// parts that are not plain, 2,000 at most. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/automata/regex.h"

namespace tenon::constraint {

struct RegexSyntax {
  enum class Kind : uint8_t {
    kPlain,      // `plain`, a tree without any of the others
    kConcat,     // all children in order
    kAlternate,  // one of the children
    kRepeat,     // children[0], at least `min` and at most `max` times
    kGroup,      // children[0], remembered under the number `group`
    kReference,  // the text of group `group`
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

// Groups in `referenced` are resolved as groups, all others as their bodies. REQUIRES: each
// reference stands after its group. Error, `unsupported`: a part has no exact meaning for an
// automaton; the offset is that of the part to change.
[[nodiscard]] tl::expected<Regex, RegexError> Resolve(RegexSyntax syntax,
                                                      const std::set<uint32_t>& referenced);

}  // namespace tenon::constraint
