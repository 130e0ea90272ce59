// Reads a grammar text in tenon's Lark dialect (docs/grammars.md) into a Grammar.
//
// Source: Lark's grammar reference, https://lark-parser.readthedocs.io/en/stable/grammar.html; templates, %extend,
// %override, imports but those of `common`, look-around and lazy quantifiers are refused with their place.
// Cost: linear in the text, plus the epsilon-free expansion. Thread rule: a pure function.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

// `path` is used in messages only. The start rule is `start`, or what `%start NAME` says.
// `notes`, where given, gets what is taken though seldom meant.
[[nodiscard]] tl::expected<Grammar, GrammarError> ReadGrammar(std::string_view text, std::string path,
                                                              std::vector<GrammarNote>* notes = nullptr);

}  // namespace tenon::constraint
