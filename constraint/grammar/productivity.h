// Which symbols derive a text that tenon may write itself.
//
// A column counts if its terminal may be emitted and its predicate can hold (kSome), or it has none (kEvery): what has to be finished must be so
// in whatever context it stands.
// A nonterminal counts if it has a rule of symbols that all count. What does not count is still accepted in given text.
// Cost: rounds * rules, a few rounds. Thread rule: a pure function.
#pragma once

#include <vector>

#include "constraint/grammar/definition.h"

namespace tenon::constraint {

// [SymbolId] `kSome`: in some context; `kEvery`: in every one.
enum class InContext : uint8_t { kSome, kEvery };
std::vector<bool> EmitProductive(const Grammar& grammar, InContext in);

}  // namespace tenon::constraint
