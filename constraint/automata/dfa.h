// The minimal DFA of several regular expressions at once, over bytes.
//
// A deterministic automaton reads a text byte by byte; its state tells which patterns match the
// text so far. Example: the patterns 0 = `if` and 1 = `[a-c]+|i`. From the start, `i` leads to a
// state that accepts {1}; there `f` leads to a state that accepts {0}, and any other byte is
// *dead*: no pattern matches a text that begins so.
//
//             i         f
//   start ------> {1} ------> {0}
//      | a-c
//      +-----> {1} --+
//               ^    | a-c
//               +----+
//
// - State 0 is the start.
// - Every state leads to one where a pattern matches. So a missing transition (kDeadState) is the
//   only failure, and a text is refused at the first byte that makes it hopeless.
// - Several patterns may match the same text. Each state has the sorted set of all of them; the
//   lexer chooses.
//
// Source: subset construction (Rabin and Scott 1959), minimisation by Hopcroft's partition
// refinement (1971).
// Cost: states * 256 * 2 bytes; the tests print states for the shipped grammars.
// Thread rule: immutable after Build.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/automata/regex.h"

namespace tenon::constraint {

struct DfaStateId {
  uint16_t value = 0;
  auto operator<=>(const DfaStateId&) const = default;
};
inline constexpr DfaStateId kDeadState{0xffff};
inline constexpr DfaStateId kStartState{0};

class Dfa {
 public:
  // Minimal: two states differ in the sets of matching patterns after some text.
  // Error: more than `max_states` states arose (the message says so).
  [[nodiscard]] static tl::expected<Dfa, std::string> Build(std::span<const Regex> patterns,
                                                            size_t max_states = 20000);

  // The start of a group of patterns (strict_dfa.h): one group for each mode of a lexer. Groups
  // whose starts have the same transitions share one state.
  DfaStateId StartOf(size_t group) const { return starts_[group]; }

  DfaStateId Next(DfaStateId q, uint8_t byte) const { return next_[q.value][byte]; }
  // Indices of the matching patterns, ascending; empty where none matches.
  std::span<const uint16_t> Accepts(DfaStateId q) const { return accepts_[q.value]; }
  size_t size() const { return next_.size(); }

 private:
  template <typename>
  friend struct CacheFields;  // constraint/cache/archive.h
  friend class StrictDfaBuilder;
  std::vector<std::array<DfaStateId, 256>> next_;  // [state][byte]
  std::vector<std::vector<uint16_t>> accepts_;     // [state] pattern indices
  std::vector<DfaStateId> starts_;                 // [group]
};

}  // namespace tenon::constraint
