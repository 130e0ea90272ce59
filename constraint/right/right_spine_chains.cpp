// Chains in the right spine: the elements of one list, replaced by the exits of the chain.
//
// Example: R is `a; b; c }` in a block. The list `statements` ends after each of the three
// statements, and each end has two parents: the list, which takes one more statement, and the
// block, which only `}` can end. The chain of these three vertices has one exit: the block.
#include <algorithm>

#include "constraint/base/base.h"
#include "constraint/right/right_spine.h"

namespace tenon::constraint {

std::optional<uint32_t> RightSpine::ChainOf(SpineVertexId id) {
  if (!index_.IsLeftRecursive(vertices_[id.value].dotted)) return std::nullopt;
  if (chain_of_[id.value] == kNone) ComputeChain(id);
  if (chain_of_[id.value] == kItself) return std::nullopt;
  return chain_of_[id.value];
}

uint32_t RightSpine::InternChain(std::vector<Parent> exits) {
  SortUnique(exits);
  uint64_t hash = exits.size();
  for (const Parent& p : exits) hash = HashWith(hash, p.vertex.value);
  const auto is_same = [&](uint32_t id) { return chains_[id] == exits; };
  return chain_ids_.FindOrAdd(hash, is_same, [&] {
    chains_.push_back(std::move(exits));
    return static_cast<uint32_t>(chains_.size() - 1);
  });
}

// A vertex of a chain, and its parents that are not of the chain.
struct RightSpine::ChainStep {
  SpineVertexId vertex;
  std::vector<Parent> exits;
};

// Walks up the chain from `at` while it does not fork; returns the vertices passed. `at` is then
// the first vertex that has a chain, or that no chain replaces.
std::vector<RightSpine::ChainStep> RightSpine::ClimbChain(SpineVertexId& at) {
  const auto is_full = [](const Parent& p) { return p.lo == 0 && p.hi == kMaxColumn; };
  std::vector<ChainStep> path;
  while (chain_of_[at.value] == kNone) {
    std::vector<Parent> parents = ParentsOf(at).parents;
    chain_of_[at.value] = kItself;  // a cycle back to here meets a vertex without a chain
    if (!std::all_of(parents.begin(), parents.end(), is_full)) break;
    auto first = std::stable_partition(parents.begin(), parents.end(),
                                       [&](const Parent& p) { return !SameList(p.vertex, at); });
    if (parents.end() - first != 1) {
      // The chain ends or forks: its list vertices stay parents like any other.
      chain_of_[at.value] = InternChain(std::move(parents));
      break;
    }
    const SpineVertexId next = first->vertex;
    parents.erase(first, parents.end());
    path.push_back({at, std::move(parents)});
    at = next;
  }
  return path;
}

// Walks up the chain, then back down: every vertex met gets its exits. Where chains fork, each
// vertex walks by itself.
uint32_t RightSpine::ComputeChain(SpineVertexId id) {
  SpineVertexId at = id;
  std::vector<ChainStep> path = ClimbChain(at);
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    std::vector<Parent> exits = std::move(step->exits);
    const uint32_t above = chain_of_[at.value];
    if (above != kItself && exits.empty()) {
      chain_of_[step->vertex.value] = above;
    } else {
      if (above == kItself)
        exits.push_back({at});
      else
        exits.insert(exits.end(), chains_[above].begin(), chains_[above].end());
      chain_of_[step->vertex.value] = InternChain(std::move(exits));
    }
    at = step->vertex;
  }
  return chain_of_[id.value];
}

}  // namespace tenon::constraint
