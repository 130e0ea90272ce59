#include "tenon/vocabulary.h"

#include "constraint/base/base.h"
#include "constraint/mask/mask.h"

namespace tenon {

Vocabulary::Vocabulary(std::span<const std::string> tokens)
    : tokens_(std::make_shared<const constraint::TokenVocabulary>(tokens)) {}

size_t Vocabulary::size() const { return tokens_->size(); }

std::string_view Vocabulary::Bytes(TokenId token) const { return tokens_->Bytes(token); }

std::vector<uint64_t> Vocabulary::MaskAlong(std::string_view text) const {
  std::vector<uint64_t> mask(constraint::WordsFor(size()));
  const std::span<const constraint::TokenVocabulary::Node> nodes = tokens_->nodes();
  auto node = uint32_t{0}, end = static_cast<uint32_t>(tokens_->node_count());
  for (size_t depth = 0; depth < text.size(); ++depth) {
    const auto byte = static_cast<uint8_t>(text[depth]);
    while (node < end && nodes[node].byte != byte) node = nodes[node].end;
    if (node >= end) break;
    const std::span<const TokenId> below = tokens_->TokensOf(node);
    const bool whole = depth + 1 == text.size();
    for (const TokenId token : below.first(whole ? below.size() : tokens_->OwnTokens(node)))
      constraint::SetBit(mask, token.value);
    end = nodes[node].end;
    ++node;
  }
  return mask;
}

}  // namespace tenon
