#include "server/decode/gap_masks.h"

#include <algorithm>

namespace tenon::server {

namespace {

void Add(std::vector<uint64_t>& mask, TokenId token) {
  const uint32_t word = token.value / 64;
  if (word >= mask.size()) mask.resize(word + 1);
  mask[word] |= uint64_t{1} << token.value % 64;
}

}  // namespace

bool GapMasks::Begin() {
  if (masker_) return true;
  std::optional<MaskStore> store = source_();
  if (!store) return false;
  masker_.emplace(*std::move(store));
  const Vocabulary& vocabulary = masker_->store().vocabulary();
  kept_.assign((vocabulary.size() + 63) / 64, 0);
  for (const TokenId end : ends_) Add(kept_, end);
  for (uint32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view bytes = vocabulary.Bytes(TokenId{id});
    if (!bytes.empty() && always_(bytes)) Add(kept_, TokenId{id});
  }
  return true;
}

model::TokenBits GapMasks::Of(const Gap& gap, std::string_view healed) {
  if (!Begin()) return {};
  mask_ = kept_;
  const auto add = [this](std::span<const uint64_t> more) {
    for (size_t word = 0; word < more.size(); ++word) mask_[word] |= more[word];
  };
  if (healed.empty())
    add(masker_->Of(gap));
  else
    add(masker_->store().vocabulary().MaskAlong(healed));
  return mask_;
}

}  // namespace tenon::server
