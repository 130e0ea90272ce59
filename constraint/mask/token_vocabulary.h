// The tokens of a model as byte strings, and as a byte trie.
//
// Example: the tokens `a`, `ab`, `b` make the nodes a, ab (below a) and b. In preorder they are the
// nodes 0, 1, 2; the subtree of a is [0, 2), and its tokens are one run of the sorted order.
//
// The trie is laid out in preorder: the subtree of node i is [i, end(i)), and its children are
// found by skipping from end to end. So a walk with a lexer touches memory forwards only, and two
// integers name a whole subtree.
//
// Tokens without bytes (control tokens) and tokens above kMaxTokenBytes have no node: they are
// never allowed.
//
// Source: Fredkin, Trie memory, CACM 1960. Cost: 12 bytes a node, some 2.4 nodes a token; 151,669
// tokens sort and build in about 20 ms. Thread rule: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/token_id.h"

namespace tenon::constraint {

inline constexpr size_t kMaxTokenBytes = 4096;

class TokenVocabulary {
 public:
  // [TokenId] the bytes of each token; empty: a control token, which writes no text.
  explicit TokenVocabulary(std::span<const std::string> tokens);

  size_t size() const { return begins_.size() - 1; }
  std::string_view Bytes(TokenId id) const {
    return std::string_view(bytes_).substr(begins_[id.value],
                                           begins_[id.value + 1] - begins_[id.value]);
  }
  size_t longest_bytes() const { return longest_bytes_; }  // of a token
  // Of all bytes of all tokens: equal keys mean equal vocabularies.
  uint64_t key() const { return key_; }

  struct Node {
    uint32_t end = 0;  // first node after the subtree
    uint32_t tokens =
        0;  // index into sorted(): the node's own tokens begin there, those of its subtree follow
    uint8_t byte = 0;
    uint16_t depth = 0;  // bytes from the root: at least 1
  };
  // Without the root: its children begin at node 0. One more node closes the array.
  std::span<const Node> nodes() const { return nodes_; }
  size_t node_count() const { return nodes_.size() - 1; }
  // How many tokens end at the node itself.
  uint32_t OwnTokens(uint32_t node) const {
    return (node + 1 < nodes_[node].end ? nodes_[node + 1].tokens
                                        : nodes_[nodes_[node].end].tokens) -
           nodes_[node].tokens;
  }
  // All tokens of the node's subtree.
  std::span<const TokenId> TokensOf(uint32_t node) const {
    return std::span(sorted_).subspan(nodes_[node].tokens,
                                      nodes_[nodes_[node].end].tokens - nodes_[node].tokens);
  }
  // Ids in the order of their bytes.
  std::span<const TokenId> sorted() const { return sorted_; }

 private:
  void Sort();
  void BuildTrie();

  std::string bytes_;
  std::vector<uint32_t> begins_;  // [TokenId] into bytes_, one more at the end
  std::vector<TokenId> sorted_;
  std::vector<Node> nodes_;
  size_t longest_bytes_ = 0;
  uint64_t key_ = 0;
};

}  // namespace tenon::constraint
