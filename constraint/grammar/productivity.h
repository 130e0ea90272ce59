// Productivity: which symbols derive a text that tenon may write itself?
//
// A completion must be able to finish a construct that a person has begun. Example:
// `"print"#given value` is accepted and never written, so a rule with this alternative alone is not
// productive; a rule that also has `NAME value` is.
//
// - An LR terminal counts if its terminal may be emitted, and if its predicate can hold (kSome) or
//   is absent (kEvery).
// - A nonterminal counts if one of its rules has only symbols that count.
// kEvery is the condition for unfinished constructs, because they must be finished in whatever
// context they stand. Symbols that do not count are still accepted in given text.
//
// Source: Hopcroft, Motwani, Ullman, Introduction to Automata Theory, section 7.1 (generating
// symbols).
// Cost: rounds * rules, a few rounds. Thread rule: a pure function.
#pragma once

#include <vector>

#include "constraint/grammar/definition.h"

namespace tenon::constraint {

// [SymbolId] `kSome`: in some context; `kEvery`: in every one.
enum class InContext : uint8_t { kSome, kEvery };
std::vector<bool> EmitProductive(const Grammar& grammar, InContext in);

}  // namespace tenon::constraint
