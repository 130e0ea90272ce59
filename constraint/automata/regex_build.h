// Makes syntax trees of regular expressions, simplified on the way: nested sequences and sums are flattened, equal parts of a sum are
// kept once, sets in a sum are joined, and what matches nothing takes its sequence with it.
//
// Thread rule: pure functions.
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
