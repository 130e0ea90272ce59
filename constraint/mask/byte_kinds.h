// What a subtree of a vocabulary is made of, and which lexer states it leaves where they are.
//
// Bytes are of 64 kinds; those beyond ASCII are *letters* where they are whole characters in UTF-8,
// and *torn* elsewhere. A subtree all of whose kinds a state keeps is read without a look at its
// bytes: that is most of what strings and comments are asked about.
//
// Source: RFC 3629, section 4, for what is UTF-8. Cost: a vocabulary of 151,669 tokens and a
// thousand states, 6 ms.
// Thread rule: immutable.
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
  // Those that emitted text goes on with the lexeme in q by, doing nothing else, and that leave it
  // in q.
  uint64_t Keeping(DfaStateId q) const { return keeping_[q.value]; }

 private:
  std::vector<uint64_t> subtree_;  // [node] kinds of all bytes behind the node's own
  std::vector<uint64_t> keeping_;  // [DfaStateId]
};

}  // namespace tenon::constraint
