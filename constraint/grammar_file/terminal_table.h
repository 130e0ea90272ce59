// The terminals of a grammar file while it is read.
//
// Named terminals are compiled to one pattern each; anonymous ones are made when a rule first uses
// a literal or a regular expression. Example:
//
//   start: NAME "=" NUMBER           named: NAME, NUMBER, and DIGIT, a building block
//   NUMBER: DIGIT+ ["." DIGIT+]      with the pattern of DIGIT inlined: [0-9]+(\.[0-9]+)?
//   DIGIT: "0".."9"
//   NAME: /[a-z]+/                   anonymous: EQUAL for "="
//
// - A definition that names other terminals has their patterns inlined.
// - A literal or regular expression in a rule is the named terminal with exactly this definition,
//   if there is one: with `IF: "if"` the rule part `"if"` is IF.
// - `%not_before` and `%unfinished` add poison terminals made of others.
//
// Cost: linear in the length of the patterns, inlined. Thread rule: owned by one call of
// ReadGrammar.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/syntax.h"

namespace tenon::constraint {

struct TerminalEntry {
  Terminal terminal;
  FilePlace place;        // of the definition, or of the first use
  bool in_rules = false;  // stands in a rule
  bool split = false;     // `%split` reads it as its parts
  bool inlined = false;   // part of another terminal

  // The lexer knows the terminal, because a rule or a mechanism needs it. False: a building block
  // of others only.
  bool InLexer() const {
    return in_rules || split || terminal.kind == TerminalKind::kIgnored ||
           terminal.kind == TerminalKind::kPoison || terminal.kind == TerminalKind::kLineEnd;
  }
};

class TerminalTable {
 public:
  TerminalTable(const std::vector<Definition>& definitions, ErrorSink& errors);

  // The terminal of that name, or of that literal. Nothing: there is none.
  std::optional<TerminalIndex> FindNamed(const std::string& name) const;
  std::optional<TerminalIndex> FindLiteral(const std::string& text, const std::string& flags) const;
  // `%declare`: a terminal without a lexeme. Reports a name that is defined.
  void Declare(const std::string& name, FilePlace place);
  // The terminal that is defined as exactly this literal or regular expression; on first use a new
  // anonymous one.
  TerminalIndex Literal(const std::string& text, const std::string& flags, FilePlace place);
  TerminalIndex Regex(const std::string& pattern, const std::string& flags, FilePlace place);

  // `%not_before`: a terminal for a lexeme of `of` directly before a text of `pattern`. Example:
  // `3in` for NUMBER and /[a-z]/. Nothing: the pattern is wrong, reported.
  std::optional<TerminalIndex> RunOn(TerminalIndex of, const std::string& pattern,
                                     const std::string& flags, FilePlace place);

  // `%unfinished`: a terminal for texts that begin like a lexeme of `of`, opener included, and are
  // none. Nothing: the pattern is wrong, or no lexeme begins so; reported.
  std::optional<TerminalIndex> Unfinished(TerminalIndex of, const std::string& opener,
                                          const std::string& flags, FilePlace place);

  // Is the regular expression at `place` well-formed and supported? If not, reports the error at
  // its place inside the expression.
  bool CheckRegex(const std::string& pattern, const std::string& flags, FilePlace place);

  std::vector<TerminalEntry> entries;  // named in file order, then anonymous by first use

 private:
  using Written = std::pair<std::string, std::string>;  // text or pattern, flags
  enum class Visit : uint8_t { kNew, kOpen, kDone };

  void Compile(TerminalIndex index);
  std::string Compose(const Expr& expr);
  std::string ComposeTerminal(const Expr& expr);
  std::string ComposeRange(const Expr& expr);
  // The pattern as a part of the terminal that is being composed. Its groups are numbered after the
  // groups of the parts before it.
  std::string Inlined(const std::string& pattern, const std::string& flags, FilePlace place);
  TerminalIndex Add(std::string name, FilePlace place);
  void Reserve(std::string& name);

  const std::vector<Definition>& definitions_;
  ErrorSink& errors_;
  std::vector<Visit> visits_;  // [definition]
  uint32_t groups_ = 0;        // opened so far in the terminal that is being composed
  std::map<std::string, TerminalIndex> named_;
  std::map<Written, TerminalIndex> literals_;
  std::map<Written, TerminalIndex> regexes_;
};

}  // namespace tenon::constraint
