// Directives about single lexemes: conditions on them, other readings of them, names in them.
//
//   %not_before NUMBER /[a-z]/        `3in` is malformed, not `3` and `in`
//   %unfinished STRING /"/            `"abc` without its end is malformed
//   %split ">>" ">" ">"               `>>` may close two lists of types
//   %most 4300 "digits" /[0-9]/ in N  longer integers are malformed
//   %character_names STRING between   `"\N{bullet}"` names a character, `"\N{bulet}"` does not
//   %names type within "{" "}"        a name must have been declared as a type
//
// Their meaning: docs/grammar_directives.md. `%not_before` and `%unfinished` need no mechanism of
// the lexer: each makes a poison terminal, which wins by longest match (TerminalTable::RunOn,
// TerminalTable::Unfinished).
// Cost: linear in the arguments; `%unfinished` builds a small automaton. Thread rule: owned by one
// call of ReadGrammar.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "constraint/grammar_file/directive_part.h"

namespace tenon::constraint {

class LexemeDirectives : private DirectivePart {
 public:
  LexemeDirectives(TerminalTable& terminals, ErrorSink& errors, Directives& result)
      : DirectivePart(terminals, errors, result) {}

  void NotBefore(const DirectiveLine& line);
  void Unfinished(const DirectiveLine& line);
  void Split(const DirectiveLine& line);
  void Apart(const DirectiveLine& line);
  void CharacterNames(const DirectiveLine& line);
  // Does this '%most' count bytes of a lexeme? False: it counts open modes or blocks
  // (mode_directives.h).
  static bool CountsBytes(const DirectiveLine& line);
  void MostBytes(const DirectiveLine& line);
  void Names(const DirectiveLine& line);
  // Checks `%split` once all lines are read, since later lines say which kind the terminals have.
  void CheckSplits();
  // Pairs of a terminal and the poison terminal that was made of it.
  std::span<const std::pair<TerminalIndex, TerminalIndex>> made_of() const { return made_of_; }

 private:
  template <typename Make>
  void MakePoison(const DirectiveLine& line, std::string_view form, Make make);
  void KeepTo(const DirectiveLine& line, std::span<const ScannedLexeme> terminals,
              LexemeRuleLine made);
  bool IsBracket(TerminalIndex index);

  std::vector<std::pair<TerminalIndex, TerminalIndex>> made_of_;
  std::set<TerminalIndex> kept_to_;  // terminals with a lexeme rule; a second one is refused
  std::set<std::string> name_sets_;
};

}  // namespace tenon::constraint
