#include "constraint/mask/token_set.h"

#include <algorithm>
#include <bit>

#include "constraint/base/base.h"

namespace tenon::constraint {

size_t TokenMask::Count() const {
  size_t count = 0;
  for (uint64_t word : words_) count += static_cast<size_t>(std::popcount(word));
  return count;
}

namespace {

void SetBits(std::span<const TokenId> ids, uint64_t* bitmap) {
  for (TokenId t : ids) bitmap[t.value / 64] |= uint64_t{1} << t.value % 64;
}

void AppendBits(std::span<const uint64_t> bitmap, std::vector<TokenId>& ids) {
  for (size_t w = 0; w < bitmap.size(); ++w) {
    for (uint64_t bits = bitmap[w]; bits; bits &= bits - 1)
      ids.push_back(
          TokenId{static_cast<uint32_t>(w * 64 + static_cast<size_t>(std::countr_zero(bits)))});
  }
}

}  // namespace

// Many are sorted as bits.
void TokenSetPool::SortOut(std::vector<TokenId>& ids) {
  constexpr size_t kFew = 96;
  if (ids.size() <= kFew) {
    SortUnique(ids);
    return;
  }
  marks_.resize(words_);
  SetBits(ids, marks_.data());
  ids.clear();
  AppendBits(marks_, ids);
  for (TokenId t : ids) marks_[t.value / 64] = 0;
}

TokenSetId TokenSetPool::Intern(std::vector<TokenId>& ids) {
  if (ids.size() > kMaxListed) return InternBitmap([&](uint64_t* bitmap) { SetBits(ids, bitmap); });
  SortOut(ids);
  return InternSorted(ids);
}

TokenSetId TokenSetPool::Intern(std::span<const std::span<const TokenId>> parts) {
  size_t total = 0;
  for (std::span<const TokenId> part : parts) total += part.size();
  if (total > kMaxListed) {
    return InternBitmap([&](uint64_t* bitmap) {
      for (std::span<const TokenId> part : parts) SetBits(part, bitmap);
    });
  }
  scratch_.clear();
  for (std::span<const TokenId> part : parts)
    scratch_.insert(scratch_.end(), part.begin(), part.end());
  SortOut(scratch_);
  return InternSorted(scratch_);
}

TokenSetId TokenSetPool::Join(std::span<const TokenSetId> sets) {
  if (sets.size() == 1) return sets[0];
  size_t total = 0;
  for (TokenSetId set : sets) total += Count(set);
  if (total <= kMaxListed) {
    scratch_.clear();
    for (TokenSetId set : sets) AppendTo(set, scratch_);
    SortOut(scratch_);
    return InternSorted(scratch_);
  }
  return InternBitmap([&](uint64_t* bitmap) {
    for (TokenSetId id : sets) {
      const Set& set = sets_[id.value];
      if (!set.dense) SetBits(std::span(lists_).subspan(set.begin, set.count), bitmap);
      for (size_t w = 0; set.dense && w < words_; ++w) bitmap[w] |= bitmaps_[set.begin + w];
    }
  });
}

TokenSetId TokenSetPool::InternSorted(std::span<const TokenId> ids) {
  const auto is_same = [&](TokenSetId id) {
    const Set& set = sets_[id.value];
    return !set.dense && set.count == ids.size() &&
           std::equal(ids.begin(), ids.end(), lists_.begin() + set.begin);
  };
  return ids_.FindOrAdd(HashOf(std::span(ids)), is_same, [&] {
    const auto begin = static_cast<uint32_t>(lists_.size());
    lists_.insert(lists_.end(), ids.begin(), ids.end());
    sets_.push_back({begin, static_cast<uint32_t>(ids.size()), false});
    return TokenSetId{static_cast<uint32_t>(sets_.size() - 1)};
  });
}

// A bitmap sorts many ids for nothing.
template <typename Fill>
TokenSetId TokenSetPool::InternBitmap(const Fill& fill) {
  const size_t begin = bitmaps_.size();
  bitmaps_.resize(begin + words_);
  uint64_t* bitmap = bitmaps_.data() + begin;
  fill(bitmap);
  size_t count = 0;
  for (size_t w = 0; w < words_; ++w) count += static_cast<size_t>(std::popcount(bitmap[w]));
  if (count <= kMaxListed) {
    scratch_.clear();
    AppendBits(std::span(bitmap, words_), scratch_);
    bitmaps_.resize(begin);
    return InternSorted(scratch_);
  }
  const auto is_same = [&](TokenSetId id) {
    const Set& set = sets_[id.value];
    return set.dense && set.count == count &&
           std::equal(bitmap, bitmap + words_, bitmaps_.data() + set.begin);
  };
  const TokenSetId id = ids_.FindOrAdd(HashOf(std::span(bitmap, words_)), is_same, [&] {
    sets_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(count), true});
    return TokenSetId{static_cast<uint32_t>(sets_.size() - 1)};
  });
  if (sets_[id.value].begin != begin) bitmaps_.resize(begin);  // it was there before
  return id;
}

void TokenSetPool::AppendTo(TokenSetId id, std::vector<TokenId>& out) const {
  const Set& set = sets_[id.value];
  if (!set.dense) {
    out.insert(out.end(), lists_.begin() + set.begin, lists_.begin() + set.begin + set.count);
    return;
  }
  AppendBits(std::span(bitmaps_).subspan(set.begin, words_), out);
}

void TokenSetPool::JoinTo(TokenSetId id, TokenMask& mask) const {
  const Set& set = sets_[id.value];
  uint64_t* words = mask.words().data();
  if (!set.dense) {
    const TokenId* list = lists_.data() + set.begin;
    for (uint32_t i = 0; i < set.count; ++i)
      words[list[i].value / 64] |= uint64_t{1} << list[i].value % 64;
    return;
  }
  const uint64_t* bitmap = bitmaps_.data() + set.begin;
  for (size_t i = 0; i < words_; ++i) words[i] |= bitmap[i];
}

void TokenSetPool::JoinTo(std::span<const TokenSetId> sets, TokenMask& mask) const {
  constexpr size_t kAhead = 8, kLine = 64 / sizeof(TokenId);
  for (size_t i = 0; i < std::min(2 * kAhead, sets.size()); ++i)
    __builtin_prefetch(&sets_[sets[i].value]);
  for (size_t i = 0; i < sets.size(); ++i) {
    if (i + 2 * kAhead < sets.size()) __builtin_prefetch(&sets_[sets[i + 2 * kAhead].value]);
    if (i + kAhead < sets.size()) {
      const Set& ahead = sets_[sets[i + kAhead].value];
      const TokenId* list = lists_.data() + ahead.begin;
      for (size_t k = 0; !ahead.dense && k < std::min<size_t>(ahead.count, 4 * kLine); k += kLine)
        __builtin_prefetch(list + k);
    }
    JoinTo(sets[i], mask);
  }
}

void TokenSetPool::JoinWithin(TokenSetId id, bool inverted, const TokenMask& from,
                              TokenMask& into) const {
  const Set& set = sets_[id.value];
  uint64_t* words = into.words().data();
  const uint64_t* source = from.words().data();
  if (set.dense) {
    const uint64_t* bitmap = bitmaps_.data() + set.begin;
    const uint64_t flip = inverted ? ~uint64_t{0} : 0;
    for (size_t i = 0; i < words_; ++i) words[i] |= source[i] & (bitmap[i] ^ flip);
    return;
  }
  const TokenId* list = lists_.data() + set.begin;
  if (!inverted) {
    for (uint32_t i = 0; i < set.count; ++i) {
      uint64_t bit = uint64_t{1} << list[i].value % 64;
      words[list[i].value / 64] |= source[list[i].value / 64] & bit;
    }
    return;
  }
  uint32_t i = 0;
  for (size_t w = 0; w < words_; ++w) {
    uint64_t out = 0;
    for (; i < set.count && list[i].value / 64 == w; ++i) out |= uint64_t{1} << list[i].value % 64;
    words[w] |= source[w] & ~out;
  }
}

}  // namespace tenon::constraint
