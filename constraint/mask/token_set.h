// Sets of tokens: a mask as a bitmap over token ids, and a pool of many small and large sets.
//
// Example: the set of all tokens that are digits has some hundred ids and is a list; the set of all
// tokens that may occur in a string has tens of thousands and is a bitmap.
//
// A mask has one bit a token, in the order of ids: word i holds the tokens 64 i to 64 i + 63. A set
// of the pool is a list of ids up to kMaxListed, and a bitmap above. Equal sets are kept once.
//
// Source: none. Cost: joining a set to a mask, its length or the number of words.
// Thread rule: a pool is immutable once built.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraint/base/base.h"
#include "constraint/mask/token_vocabulary.h"

namespace tenon::constraint {

class TokenMask {
 public:
  TokenMask() = default;
  explicit TokenMask(size_t tokens) : words_((tokens + 63) / 64) {}
  bool Allows(TokenId id) const { return words_[id.value / 64] >> id.value % 64 & 1; }
  std::span<const uint64_t> words() const { return words_; }
  std::span<uint64_t> words() { return words_; }
  void Add(TokenId id) { words_[id.value / 64] |= uint64_t{1} << id.value % 64; }
  void Remove(TokenId id) { words_[id.value / 64] &= ~(uint64_t{1} << id.value % 64); }
  size_t Count() const;
  bool operator==(const TokenMask&) const = default;

 private:
  std::vector<uint64_t> words_;
};

struct TokenSetId {
  uint32_t value = 0;
  auto operator<=>(const TokenSetId&) const = default;
};

class TokenSetPool {
 public:
  static constexpr size_t kMaxListed = 1024;

  explicit TokenSetPool(size_t tokens) : tokens_(tokens), words_((tokens + 63) / 64) {}
  // The set of `ids`, which come in any order and may repeat. Reorders `ids`.
  TokenSetId Intern(std::vector<TokenId>& ids);
  // The set of all ids in `parts`, in any order, repeated ids allowed.
  TokenSetId Intern(std::span<const std::span<const TokenId>> parts);
  // The union of the sets.
  TokenSetId Join(std::span<const TokenSetId> sets);
  size_t size() const { return sets_.size(); }
  size_t Count(TokenSetId id) const { return sets_[id.value].count; }
  void AppendTo(TokenSetId id, std::vector<TokenId>& out) const;
  // mask |= set.
  void JoinTo(TokenSetId id, TokenMask& mask) const;
  // JoinTo for each of many sets. The sets lie scattered in memory, so the next ones are prefetched
  // while one is joined.
  void JoinTo(std::span<const TokenSetId> sets, TokenMask& mask) const;
  // into |= from & set, or & ~set where `inverted`.
  void JoinWithin(TokenSetId id, bool inverted, const TokenMask& from, TokenMask& into) const;
  size_t memory_bytes() const {
    return lists_.size() * sizeof(TokenId) + bitmaps_.size() * sizeof(uint64_t);
  }

 private:
  template <typename>
  friend struct CacheFields;    // constraint/cache/archive.h
  friend class StoreInspector;  // constraint/cache/soundness.h
  // Sorts the ids and drops repeated ones.
  void SortOut(std::vector<TokenId>& ids);
  // `ids`: ascending, kMaxListed at most.
  TokenSetId InternSorted(std::span<const TokenId> ids);
  // The set whose bits fill(bitmap) sets.
  template <typename Fill>
  TokenSetId InternBitmap(const Fill& fill);
  struct Set {
    uint32_t begin = 0;  // into lists_, or into bitmaps_ in words
    uint32_t count = 0;
    bool dense = false;
  };
  size_t tokens_, words_;
  std::vector<Set> sets_;
  std::vector<TokenId> lists_;
  std::vector<uint64_t> bitmaps_;
  IdsByHash<TokenSetId> ids_;  // of the content
  std::vector<TokenId> scratch_;
  std::vector<uint64_t> marks_;  // no bit is set
};

}  // namespace tenon::constraint
