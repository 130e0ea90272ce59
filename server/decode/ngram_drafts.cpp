#include "server/decode/ngram_drafts.h"

#include <algorithm>

namespace tenon::server {
namespace {

// [tokens that agree] tokens drafted.
constexpr size_t kDrafted[] = {0, 0, 2, 4, 7};
constexpr size_t kLongest = std::size(kDrafted) - 1;

// The number of tokens of `where` before position `at` that agree with the last tokens of `text`,
// at most kLongest.
size_t Agreeing(std::span<const TokenId> text, std::span<const TokenId> where, size_t at) {
  const size_t most = std::min({kLongest, at, text.size()});
  size_t agreeing = 0;
  while (agreeing < most && where[at - 1 - agreeing] == text[text.size() - 1 - agreeing])
    ++agreeing;
  return agreeing;
}

// A place whose tokens may follow.
struct Place {
  std::span<const TokenId> where;
  size_t from = 0;
  size_t agreeing = 0;
};

// Looks for a better place in where[0, end), from its end.
void Improve(Place& best, std::span<const TokenId> text, std::span<const TokenId> where,
             size_t end) {
  for (size_t at = end; at-- > 1 && best.agreeing < kLongest;) {
    if (where[at - 1] != text.back()) continue;
    const size_t agreeing = Agreeing(text, where, at);
    if (agreeing > best.agreeing) best = {where, at, agreeing};
  }
}

}  // namespace

std::vector<TokenId> DraftAfter(std::span<const TokenId> text, size_t most,
                                const model::Tokenizer& tokenizer,
                                std::span<const std::span<const TokenId>> others) {
  std::vector<TokenId> draft;
  if (text.empty() || most == 0) return draft;
  Place best{text};
  Improve(best, text, text, text.size());
  for (const std::span<const TokenId> other : others) Improve(best, text, other, other.size());
  for (size_t i = best.from;
       i < best.where.size() && draft.size() < std::min(most, kDrafted[best.agreeing]); ++i) {
    if (tokenizer.IsControl(best.where[i])) break;
    draft.push_back(best.where[i]);
  }
  return draft;
}

}  // namespace tenon::server
