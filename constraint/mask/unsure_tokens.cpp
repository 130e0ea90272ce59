#include "constraint/mask/unsure_tokens.h"

#include <bit>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

UnsureTokens::SetId UnsureTokens::Of(const TokenMask& always, const TokenMask& ever) {
  if (ranks_.empty()) {
    ranks_.resize(vocabulary_.size());
    for (uint32_t i = 0; i < vocabulary_.sorted().size(); ++i)
      ranks_[vocabulary_.sorted()[i].value] = i;
  }
  Set made{std::vector<uint64_t>((ranks_.size() + 63) / 64), 0};
  for (size_t w = 0; w < ever.words().size(); ++w) {
    for (uint64_t bits = ever.words()[w] & ~always.words()[w]; bits != 0; bits &= bits - 1) {
      const uint32_t rank = ranks_[w * 64 + static_cast<size_t>(std::countr_zero(bits))];
      made.ranks[rank / 64] |= uint64_t{1} << rank % 64;
      ++made.count;
    }
  }
  const auto is_same = [&](uint32_t id) { return sets_[id].ranks == made.ranks; };
  return {ids_.FindOrAdd(HashOf(std::span<const uint64_t>(made.ranks)), is_same, [&] {
    sets_.push_back(std::move(made));
    return static_cast<uint32_t>(sets_.size() - 1);
  })};
}

size_t UnsureTokens::CountIn(SetId id, uint32_t begin, uint32_t end) const {
  if (begin == end) return 0;
  const std::vector<uint64_t>& ranks = sets_[id.value].ranks;
  const uint32_t first = begin / 64, last = (end - 1) / 64;
  const uint64_t from = ~uint64_t{0} << begin % 64, to = ~uint64_t{0} >> (63 - (end - 1) % 64);
  if (first == last) return static_cast<size_t>(std::popcount(ranks[first] & from & to));
  auto count =
      static_cast<size_t>(std::popcount(ranks[first] & from) + std::popcount(ranks[last] & to));
  for (uint32_t w = first + 1; w < last; ++w) count += static_cast<size_t>(std::popcount(ranks[w]));
  return count;
}

void UnsureTokens::Forget() {
  sets_.clear();
  ids_.Clear();
}

}  // namespace tenon::constraint
