// An automaton of two languages at once: the texts that may be given, and among them the *strict*
// ones, which may be written.
//
// A person may write a string with any escape; tenon writes plain ones. Both read the same
// automaton. Example: the pattern STRING = `"([a-z]|\\.)*"` with the strict form `"[a-z]*"`.
//
//   after `"a`    `b` and `"` are strict edges, `\` is an edge that only given text takes
//   after `"a\n`  no strict text begins so; the string goes on like one without an escape (below)
//
// *Strict edges are exact.* Two texts lead to the same state only if the same texts may follow
// them, and the same may follow them strictly. So after the beginning of a strict text a byte's
// edge is strict exactly where some strict text goes on with the byte.
//
// *After a text that is not strict* (no strict text begins like it), strictness means: the strict
// continuations of a strict text that leads to a state with the same continuations.
//   - Where there is one such state, the text leads to it.
//   - Where there are several, the text leads to a state of its own with the strict edges of all of
//     them.
// Example: after `"a\n` the same texts may follow as after `"a`, so the text leads to that state,
// and a completion may go on with `b`.
//
//   strict(q, b)  =  some strict text leads over q, then b
//                    (q: after the beginning of a strict text)
//   strict(q, b)  =  or of strict(p, b), for p after which the same texts may follow as after q
//                    (q: after anything else)
//
// *Modes.* A lexer with modes has a group of patterns for each mode. The groups share the states
// that they can, and each has a start of its own.
//
// Source: minimisation as in dfa_minimizer.h. The label of a state is the set of its matching
// patterns, the set of strictly matching ones, and whether a strict text goes on; the last is
// known from the automaton of both languages (a product of their minimal automata, minimised).
// Cost: as Dfa::Build on all patterns and forms, and a second minimisation of the result. Python's
// lexer: see docs/measured.md.
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

// The strict texts of a pattern: none, all of them, or the texts of a form.
struct StrictForm {
  enum class Kind : uint8_t { kNone, kItself, kForm } kind = Kind::kItself;
  Regex form = nullptr;  // kForm: its texts are texts of the pattern
};

struct StrictDfa {
  Dfa dfa;
  std::vector<std::bitset<256>> edges;  // [state][byte] may a strict text take it?
  // [state] the matching patterns that a strict text ends as, ascending
  std::vector<std::vector<uint16_t>> ends;
  std::vector<bool> goes_on;  // [state] after the beginning of a strict text?

  // Chooses the patterns that a written text ends as. Arguments: the patterns that match the text,
  // and among them those that match strictly, each ascending. Result: some of the second.
  using Ends =
      std::function<std::vector<uint16_t>(std::span<const uint16_t>, std::span<const uint16_t>)>;

  // One automaton with a start for each group of patterns: state 0 for the first one, Dfa::StartOf
  // for the others. No edge leads to a start. REQUIRES: at least one group, none empty; a form for
  // each pattern.
  // Error: more than `max_states` states arose (the message says so).
  [[nodiscard]] static tl::expected<StrictDfa, std::string> Build(
      std::span<const Regex> patterns, std::span<const StrictForm> forms,
      std::span<const std::vector<uint16_t>> groups, const Ends& ends, size_t max_states = 20000);
};

}  // namespace tenon::constraint
