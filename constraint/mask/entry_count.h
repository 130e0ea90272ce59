// How many entries a mask store has before streamlining and after each of its steps.
//
// An entry is a pair of a lexer state and a sequence of ended lexemes that some token realises:
//
//   entries_before    of every state of the minimal DFA, each with its own sequences
//   shared_states     states share the tries of a reference state; what their own lexeme's end
//                     leads to is the start state's
//   interchangeable   lexemes that no rule tells apart are one; ignorable text that moves nothing
//                     is left out
//   never_legal       without those that no parser state can take
//   always_legal      without those that every parser state that can take them at all takes
//                     whatever lies below
//   entries_after     what is left to ask the parser about while a mask is made
//
// Source: streamline.h. Cost: seconds: stores are built with steps switched off, and every state's
// sequences are gathered. Thread rule: none shared.
#pragma once

#include <memory>
#include <vector>

#include "constraint/mask/mask_store.h"

namespace tenon::constraint {

[[nodiscard]] std::vector<MaskStore::Count> CountEntries(const MaskStore& store);

}  // namespace tenon::constraint
