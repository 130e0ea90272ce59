#include "server/complete/gap_masks.h"

#include <algorithm>

namespace tenon::server {

namespace {

void Add(std::vector<uint64_t>& mask, size_t token) {
  if (token / 64 >= mask.size()) mask.resize(token / 64 + 1);
  mask[token / 64] |= uint64_t{1} << token % 64;
}

}  // namespace

bool GapMasks::Begin(const constraint::GapState& state) {
  if (vocabulary_) return true;
  if (source_.vocabulary) {
    if (!(vocabulary_ = source_.vocabulary())) return false;
    expression_.emplace(state, vocabulary_);
  } else {
    const std::shared_ptr<const constraint::MaskStore> store = source_.store();
    if (!store) return false;
    masker_.emplace(store, state);
    vocabulary_ = store->shared_vocabulary();
  }
  kept_.assign((vocabulary_->size() + 63) / 64, 0);
  for (const model::TokenId end : ends_) Add(kept_, static_cast<size_t>(end));
  for (const constraint::TokenId token : vocabulary_->sorted()) {
    if (always_(vocabulary_->Bytes(token))) Add(kept_, token.value);
  }
  return true;
}

model::TokenBits GapMasks::Of(const constraint::GapState& state, std::string_view healed) {
  if (!Begin(state)) return {};
  mask_ = kept_;
  if (!healed.empty()) {
    AddAlong(healed);
    return mask_;
  }
  const std::span<const uint64_t> viable =
      (masker_ ? masker_->Of(state) : expression_->Of(state)).words();
  for (size_t word = 0; word < viable.size(); ++word) mask_[word] |= viable[word];
  return mask_;
}

void GapMasks::AddAlong(std::string_view text) {
  const constraint::TokenVocabulary& vocabulary = *vocabulary_;
  const std::span<const constraint::TokenVocabulary::Node> nodes = vocabulary.nodes();
  const auto add_run = [&](uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; ++i) Add(mask_, vocabulary.sorted()[i].value);
  };
  uint32_t node = 0, end = static_cast<uint32_t>(vocabulary.node_count());
  for (size_t depth = 0; depth < text.size(); ++depth) {
    const auto byte = static_cast<uint8_t>(text[depth]);
    while (node < end && nodes[node].byte != byte) node = nodes[node].end;
    if (node >= end) return;
    const bool whole = depth + 1 == text.size();
    add_run(nodes[node].tokens, whole ? nodes[nodes[node].end].tokens
                                      : nodes[node].tokens + vocabulary.OwnTokens(node));
    end = nodes[node].end;
    ++node;
  }
}

}  // namespace tenon::server
