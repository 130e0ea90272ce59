#include "server/complete/gap_masks.h"

#include <algorithm>

namespace tenon::server {

namespace {

void Add(std::vector<uint64_t>& mask, size_t token) {
  if (token / 64 >= mask.size()) mask.resize(token / 64 + 1);
  mask[token / 64] |= uint64_t{1} << token % 64;
}

}  // namespace

bool GapMasks::Begin() {
  if (masker_) return true;
  std::optional<MaskStore> store = source_();
  if (!store) return false;
  masker_.emplace(*std::move(store));
  const Vocabulary& vocabulary = masker_->store().vocabulary();
  kept_.assign((vocabulary.size() + 63) / 64, 0);
  for (const model::TokenId end : ends_) Add(kept_, static_cast<size_t>(end));
  for (uint32_t token = 0; token < vocabulary.size(); ++token) {
    const std::string_view bytes = vocabulary.Bytes(token);
    if (!bytes.empty() && always_(bytes)) Add(kept_, token);
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
