#include "constraint/automata/dfa_minimizer.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tenon::constraint {
namespace {

struct InverseEdge {
  uint16_t byte_class = 0;
  uint16_t source = 0;
};

// Bytes whose columns are equal form a class. Returns one byte of each class.
std::vector<uint8_t> ClassRepresentatives(const DfaTable& dfa) {
  std::map<std::vector<uint16_t>, uint8_t> columns;
  std::vector<uint16_t> column(dfa.next.size());
  for (int byte = 0; byte < 256; ++byte) {
    for (size_t q = 0; q < dfa.next.size(); ++q)
      column[q] = dfa.next[q][static_cast<size_t>(byte)].value;
    columns.emplace(column, static_cast<uint8_t>(byte));
  }
  std::vector<uint8_t> representatives;
  for (const auto& [unused, byte] : columns) representatives.push_back(byte);
  return representatives;
}

// A partition of the states into blocks that can only get finer. Each block is a slice of
// `members_`; states that were marked stand at the front of their block's slice until SplitMarked.
class Partition {
 public:
  explicit Partition(const DfaTable& dfa)
      : members_(dfa.next.size()), place_(dfa.next.size()), block_of_(dfa.next.size()) {
    std::iota(members_.begin(), members_.end(), uint16_t{0});
    std::stable_sort(members_.begin(), members_.end(),
                     [&](uint16_t a, uint16_t b) { return dfa.accepts[a] < dfa.accepts[b]; });
    for (size_t i = 0; i < members_.size(); ++i) {
      if (i == 0 || dfa.accepts[members_[i - 1]] != dfa.accepts[members_[i]])
        blocks_.push_back({i, i, 0});
      blocks_.back().end = i + 1;
      place_[members_[i]] = i;
      block_of_[members_[i]] = static_cast<uint16_t>(blocks_.size() - 1);
    }
  }

  size_t size() const { return blocks_.size(); }
  uint16_t BlockOf(uint16_t state) const { return block_of_[state]; }
  size_t BlockSize(uint16_t block) const { return blocks_[block].end - blocks_[block].begin; }
  std::vector<uint16_t> Members(uint16_t block) const {
    return {members_.begin() + static_cast<ptrdiff_t>(blocks_[block].begin),
            members_.begin() + static_cast<ptrdiff_t>(blocks_[block].end)};
  }

  void Mark(uint16_t state) {
    Block& block = blocks_[block_of_[state]];
    const size_t to = block.begin + block.marked;
    if (place_[state] < to) return;
    if (block.marked == 0) touched_.push_back(block_of_[state]);
    const uint16_t other = members_[to];
    std::swap(members_[to], members_[place_[state]]);
    place_[other] = place_[state];
    place_[state] = to;
    ++block.marked;
  }

  // Makes the marked states of each touched block a new block, unless all are marked.
  // `on_split(old, new)`.
  template <typename OnSplit>
  void SplitMarked(OnSplit on_split) {
    for (const uint16_t old : touched_) {
      const size_t marked = std::exchange(blocks_[old].marked, 0);
      if (marked == BlockSize(old)) continue;
      const auto fresh = static_cast<uint16_t>(blocks_.size());
      blocks_.push_back({blocks_[old].begin, blocks_[old].begin + marked, 0});
      blocks_[old].begin += marked;
      for (size_t i = blocks_[fresh].begin; i < blocks_[fresh].end; ++i)
        block_of_[members_[i]] = fresh;
      on_split(old, fresh);
    }
    touched_.clear();
  }

 private:
  struct Block {
    size_t begin = 0, end = 0;
    size_t marked = 0;
  };
  std::vector<uint16_t> members_;
  std::vector<size_t> place_;
  std::vector<uint16_t> block_of_;
  std::vector<Block> blocks_;
  std::vector<uint16_t> touched_;
};

void Refine(const DfaTable& dfa, Partition& partition) {
  const std::vector<uint8_t> bytes = ClassRepresentatives(dfa);
  std::vector<std::vector<InverseEdge>> inverse(dfa.next.size());
  for (size_t q = 0; q < dfa.next.size(); ++q) {
    for (size_t c = 0; c < bytes.size(); ++c) {
      const DfaStateId target = dfa.next[q][bytes[c]];
      if (target != kDeadState)
        inverse[target.value].push_back({static_cast<uint16_t>(c), static_cast<uint16_t>(q)});
    }
  }
  // All blocks, not all but one: so states that lead to none of them are told apart, too (Valmari
  // and Lehtinen).
  std::vector<uint16_t> work(partition.size());
  std::iota(work.begin(), work.end(), uint16_t{0});
  std::vector<bool> queued(dfa.next.size(), false);
  std::fill_n(queued.begin(), work.size(), true);
  const auto on_split = [&](uint16_t old, uint16_t fresh) {
    const uint16_t add =
        queued[old] || partition.BlockSize(fresh) <= partition.BlockSize(old) ? fresh : old;
    queued[add] = true;
    work.push_back(add);
  };
  std::vector<std::vector<uint16_t>> sources(bytes.size());
  while (!work.empty()) {
    const uint16_t splitter = work.back();
    work.pop_back();
    queued[splitter] = false;
    // Collected first: the splitter itself may be split below.
    for (const uint16_t q : partition.Members(splitter)) {
      for (const InverseEdge& edge : inverse[q]) sources[edge.byte_class].push_back(edge.source);
    }
    for (std::vector<uint16_t>& of_class : sources) {
      for (const uint16_t q : of_class) partition.Mark(q);
      partition.SplitMarked(on_split);
      of_class.clear();
    }
  }
}

}  // namespace

DfaTable Minimize(const DfaTable& dfa) {
  Partition partition(dfa);
  Refine(dfa, partition);
  std::vector<DfaStateId> number(partition.size(), kDeadState);
  std::vector<uint16_t> order = {0};
  number[partition.BlockOf(0)] = kStartState;
  DfaTable result;
  size_t starts = 0;
  for (size_t i = 0; i < order.size() || starts < dfa.starts.size(); ++i) {
    if (i == order.size()) {
      const DfaStateId start = dfa.starts[starts++];
      number[partition.BlockOf(start.value)] = {static_cast<uint16_t>(i)};
      result.starts.push_back({static_cast<uint16_t>(i)});
      order.push_back(start.value);
    }
    const uint16_t q = order[i];
    result.accepts.push_back(dfa.accepts[q]);
    std::array<DfaStateId, 256>& row = result.next.emplace_back();
    for (size_t byte = 0; byte < 256; ++byte) {
      const DfaStateId target = dfa.next[q][byte];
      row[byte] = kDeadState;
      if (target == kDeadState) continue;
      DfaStateId& id = number[partition.BlockOf(target.value)];
      if (id == kDeadState) {
        id = {static_cast<uint16_t>(order.size())};
        order.push_back(target.value);
      }
      row[byte] = id;
    }
  }
  return result;
}

}  // namespace tenon::constraint
