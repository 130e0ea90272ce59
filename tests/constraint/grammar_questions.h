// Questions that tests ask of a grammar that was read: its terminals by name, and what they match.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "constraint/automata/automata.h"
#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

inline const Terminal* Find(const Grammar& grammar, std::string_view name) {
  for (const Terminal& terminal : grammar.terminals) {
    if (terminal.name == name) return &terminal;
  }
  return nullptr;
}

inline std::string Names(const Grammar& grammar) {
  std::string names;
  for (const Terminal& terminal : grammar.terminals)
    names += (names.empty() ? "" : " ") + terminal.name;
  return names;
}

inline std::string NameOf(const Grammar& grammar, TerminalId id) {
  return grammar.terminals[id.value].name;
}

inline bool Matches(const Terminal& terminal, std::string_view text) {
  const std::vector<Regex> patterns = {*ParseRegex(terminal.pattern, terminal.pattern_flags)};
  const auto dfa = Dfa::Build(patterns);
  DfaStateId q = kStartState;
  for (const char c : text) {
    if (q != kDeadState) q = dfa->Next(q, static_cast<uint8_t>(c));
  }
  return q != kDeadState && !dfa->Accepts(q).empty();
}

}  // namespace tenon::constraint
