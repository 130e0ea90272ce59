// What a grammar may say, though it is seldom meant: read and taken, and told by `tenon grammar`.
//
//   cyclic        a rule that derives itself and nothing more (x: y, y: x; or x: x z where z may be empty): every text of it has
//                 endlessly many trees. Harmless here, because no trees are built and equal stacks are one.
//   never written a rule or terminal without emitted text: accepted in given text, never part of a completion
//
// Cost: as reading it. Thread rule: a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/grammar/definition.h"
#include "constraint/grammar/plain_rules.h"

namespace tenon::constraint {

struct GrammarNote {
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1, in characters
  std::string message;  // what it is, and the remedy
};

// In the order of the file. `grammar`: what was made of `rules`, which still have their empty alternatives.
std::vector<GrammarNote> NotesOn(const PlainRules& rules, const Grammar& grammar);

}  // namespace tenon::constraint
