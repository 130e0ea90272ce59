// The middles of a gap as an explicit grammar, which another engine can be handed.
//
// Example: L = `foo(a, pri`, R = `nt)`. One word of the grammar is the single terminal that joins
// both unfinished lexemes (NAME through `print`); another is the rest of a name, `,` and the
// beginning of a name that R goes on with.
//
// Its words are sequences of terminals of four kinds:
//
//   kPlain     a whole lexeme of the middle
//   kLeft      the bytes that the middle adds to the unfinished lexeme of the left context
//   kRight     the beginning of a lexeme that ends `offset_bytes` inside the right context
//   kThrough   the bytes that join the unfinished lexeme of the left context with the right
//              context's beginning: the whole middle
//
// Three things are left to the lexer of the engine that uses it:
//   - separators where two lexemes would run together;
//   - longest match, and the order of terminals where one text fits several (soft keywords, poison,
//     the lexeme that a kRight makes with R);
//   - columns: NEWLINE, INDENT and DEDENT are terminals, also where they come before R's first line
//     of content.
//
// Source: docs/design/viability.md, "The quotient grammar"; the quotient grammar of Melcer et al.
// (2024). Cost: as large as its rules. Thread rule: a value.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "constraint/language/language.h"

namespace tenon::constraint {

struct MiddleGrammar {
  enum class Role : uint8_t { kPlain, kLeft, kRight, kThrough };
  struct Terminal {
    std::string name;
    Role role = Role::kPlain;
    TerminalId of;              // the language's terminal
    uint32_t offset_bytes = 0;  // kRight, kThrough: how much of R its lexeme takes
    Regex regex;                // null: declared, without lexemes
  };
  struct Symbol {
    bool is_terminal = false;
    uint32_t index = 0;
    auto operator<=>(const Symbol&) const = default;
  };
  using Body = std::vector<Symbol>;
  struct Nonterminal {
    std::string name;
    std::vector<Body> bodies;  // distinct; an empty one is the empty word
    bool whole = false;        // every word of a nonterminal of the language, by its name
  };

  std::shared_ptr<const Language> language;
  std::vector<Terminal> terminals;
  std::vector<Nonterminal>
      nonterminals;  // [0] is the start; no bodies there: nothing closes the gap

  // Leaves out nonterminals that derive no word or are never reached, replaces a nonterminal of one
  // short body by the body, merges nonterminals of equal bodies, and gives every name once. The
  // words of the grammar stay the same.
  void Simplify();
};

enum class MiddleFormat { kLark, kGbnf };
// `origin` stands in the comment on top: which gap this is.
[[nodiscard]] std::string Print(const MiddleGrammar& grammar, MiddleFormat format,
                                const std::string& origin);

}  // namespace tenon::constraint
