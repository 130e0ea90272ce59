// The ids of things of which each is kept once, found by the hash of their content.
//
// Example: lists are kept in `lists`, and a list's id is its place there. Of an equal list the
// known id is returned, and nothing is added:
//
//   ids.FindOrAdd(HashOf(std::span(list)), [&](uint32_t id) { return lists[id] == list; }, [&] {
//     lists.push_back(list);
//     return static_cast<uint32_t>(lists.size() - 1);
//   });
//
// The things stay with their owner: here are ids alone, 4 bytes each, and the hash of each thing.
//
// Cost: one look-up, and a comparison with each thing of the same hash. Thread rule: one thread at
// a time.
#pragma once

#include <cstdint>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

namespace tenon::constraint {

template <typename Id>
class IdsByHash {
 public:
  // The id of the thing with this hash for which `is_same(id)` holds; else that which `add()` gives
  // it. REQUIRES: `add` asks nothing of this object.
  template <typename IsSame, typename Add>
  Id FindOrAdd(uint64_t hash, const IsSame& is_same, const Add& add) {
    auto& same = ids_[hash];
    for (const Id id : same) {
      if (is_same(id)) return id;
    }
    same.push_back(add());
    return same.back();
  }
  void Clear() { ids_.clear(); }

 private:
  boost::unordered_flat_map<uint64_t, boost::container::small_vector<Id, 1>> ids_;
};

}  // namespace tenon::constraint
