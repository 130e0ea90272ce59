// The entries of a mask store before streamlining and after each of its steps: `tenon store show`.
//
// An entry is a pair of a lexer state and a sequence of ended lexemes that some token has. Example:
// from the state of a name, the tokens `, b` and `,c` are one entry, the sequence NAME `,`.
//
//   entries_before    of every state of the minimal DFA, each with its own sequences
//   shared_states     states share the tries of a reference state; after the end of their own
//                     lexeme, the trie of the start state
//   interchangeable   lexemes that no rule tells apart are one; ignorable text that moves no column
//                     is left out
//   never_legal       without sequences that no parser state can take
//   always_legal      without sequences that each parser state either refuses or takes, on every
//                     stack
//   entries_after     the rest, which the parser decides while a mask is made
//
// Source: streamline.h. Cost: seconds: stores are built with steps switched off, and the sequences
// of every state are gathered. Thread rule: none shared.
#pragma once

#include <memory>
#include <vector>

#include "constraint/mask/mask_store.h"

namespace tenon::constraint {

[[nodiscard]] std::vector<MaskStore::Count> CountEntries(const MaskStore& store);

}  // namespace tenon::constraint
