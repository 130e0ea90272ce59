// The room `grammar_file`: reads a grammar file. Its face; from outside only this header is
// included.
//
// A grammar file is text in tenon's dialect of Lark (docs/grammars.md). ReadGrammar turns it into a
// Grammar, or reports the first mistake and its place. The way of an example, the line
// `list: NAME ("," NAME)*`:
//
//   sources.h         the file, and the files that it imports
//   scanner.h         lexemes: the rule name `list`, ':', the terminal name `NAME`, '(' …
//   syntax.h          a tree: Definition "list", a sequence of NAME and a repetition
//   contexts.h        names of contexts are replaced by their marks
//   parameters.h      rules with parameters are written out
//   terminal_table.h  terminals: NAME by its definition, COMMA for the literal ","
//   rule_expander.h   plain rules: list -> NAME | NAME __plus_1
//                     __plus_1 -> COMMA NAME | __plus_1 COMMA NAME
//   directives.h      marks and mechanisms, from lines that begin with '%'
//   file_checks.h     questions that need the whole file
//   assembler.h       the Grammar, under its final numbers
//
// Between the last two the rules become epsilon-free (grammar/epsilon_free.h); after them the
// Grammar is checked (grammar/mode_check.h and others). The first error ends the reading.
//
// A grammar may import other files (sources.h); the tree is then that of all of them.
// Refused with their place: Lark's templates, imports of single names except those of `common`,
// look-around, and lazy quantifiers and back-references that no automaton can follow.
//
// Source: Lark's grammar reference, https://lark-parser.readthedocs.io/en/stable/grammar.html.
// Cost: linear in the text, plus the epsilon-free expansion. Thread rule: a pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/sources.h"

namespace tenon::constraint {

// `path` is used in messages, and imports count from its folder. The start rule is `start`, or the
// NAME of `%start NAME`.
// `notes`, where given, receives the notes on the grammar (grammar/notes.h).
[[nodiscard]] tl::expected<Grammar, GrammarError> ReadGrammar(
    std::string_view text, std::string path, std::vector<GrammarNote>* notes = nullptr);
// The same of sources that are read already. REQUIRES: they come from ReadSources with `errors`.
[[nodiscard]] tl::expected<Grammar, GrammarError> ReadGrammar(
    const std::vector<GrammarSource>& sources, ErrorSink& errors,
    std::vector<GrammarNote>* notes = nullptr);

}  // namespace tenon::constraint
