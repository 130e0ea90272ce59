#include "server/decode/ngram_drafts.h"

#include <algorithm>

namespace tenon::server {
namespace {

// [tokens that agree] tokens drafted.
constexpr size_t kDrafted[] = {0, 0, 2, 4, 7};
constexpr size_t kLongest = std::size(kDrafted) - 1;

// The number of tokens before position `at` that agree with the last tokens of `text`, at most
// kLongest.
size_t Agreeing(std::span<const TokenId> text, size_t at) {
  size_t agreeing = 0;
  while (agreeing < std::min(kLongest, at) &&
         text[at - 1 - agreeing] == text[text.size() - 1 - agreeing])
    ++agreeing;
  return agreeing;
}

}  // namespace

std::vector<TokenId> DraftAfter(std::span<const TokenId> text, size_t most,
                                const model::Tokenizer& tokenizer) {
  size_t best = 0, from = 0;
  for (size_t at = text.size(); at-- > 1 && best < kLongest;) {
    const size_t agreeing = Agreeing(text, at);
    if (agreeing <= best) continue;
    best = agreeing;
    from = at;
  }
  std::vector<TokenId> draft;
  for (size_t i = from; i < text.size() && draft.size() < std::min(most, kDrafted[best]); ++i) {
    if (tokenizer.IsControl(text[i])) break;
    draft.push_back(text[i]);
  }
  return draft;
}

}  // namespace tenon::server
