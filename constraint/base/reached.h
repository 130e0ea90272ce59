// The nodes of a graph that paths from some nodes lead to, those nodes included.
//
// Example: with the edges 0 -> 1 -> 2 and 3 -> 2 the nodes reached from {1} are {1, 2}. With the
// edges turned round they are the nodes from which 1 can be reached: {0, 1}.
//
// Source: depth-first search. Cost: linear in the edges. Thread rule: a pure function.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tenon::constraint {

// [node] is it reached from one of `from`? `edges`: [node] the nodes that an edge leads to.
inline std::vector<bool> ReachedFrom(std::vector<uint16_t> from,
                                     const std::vector<std::vector<uint16_t>>& edges) {
  std::vector<bool> reached(edges.size());
  for (const uint16_t node : from) reached[node] = true;
  std::vector<uint16_t> work = std::move(from);
  while (!work.empty()) {
    const uint16_t node = work.back();
    work.pop_back();
    for (const uint16_t next : edges[node]) {
      if (!reached[next]) work.push_back(next);
      reached[next] = true;
    }
  }
  return reached;
}

}  // namespace tenon::constraint
