// The minimal automaton of patterns some of whose texts are strict: what may be written, where more may be given.
//
// Two texts lead to the same state when the same texts may follow them, and the same may follow them strictly. So a
// byte's edge tells exactly whether a strict text that has come so far can still become one of the strict texts: states
// are never shared at the price of strictness. What is not strict (no strict text begins like it) may be followed by
// whatever may follow, in a strict text, one that accepts the same: where that is one state, it is that state; where it
// is several, a state of its own has all their edges.
//
//   strict(q, b)  =  some strict text leads over q, then b        (q: after the beginning of a strict text)
//   strict(q, b)  =  or of strict(p, b), p alike q in what follows  (q: after anything else)
//
// Source: minimisation as in dfa_minimizer.h with one label a state for what matches, what matches strictly and whether
// a strict text goes on; the last is what the automaton of both languages tells (a product of their minimal automata,
// minimised).
// Cost: as Dfa::Build on all patterns and forms, and a second minimisation of the result. Python's lexer: see
// docs/measured.md.
// Thread rule: a pure function.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/automata/dfa.h"
#include "constraint/automata/regex.h"

namespace tenon::constraint {

// Of a pattern.
struct StrictForm {
  enum class Kind : uint8_t { kNone, kItself, kForm } kind = Kind::kItself;
  Regex form = nullptr;  // kForm: matches only what the pattern does
};

struct StrictDfa {
  Dfa dfa;
  std::vector<std::bitset<256>> edges;      // [state][byte] may a strict text take it?
  std::vector<std::vector<uint16_t>> ends;  // [state] the matching patterns that a strict text ends as, ascending
  std::vector<bool> goes_on;                // [state] does a strict text lead to it?

  // Which of the patterns that match a text does it end as, when it is written? (matching, those of them that match
  // strictly), each ascending; what it answers are some of the latter.
  using Ends = std::function<std::vector<uint16_t>(std::span<const uint16_t>, std::span<const uint16_t>)>;

  // One automaton with a start for each group of patterns, the groups sharing what states they can: state 0 is the
  // first one's start, Dfa::StartOf tells the others'. No edge leads to a start. REQUIRES: at least one group, none
  // empty; a form for each pattern.
  // Error: more than `max_states` states arose (the message says so).
  [[nodiscard]] static tl::expected<StrictDfa, std::string> Build(std::span<const Regex> patterns,
                                                                  std::span<const StrictForm> forms,
                                                                  std::span<const std::vector<uint16_t>> groups,
                                                                  const Ends& ends, size_t max_states = 20000);
};

}  // namespace tenon::constraint
