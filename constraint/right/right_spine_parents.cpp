// Parents of ended items in the right spine.
//
// Example: in `foo(a, |b)` the item args -> args "," . arg advances over `b` and ends before `)`.
// Its parent is call -> NAME "(" args . ")": the item that has just passed an `args`.
#include <algorithm>

#include <boost/container/small_vector.hpp>

#include "constraint/base/base.h"
#include "constraint/right/right_spine.h"

namespace tenon::constraint {

namespace {

// The vertices that a walk has met, each with its interval of columns. The first few are searched
// one by one, the others by their hash.
class MetVertices {
 public:
  // True: it was met before.
  bool Meet(const RightSpine::Parent& p) {
    if (std::find(few_.begin(), few_.end(), p) != few_.end()) return true;
    if (few_.size() == kFew)
      return !more_
                  .insert(static_cast<uint64_t>(p.vertex.value) << 32 | uint64_t{p.lo} << 16 | p.hi)
                  .second;
    few_.push_back(p);
    return false;
  }

 private:
  static constexpr size_t kFew = 32;
  boost::container::small_vector<RightSpine::Parent, 16> few_;
  boost::unordered_flat_set<uint64_t, KeyHash> more_;
};

}  // namespace

bool RightSpine::SameList(SpineVertexId a, SpineVertexId b) const {
  DottedId x = vertices_[a.value].dotted, y = vertices_[b.value].dotted;
  return index_.IsLeftRecursive(x) && index_.IsLeftRecursive(y) &&
         index_.Head(index_.dotted(x).rule) == index_.Head(index_.dotted(y).rule);
}

// The vertices with item `wanted` that an end of the list leads to.
void RightSpine::FollowVia(SpineVertexId list, DottedId wanted, std::vector<SpineVertexId>& found) {
  std::vector<SpineVertexId> work{list}, seen{list};
  auto visit = [&](const Parent& parent) {
    const GrammarIndex::Dotted& item = index_.dotted(vertices_[parent.vertex.value].dotted);
    if (vertices_[parent.vertex.value].dotted == wanted) {
      found.push_back(parent.vertex);
    } else if (item.next == GrammarIndex::kComplete && item.dot == 1 &&
               index_.Head(item.rule) ==
                   index_.dotted(DottedId{wanted.value - 1}).next) {  // the list by its other name
      for (const Parent& above : ParentsOf(parent.vertex).parents) {
        if (vertices_[above.vertex.value].dotted == wanted) found.push_back(above.vertex);
      }
    }
    if (!SameList(parent.vertex, list) ||
        std::find(seen.begin(), seen.end(), parent.vertex) != seen.end())
      return;
    seen.push_back(parent.vertex);
    work.push_back(parent.vertex);
  };
  while (!work.empty()) {
    SpineVertexId at = work.back();
    work.pop_back();
    if (auto chain = ChainOf(at)) {
      for (const Parent& parent : chains_[*chain]) visit(parent);
    } else {
      for (const Parent& parent : ParentsOf(at).parents) visit(parent);
    }
  }
}

// Follows advance, end-set and via links from the vertex; every parent link met is a parent. The
// interval of a block is that of the last DEDENT scanned before.
RightSpine::Parents RightSpine::ParentsOf(SpineVertexId id) {
  Parents out;
  boost::container::small_vector<Parent, 16> work{{id}};
  MetVertices met;
  std::vector<SpineVertexId> ends;  // of the list that a via link leads to
  while (!work.empty()) {
    Parent at = work.back();
    work.pop_back();
    if (met.Meet(at)) continue;
    const Vertex vertex = vertices_[at.vertex.value];
    const DottedId next{vertex.dotted.value + 1};
    if (IsRoot(vertex)) out.roots.push_back(at);
    for (uint32_t i = vertex.links_begin; i < vertex.links_end; ++i) {
      const Link link = links_[i];
      switch (link.kind) {
        case LinkKind::kParent:
          if (live_[link.to.value]) out.parents.push_back({link.to, at.lo, at.hi});
          break;
        case LinkKind::kAdvance: {
          if (!live_[link.to.value]) break;
          bool closes = link.lo != 0 || link.hi != kMaxColumn;
          work.push_back({link.to, closes ? link.lo : at.lo, closes ? link.hi : at.hi});
          break;
        }
        case LinkKind::kEnds:
          construct_ends_.set(EndSetId{link.to.value}).ForEach([&](RightNodeId end) {
            auto to = ids_.find(Key(end, next));
            if (to != ids_.end() && live_[to->second])
              work.push_back({SpineVertexId{to->second}, at.lo, at.hi});
          });
          break;
        case LinkKind::kVia:
          if (!live_[link.to.value]) break;
          ends.clear();
          FollowVia(link.to, next, ends);
          for (SpineVertexId to : ends) work.push_back({to, at.lo, at.hi});
      }
    }
  }
  SortUnique(out.parents);
  return out;
}

}  // namespace tenon::constraint
