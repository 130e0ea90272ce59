// The scanner: cuts the text of a grammar file into lexemes.
//
// Example: `item: NAME "#"i? // a name` becomes
//
//   kRuleName item, kPunctuation :, kTerminalName NAME, kString # (flags i), kPunctuation ?,
//   kLineEnd
//
// Line ends are lexemes, because a definition ends with its line. Two exceptions:
//   - inside parentheses and square brackets a line end counts as a blank;
//   - a line that begins with `|` continues the definition before it.
//
// Source: Lark's grammar of grammars (lark/load_grammar.py describes it;
// https://lark-parser.readthedocs.io). We differ: a line may be broken anywhere inside parentheses,
// and a regular expression ends on its line.
// Cost: linear. Thread rule: a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

enum class ScannedKind : uint8_t {
  kRuleName,      // lower case
  kTerminalName,  // upper case
  kString,        // text: the characters meant; flags: "" or "i"
  kRegex,         // text: between the slashes; flags: the letters after them
  kNumber,
  kDirective,    // text: without '%'
  kPunctuation,  // : | ( ) [ ] { } ? ! * + ~ . .. -> = # ,
  kLineEnd,      // not inside parentheses, not before a line that begins with '|'
  kEnd,
};

// A lexeme of a grammar file. (A lexeme of the described language is lex/lexer.h's.)
struct ScannedLexeme {
  ScannedKind kind = ScannedKind::kEnd;
  std::string text;
  std::string flags;
  int number = 0;
  FilePlace place;
  bool blank_before = false;  // a blank, a comment or a line end stands before it

  bool Is(std::string_view punctuation) const {
    return kind == ScannedKind::kPunctuation && text == punctuation;
  }
  bool IsWord(std::string_view word) const {
    return kind == ScannedKind::kRuleName && text == word;
  }
  std::string Describe() const;  // as messages name it: "'|'", "the end of the line"
};

// The lexemes of a grammar file; the last one is kEnd. On an error, reported, the lexemes before
// it. `file`: the number that their places have.
std::vector<ScannedLexeme> Scan(std::string_view text, ErrorSink& errors, uint32_t file = 0);

}  // namespace tenon::constraint
