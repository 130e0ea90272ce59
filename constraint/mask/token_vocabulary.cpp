#include "constraint/mask/token_vocabulary.h"

#include <algorithm>

#include <xxhash.h>

namespace tenon::constraint {

TokenVocabulary::TokenVocabulary(std::span<const std::string> tokens) {
  size_t total = 0;
  for (const std::string& token : tokens) total += token.size();
  bytes_.reserve(total);
  begins_.reserve(tokens.size() + 1);
  for (const std::string& token : tokens) {
    begins_.push_back(static_cast<uint32_t>(bytes_.size()));
    bytes_ += token;
    longest_bytes_ = std::max(longest_bytes_, token.size());
  }
  begins_.push_back(static_cast<uint32_t>(bytes_.size()));
  key_ = XXH3_64bits(bytes_.data(), bytes_.size()) ^
         XXH3_64bits(begins_.data(), begins_.size() * sizeof(uint32_t));
  Sort();
  BuildTrie();
}

void TokenVocabulary::Sort() {
  // The first eight bytes as a number order nearly all tokens without looking at their text.
  struct Keyed {
    uint64_t head;
    TokenId id;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(size());
  for (uint32_t t = 0; t < size(); ++t) {
    std::string_view bytes = Bytes(TokenId{t});
    if (bytes.empty() || bytes.size() > kMaxTokenBytes) continue;
    uint64_t head = 0;
    for (size_t i = 0; i < 8; ++i)
      head = head << 8 | (i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0);
    keyed.push_back({head, TokenId{t}});
  }
  std::sort(keyed.begin(), keyed.end(), [this](const Keyed& a, const Keyed& b) {
    if (a.head != b.head) return a.head < b.head;
    std::string_view x = Bytes(a.id), y = Bytes(b.id);
    return x != y ? x < y : a.id < b.id;
  });
  sorted_.reserve(keyed.size());
  for (const Keyed& k : keyed) sorted_.push_back(k.id);
}

void TokenVocabulary::BuildTrie() {
  std::vector<uint32_t> path;  // nodes from the root to the token before
  std::string_view before;
  auto close = [&](size_t depth) {
    for (; path.size() > depth; path.pop_back())
      nodes_[path.back()].end = static_cast<uint32_t>(nodes_.size());
  };
  for (uint32_t i = 0; i < sorted_.size(); ++i) {
    std::string_view bytes = Bytes(sorted_[i]);
    size_t common = 0;
    while (common < before.size() && common < bytes.size() && before[common] == bytes[common])
      ++common;
    close(common);
    for (size_t d = common; d < bytes.size(); ++d) {
      path.push_back(static_cast<uint32_t>(nodes_.size()));
      nodes_.push_back({0, i, static_cast<uint8_t>(bytes[d]), static_cast<uint16_t>(d + 1)});
    }
    before = bytes;
  }
  close(0);
  uint32_t nodes = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back({nodes, static_cast<uint32_t>(sorted_.size()), 0, 0});
}

}  // namespace tenon::constraint
