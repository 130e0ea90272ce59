// The terminals of a grammar while it is read: named ones compiled to one pattern each, anonymous ones made on first use.
//
// A definition that inlines other terminals becomes one regular expression. A literal or regular expression in a rule is the
// named terminal that is defined as exactly that, else an anonymous one of its own.
// Cost: linear in the length of the patterns, inlined. Thread rule: owned by one call of ReadGrammar.
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
  bool inlined = false;   // part of another terminal

  // The lexer knows the terminal, because a rule or a mechanism needs it. False: a building block of others only.
  bool InLexer() const {
    return in_rules || terminal.kind == TerminalKind::kIgnored || terminal.kind == TerminalKind::kPoison ||
           terminal.kind == TerminalKind::kLineEnd;
  }
};

class TerminalTable {
 public:
  TerminalTable(const std::vector<Definition>& definitions, ErrorSink& errors);

  std::optional<TerminalIndex> FindNamed(const std::string& name) const;
  std::optional<TerminalIndex> FindLiteral(const std::string& text, const std::string& flags) const;
  void Declare(const std::string& name, FilePlace place);
  TerminalIndex Literal(const std::string& text, const std::string& flags, FilePlace place);
  TerminalIndex Regex(const std::string& pattern, const std::string& flags, FilePlace place);

  // A terminal for a lexeme of `of` with something directly behind it. Nothing: the pattern is wrong, reported.
  std::optional<TerminalIndex> RunOn(TerminalIndex of, const std::string& pattern, const std::string& flags,
                                     FilePlace place);

  // A terminal for what begins like a lexeme of `of`, opener and all, and is none. Nothing: the pattern is wrong, or nothing begins so;
  // reported.
  std::optional<TerminalIndex> Unfinished(TerminalIndex of, const std::string& opener, const std::string& flags,
                                          FilePlace place);

  // Reports what is wrong with a regular expression that stands at `place`, at the place inside it.
  bool CheckRegex(const std::string& pattern, const std::string& flags, FilePlace place);

  std::vector<TerminalEntry> entries;  // named in file order, then anonymous by first use

 private:
  using Written = std::pair<std::string, std::string>;  // text or pattern, flags
  enum class Visit : uint8_t { kNew, kOpen, kDone };

  void Compile(TerminalIndex index);
  std::string Compose(const Expr& expr);
  std::string ComposeTerminal(const Expr& expr);
  std::string ComposeRange(const Expr& expr);
  // The pattern as a part of the terminal that is being composed, its groups counted behind those of the parts before it.
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
