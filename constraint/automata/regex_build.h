// Makes syntax trees of regular expressions, simplified on the way.
//
// Operations on expressions (quotients, first matches) make many needless parts. These functions
// remove them while a tree is made, so that results stay small and can be read:
//   - nested sequences and sums are flattened: (ab)c is abc;
//   - equal parts of a sum are kept once: ab|ab is ab;
//   - sets in a sum are joined: a|[b-d] is [a-d];
//   - a part that matches nothing takes its sequence with it: a[^\s\S]b is nothing.
//
// Cost: linear in the children, quadratic in the distinct parts of a sum. Thread rule: pure
// functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "constraint/automata/codepoint_set.h"
#include "constraint/automata/regex.h"

namespace tenon::constraint {

[[nodiscard]] Regex RegexOfSet(CodepointSet set);
// REQUIRES: UTF-8.
[[nodiscard]] Regex RegexOfText(std::string_view text, bool ignore_case);
[[nodiscard]] Regex RegexNothing();  // matches no text
[[nodiscard]] Regex RegexEmpty();    // matches the empty text alone
[[nodiscard]] Regex RegexConcat(const std::vector<Regex>& parts);
[[nodiscard]] Regex RegexAlternate(const std::vector<Regex>& parts);
// `max` may be RegexNode::kUnbounded.
[[nodiscard]] Regex RegexRepeat(const Regex& part, uint32_t min, uint32_t max);

}  // namespace tenon::constraint
