// A nondeterministic automaton over bytes for several regular expressions at once.
//
// The step between a syntax tree and the DFA: each operator of an expression becomes a few states,
// in time linear in the expression. A state is one of three kinds: edges on ranges of bytes, a
// split into two states without reading, or the acceptance of a pattern. Example: `a*b`
//
//   start: split --> [a] --> back to the split
//            |
//            +-----> [b] --> accept 0
//
// A set of code points becomes a small acyclic graph of byte ranges (utf8_ranges.h). Equal suffixes
// of its sequences are shared: all two-byte letters end in the one state with the edge [80-BF].
//
// Source: Thompson, Regular expression search algorithm, CACM 1968; for the sets Cox,
// https://swtch.com/~rsc/regexp/regexp3.html.
// Cost: about 40 bytes a state; \p{XID_Continue} takes about 300 states. Thread rule: immutable
// after Build.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/automata/regex.h"

namespace tenon::constraint {

struct NfaStateId {
  uint32_t value = 0;
  auto operator<=>(const NfaStateId&) const = default;
};

struct NfaEdge {
  uint8_t first = 0;
  uint8_t last = 0;  // inclusive
  NfaStateId target;
  auto operator<=>(const NfaEdge&) const = default;
};

enum class NfaKind : uint8_t { kEdges, kSplit, kAccept };

struct NfaState {
  NfaKind kind = NfaKind::kEdges;
  uint32_t edge_begin = 0, edge_count = 0;  // kEdges: into Nfa::edges
  NfaStateId left, right;                   // kSplit
  uint16_t pattern = 0;                     // kAccept
};

struct Nfa {
  std::vector<NfaState> states;
  std::vector<NfaEdge> edges;
  std::vector<NfaStateId> starts;  // one a pattern

  // Error: the patterns need too many states (huge repetitions of large classes).
  [[nodiscard]] static tl::expected<Nfa, std::string> Build(std::span<const Regex> patterns);

  std::span<const NfaEdge> EdgesOf(const NfaState& state) const {
    return std::span(edges).subspan(state.edge_begin, state.edge_count);
  }
};

}  // namespace tenon::constraint
