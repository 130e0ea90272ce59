// The grammar of a gap: an explicit grammar of every middle that closes it, for another engine.
//
// Example, for lists of digits with `[1, |]`: its words are `2`, `2, 3`, `[]` and all others that
// may stand there, and no word has a bracket too many.
//
//   auto grammar = tenon::PrintMiddleGrammar(lists, "[1, ", "]", tenon::GrammarFormat::kGbnf);
//   std::cout << grammar->text;
//
// It is exact in terminals. Left to the engine that reads it: blanks between lexemes, the longest
// match, and the columns of indented blocks.
//
// Source: Melcer, Fulton, Gouru and Qian, 2024 (gap.h). Cost: that of opening the gap for each
// place where a lexeme of the middle may end in the right context. Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tenon/error.h"
#include "tenon/export.h"
#include "tenon/language.h"

namespace tenon {

// kLark: https://lark-parser.readthedocs.io; kGbnf: the format of llama.cpp.
enum class GrammarFormat : uint8_t { kLark, kGbnf };

struct MiddleGrammar {
  std::string text;
  size_t terminals = 0, nonterminals = 0, rules = 0;  // no rules: nothing closes the gap
};

// `strength`: kEmit for the texts that a program may write, kAccept for all texts of the language.
// `origin` names the gap in a comment on top. Error: why there is no such grammar, and the remedy.
[[nodiscard]] TENON_API Result<MiddleGrammar> PrintMiddleGrammar(
    const Language& language, std::string_view left, std::string_view right, GrammarFormat format,
    Strength strength = Strength::kEmit, const std::string& origin = "a gap");

}  // namespace tenon
