// Reads whole texts with an automaton.
#pragma once

#include <string_view>

#include "constraint/automata/automata.h"

namespace tenon::constraint {

// Does some pattern of `dfa` match `text` whole?
inline bool Matches(const Dfa& dfa, std::string_view text) {
  DfaStateId q = kStartState;
  for (const char c : text) {
    q = dfa.Next(q, static_cast<uint8_t>(c));
    if (q == kDeadState) return false;
  }
  return !dfa.Accepts(q).empty();
}

}  // namespace tenon::constraint
