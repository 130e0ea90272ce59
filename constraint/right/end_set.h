// A set of nodes of R's automaton: the positions at which a construct can end.
//
// One bit a node, stored from the first to the last word that is not 0. The set {1, 3, 5} is one
// word, and so is {1000, 1003}: a construct that ends near its beginning takes few words.
//
// Source: none. Cost: 8 bytes and one operation for 64 nodes between the least and the greatest.
// Thread rule: immutable while shared.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "constraint/right/right_automaton.h"

namespace tenon::constraint {

class EndSet {
 public:
  void Insert(RightNodeId id) {
    Cover(id.value / 64, id.value / 64 + 1);
    words_[id.value / 64 - first_] |= uint64_t{1} << id.value % 64;
  }
  void Merge(const EndSet& other) {
    if (other.words_.empty()) return;
    Cover(other.first_, other.first_ + static_cast<uint32_t>(other.words_.size()));
    for (size_t w = 0; w < other.words_.size(); ++w)
      words_[other.first_ - first_ + w] |= other.words_[w];
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      for (uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(RightNodeId{static_cast<uint32_t>((first_ + w) * 64 +
                                                static_cast<size_t>(std::countr_zero(left)))});
    }
  }
  // Visits the nodes that are not in `held()` at their turn; held() is called again after each
  // visit.
  template <typename Held, typename Visit>
  void ForEachBeyond(Held held, Visit visit) const {
    for (uint32_t w = 0; w < words_.size(); ++w) {
      uint64_t waiting = words_[w];
      while ((waiting &= ~held().WordAt(first_ + w)) != 0) {
        visit(RightNodeId{(first_ + w) * 64 + static_cast<uint32_t>(std::countr_zero(waiting))});
        waiting &= waiting - 1;
      }
    }
  }
  // Visits the nodes that are not in `known`, and adds them to it.
  template <typename Visit>
  void ForEachNew(EndSet& known, Visit visit) const {
    if (words_.empty()) return;
    known.Cover(first_, first_ + static_cast<uint32_t>(words_.size()));
    for (size_t w = 0; w < words_.size(); ++w) {
      uint64_t& met = known.words_[first_ - known.first_ + w];
      uint64_t left = words_[w] & ~met;
      met |= left;
      for (; left != 0; left &= left - 1)
        visit(RightNodeId{static_cast<uint32_t>((first_ + w) * 64) +
                          static_cast<uint32_t>(std::countr_zero(left))});
    }
  }
  bool empty() const { return words_.empty(); }
  size_t words() const { return words_.size(); }
  // Independent of the order of insertion: neither the first nor the last word is 0.
  bool operator==(const EndSet&) const = default;

 private:
  uint64_t WordAt(uint32_t word) const {
    return word >= first_ && word - first_ < words_.size() ? words_[word - first_] : 0;
  }
  // Makes room for the words [begin, end); the caller sets a bit in the first and in the last of
  // them.
  void Cover(uint32_t begin, uint32_t end) {
    if (words_.empty()) first_ = begin;
    if (begin < first_) {
      words_.insert(words_.begin(), first_ - begin, 0);
      first_ = begin;
    }
    if (end - first_ > words_.size()) words_.resize(end - first_);
  }

  uint32_t first_ = 0;  // the words before are 0
  std::vector<uint64_t> words_;
};

}  // namespace tenon::constraint
