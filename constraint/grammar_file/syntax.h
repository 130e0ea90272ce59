// The syntax tree of a grammar file: definitions and directives as written, with their places.
//
// No name is looked up yet. Example: `list.2: NAME ("," NAME)*` is
//
//   Definition list
//     kSequence
//       kTerminal NAME
//       kRepeat 0..unbounded
//         kSequence
//           kLiteral ,
//           kTerminal NAME
//
// Lark's `?rule`, `!rule`, aliases (`-> alias`) and priorities of rules are read and leave no
// trace, because tenon builds no trees. `%import common.NAME` becomes a definition of the terminal.
//
// `%import "other.lark"` puts the definitions and directives of the other file here. After it
// `%extend list: "(" list ")"` adds alternatives to a definition, and `%override list: NAME`
// replaces one. Definitions of an import that nothing uses any more are left out.
//
// Source: https://lark-parser.readthedocs.io/en/stable/grammar.html.
// Cost: linear; groups are nested 200 deep at most. Thread rule: plain values; ParseSyntax is a
// pure function.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/sources.h"

namespace tenon::constraint {

struct PlacedName {
  std::string name;
  FilePlace place;
};

// After a rule's name: RULE#+predicate, RULE#-predicate.
struct ContextMark {
  std::string predicate;
  bool on = false;
  FilePlace place;
};

enum class ExprKind : uint8_t {
  kRule,          // text: name
  kTerminal,      // text: name
  kLiteral,       // text: characters, flags
  kRegex,         // text: pattern, flags
  kRange,         // text: first character, range_last: last one
  kSequence,      // children in order; none: the empty text
  kAlternatives,  // one of children
  kRepeat,        // children[0], min to max times
};

struct Expr {
  static constexpr uint32_t kUnbounded = std::numeric_limits<uint32_t>::max();

  ExprKind kind = ExprKind::kSequence;
  FilePlace place;
  std::string text;
  std::string flags;
  std::string range_last;
  std::string predicate;              // after a name or a literal: SYMBOL#predicate
  std::vector<ContextMark> marks;     // after a rule's name
  std::vector<PlacedName> contexts;   // after a rule's name: RULE#context (contexts.h)
  std::vector<PlacedName> arguments;  // after a rule's name: RULE{word, parameter} (parameters.h)
  std::vector<PlacedName> guard;      // before a sequence: {word, word} (parameters.h)
  std::vector<Expr> children;
  uint32_t min = 0, max = 0;
};

struct Definition {
  std::string name;
  FilePlace place;
  int priority = 0;        // terminals only
  bool imported = false;   // from another file, and not replaced
  bool overrides = false;  // another definition: it has that one's parameters, needed or not
  std::vector<PlacedName> parameters;  // rules only: RULE{parameter, parameter}
  Expr body;
};

struct DirectiveLine {
  std::string name;  // without '%'
  FilePlace place;
  std::vector<ScannedLexeme> arguments;  // up to the end of the line
  FilePlace end;                         // where the line ends

  // Is the i-th argument, if there is one, this word?
  bool IsWordAt(size_t i, std::string_view word) const {
    return i < arguments.size() && arguments[i].IsWord(word);
  }
};

struct GrammarSyntax {
  std::vector<Definition> rules;
  std::vector<Definition> terminals;
  std::vector<DirectiveLine> directives;  // those of a file after those of all that it imports
};

// The tree of a whole grammar, imported files included. On an error, reported, the part before it.
GrammarSyntax ParseSyntax(const std::vector<GrammarSource>& sources, ErrorSink& errors);
// Takes out the imported rules that neither `start` nor a rule of the grammar's own file leads to,
// and the imported terminals that nothing names.
void DropUnused(GrammarSyntax& syntax, const std::string& start);

}  // namespace tenon::constraint
