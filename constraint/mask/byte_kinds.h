// The kinds of bytes below each node of the vocabulary's trie, and the kinds that leave a lexer
// state where it is.
//
// Example: in the state inside a string, every letter leads back to the same state. A subtree of
// the vocabulary that holds letters alone therefore stays in that state, and is taken whole without
// a look at its bytes. Most of the work of strings and comments goes away in this manner.
//
// There are 64 kinds. Bytes beyond ASCII are *letters* where they are whole characters in UTF-8,
// and *torn* elsewhere.
//
// Source: RFC 3629, section 4, for UTF-8. Cost: a vocabulary of 151,669 tokens and a thousand
// states, 6 ms. Thread rule: immutable.
#pragma once

#include <cstdint>
#include <vector>

#include "constraint/mask/lexeme_steps.h"
#include "constraint/mask/token_vocabulary.h"

namespace tenon::constraint {

class ByteKinds {
 public:
  ByteKinds(const TokenVocabulary& vocabulary, const LexemeSteps& steps);
  uint64_t InSubtree(uint32_t node) const { return subtree_[node]; }
  // The kinds with which emitted text only goes on with the lexeme in q, and that leave the lexer
  // in q.
  uint64_t Keeping(DfaStateId q) const { return keeping_[q.value]; }

 private:
  std::vector<uint64_t> subtree_;  // [node] kinds of all bytes after the node's own
  std::vector<uint64_t> keeping_;  // [DfaStateId]
};

}  // namespace tenon::constraint
