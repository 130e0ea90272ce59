// Streamlining: what need not be asked of the parser while a mask is made.
//
//   interchangeable  lexemes that no rule tells apart: one stands for all of them
//   never            sequences that no stack can take
//   always           behind a lexeme that left the parser in state s: sequences that every stack with s on top can take
//
// "Never" holds with any right context. "Always" is a fact about the left side alone: with a right context, a scope or a budget it is
// used only where nothing on the right restricts the stack (Masker). Both are decided with stacks of unknown bottom (lr/look_through.h).
//
// Source: Tran-Thien, mask store streamlining (vivien000.github.io, 2024); constraint design, "Where folding is sound". Where we differ: what always
// holds is asked for each parser state, not for the language as a whole, so far more is decided beforehand.
// Cost: sequences of a trie times the states their first lexeme leads to. Thread rule: none shared.
#pragma once

#include <vector>

#include "constraint/gap/language.h"

namespace tenon::constraint {

// [LexemeId] the one that stands for it. Two lexemes of emitted text are interchangeable when every rule with a column of one has a twin
// with a column of the other.
[[nodiscard]] std::vector<LexemeId> InterchangeableLexemes(const Language& language);

}  // namespace tenon::constraint
