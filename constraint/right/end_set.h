// A set of nodes of R's automaton: where something ends.
//
// One bit a node, from the least to the greatest of them: what ends close to where it began takes few words.
// Source: none. Cost: 8 bytes and an operation for 64 nodes between the least and the greatest. Thread rule: immutable while shared.
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
    for (size_t w = 0; w < other.words_.size(); ++w) words_[other.first_ - first_ + w] |= other.words_[w];
  }
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      for (uint64_t left = words_[w]; left != 0; left &= left - 1)
        visit(RightNodeId{static_cast<uint32_t>((first_ + w) * 64 + static_cast<size_t>(std::countr_zero(left)))});
    }
  }
  // Those that `held()` does not hold when it is their turn: it is asked again behind each visit.
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
  // Those that `known` does not hold; `known` then does.
  template <typename Visit>
  void ForEachNew(EndSet& known, Visit visit) const {
    if (words_.empty()) return;
    known.Cover(first_, first_ + static_cast<uint32_t>(words_.size()));
    for (size_t w = 0; w < words_.size(); ++w) {
      uint64_t& met = known.words_[first_ - known.first_ + w];
      uint64_t left = words_[w] & ~met;
      met |= left;
      for (; left != 0; left &= left - 1)
        visit(RightNodeId{static_cast<uint32_t>((first_ + w) * 64) + static_cast<uint32_t>(std::countr_zero(left))});
    }
  }
  bool empty() const { return words_.empty(); }
  size_t words() const { return words_.size(); }
  bool operator==(const EndSet&) const = default;  // of sets made in whatever order: neither end of words_ is 0

 private:
  uint64_t WordAt(uint32_t word) const {
    return word >= first_ && word - first_ < words_.size() ? words_[word - first_] : 0;
  }
  // Makes room for the words [begin, end), each of which will hold a bit at both of its ends.
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
