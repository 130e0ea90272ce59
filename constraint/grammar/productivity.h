// Which symbols derive a text that tenon may write itself.
//
// A column counts if its terminal may be emitted and its predicate is not `given`; other predicates may come to hold.
// A nonterminal counts if it has a rule of symbols that all count. What does not count is still accepted in given text.
// Cost: rounds * rules, a few rounds. Thread rule: a pure function.
#pragma once

#include <vector>

#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

// [SymbolId]
std::vector<bool> EmitProductive(const Grammar& grammar);

}  // namespace tenon::constraint
