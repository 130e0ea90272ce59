// The kinds of bytes below each node of the vocabulary's trie, and the kinds that leave a lexer
// state where it is.
//
// Example: in the state inside a string, every letter leads back to the same state. A subtree of
// the vocabulary that holds letters alone therefore stays in that state, and is taken whole without
// a look at its bytes. This saves most of the work inside strings and comments.
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
  // The kinds of bytes that can only continue the lexeme in q, in emitted text, and that leave the
  // lexer in q.
  uint64_t Keeping(DfaStateId q) const { return keeping_[q.value]; }

 private:
  std::vector<uint64_t> subtree_;  // [node] kinds of all bytes below the node
  std::vector<uint64_t> keeping_;  // [DfaStateId]
};

}  // namespace tenon::constraint
