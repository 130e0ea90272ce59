// The minimal DFA of several regular expressions at once, over bytes.
//
// State 0 is the start. States from which no pattern can match any more are removed, so a missing transition (kDead) is
// the only failure. Each state carries the sorted set of the patterns that match exactly the bytes read so far.
// Source: subset construction (Rabin and Scott 1959), minimisation by Hopcroft's partition refinement (1971).
// Cost: states * 256 * 2 bytes; the tests print states for the shipped grammars. Thread rule: immutable after Build.
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
  // Minimal with respect to the sets of matching patterns. Error: more than `max_states` states arose (the message says so).
  [[nodiscard]] static tl::expected<Dfa, std::string> Build(std::span<const Regex> patterns, size_t max_states = 20000);

  // Where the texts of a group of patterns begin (strict_dfa.h). Groups whose starts move alike share one.
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
