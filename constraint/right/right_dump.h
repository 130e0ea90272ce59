// The right context as text: its automaton, and its demands on the tree above the gap.
//
// Example, of `tenon gap FILE --dump right` for R = `, "b")`:
//
//   node 2, at 0 `, "b")`
//     COMMA -> 3
//   node 3, at 2 `"b")`
//     STRING -> 4
//
// and of `--dump demand`: End nodes say where the gap may lie, Mid nodes which symbol holds it.
//
//   0 Mid  call: NAME LPAR arguments . RPAR
//       W: terminals|nothing
//       below: 1 2
//   1 End  arguments: arguments . COMMA argument
//       W: nothing
//
// Source: none. Cost: for a person: all nodes of the automaton that a start reaches are made.
// Thread rule: as of the object that is dumped.
#pragma once

#include <cstdint>
#include <string>

namespace tenon::constraint {

struct Grammar;
class DemandGraph;
struct DemandNode;
class RightContext;

// "terminals|nothing": the contents of W, the rest of the middle, when W meets R by one of these
// entries (GapEntry). kEntriesLegend says it in sentences.
[[nodiscard]] std::string EntriesText(uint8_t entries);
inline constexpr const char* kEntriesLegend =
    "W is what is still to be written. `terminals`: it holds one at least. `nothing`: it holds "
    "none.\n"
    "`line`: it holds none but the end of a line. `lexeme`: it is the beginning of a lexeme of "
    "R.\n";

// The automaton, from its starts to the end of R, each node once, nearest first.
[[nodiscard]] std::string Dump(RightContext& right);

[[nodiscard]] std::string Dump(const DemandGraph& graph, const Grammar& grammar);
// One node, without its number and its children: "End  call: NAME LPAR . RPAR".
[[nodiscard]] std::string Dump(const DemandNode& node, const Grammar& grammar);

}  // namespace tenon::constraint
