// How far a lexeme in progress is from its end, and the bytes that bring it nearer.
//
// In `"ab|` the byte `"` ends the string: distance 1 becomes 0. In `/* |` the byte `*` brings the
// comment from distance 2 to 1. Who draws random texts needs these bytes: among all tokens of a
// vocabulary few end a long comment.
//
//   distance(q) = 0 where a lexeme ends in q, else 1 + min distance over q's emit edges
//
// Source: breadth-first search. Cost: once a language, the lexer's states times the longest
// distance.
// Thread rule: immutable; refers to the language.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "constraint/gap/gap.h"
#include "constraint/language/language.h"

namespace tenon::constraint {

class LexemeDistances {
 public:
  explicit LexemeDistances(std::shared_ptr<const Language> language);
  // The bytes after which the lexeme in progress of some reading is nearer to its end, or is ended;
  // ascending.
  [[nodiscard]] std::vector<uint8_t> NearerBytes(const GapState& state) const;

 private:
  std::shared_ptr<const Language> language_;
  std::vector<uint32_t> distance_;  // [DfaStateId]
};

}  // namespace tenon::constraint
