// The masks of a gap: equal masks are kept once, and each is found again by the numbers that it was
// made of.
//
// Example: the mask after `foo(a|` is the union of the pieces 7 and 12. It is made once, and kept
// under the list (7, 12). After `foo(b|` the pieces are the same, so the mask is found under that
// list.
//
// A list is of one *kind*, which says what its numbers mean. Lists of different kinds are never
// compared.
//
// Source: none. Cost: a mask met before, a hash of its list; a mask takes a bit for each token.
// Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/mask/token_set.h"

namespace tenon::constraint {

class KeptMasks {
 public:
  using Index = uint32_t;
  static constexpr Index kNothing = 0;  // the mask that allows nothing

  // The numbers of a list: pieces with their filters; masks; one mask, which is limited to a line;
  // a mask, and a list of tokens that it gets (NamedTokens).
  enum class Kind : uint8_t { kPieces, kMasks, kWithinLine, kWithTokens };

  // `tokens`: the size of the vocabulary.
  explicit KeptMasks(size_t tokens) : tokens_(tokens) { Forget(); }

  void Forget() {
    masks_.assign(1, TokenMask(tokens_));
    by_content_.Clear();
    for (Lists& lists : lists_) lists.clear();
  }
  const TokenMask& operator[](Index index) const { return masks_[index]; }
  Index Keep(TokenMask mask) {
    const auto is_same = [&](Index index) { return masks_[index] == mask; };
    return by_content_.FindOrAdd(HashOf(mask.words()), is_same, [&] {
      masks_.push_back(std::move(mask));
      return static_cast<Index>(masks_.size() - 1);
    });
  }
  // The mask kept under a list of numbers; `make` fills an empty one the first time.
  template <typename Make>
  Index Of(Kind kind, std::span<const uint64_t> list, Make make) {
    auto& same = lists_[static_cast<size_t>(kind)][HashOf(list)];
    for (const auto& [other, mask] : same) {
      if (std::equal(other.begin(), other.end(), list.begin(), list.end())) return mask;
    }
    ++made_;
    TokenMask made(tokens_);
    make(made);
    same.emplace_back(std::vector<uint64_t>(list.begin(), list.end()), Keep(std::move(made)));
    return same.back().second;
  }
  size_t made() const { return made_; }  // masks made by Of
  size_t memory_bytes() const { return masks_.size() * tokens_ / 8; }

 private:
  // [hash of a list] the lists that have it, each with its mask
  using Lists =
      boost::unordered_flat_map<uint64_t, std::vector<std::pair<std::vector<uint64_t>, Index>>>;

  size_t tokens_;
  std::vector<TokenMask> masks_;
  IdsByHash<Index> by_content_;
  std::array<Lists, 4> lists_;  // [Kind]
  size_t made_ = 0;
};

}  // namespace tenon::constraint
