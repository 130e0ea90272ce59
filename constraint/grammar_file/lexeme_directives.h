// `%not_before`, `%unfinished`, `%split`, `%character_names`, the `%most` that counts bytes, and `%names`: what lexemes keep to, may be read as,
// and must have been declared as.
//
// What they mean: docs/grammars.md. Thread rule: owned by one call of ReadGrammar.
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
  void CharacterNames(const DirectiveLine& line);
  // Counts this '%most' bytes, or what is open?
  static bool CountsBytes(const DirectiveLine& line);
  void MostBytes(const DirectiveLine& line);
  void Names(const DirectiveLine& line);
  // Said once all lines are read, since others say what the terminals are.
  void CheckSplits();
  // Of which terminal a poison one was made, and that one.
  std::span<const std::pair<TerminalIndex, TerminalIndex>> made_of() const { return made_of_; }

 private:
  template <typename Make>
  void MakePoison(const DirectiveLine& line, std::string_view form, Make make);
  void KeepTo(const DirectiveLine& line, std::span<const ScannedLexeme> terminals, LexemeRuleLine made);
  bool IsBracket(TerminalIndex index);

  std::vector<std::pair<TerminalIndex, TerminalIndex>> made_of_;
  std::set<TerminalIndex> kept_to_;  // lines that lexemes keep to
  std::set<std::string> name_sets_;
};

}  // namespace tenon::constraint
