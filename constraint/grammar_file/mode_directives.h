// Directives about modes: `%mode`, `%push`, `%switch`, `%pop`, `%forbid`, and the `%most` that
// counts modes or blocks.
//
// A mode is a set of terminals that lexemes are read by; lexemes push and pop modes. Example, a
// string with fields:
//
//   %mode text TEXT OPEN END      inside a string there are text, an opening brace and the end
//   %push BEGIN text              the opening quote begins the mode
//   %pop END                      the closing quote ends it
//   %forbid text COMMENT          a completion opens no comment while a string is open
//   %most 149 "strings" text      so many strings in one another
//
// Their meaning: docs/grammar_directives.md.
// Cost: linear in the arguments. Thread rule: owned by one call of ReadGrammar.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "constraint/grammar_file/directive_part.h"

namespace tenon::constraint {

class ModeDirectives : private DirectivePart {
 public:
  ModeDirectives(TerminalTable& terminals, ErrorSink& errors, Directives& result)
      : DirectivePart(terminals, errors, result) {}

  // Collects the names of all modes first, because a line may name a mode before the mode's own
  // line.
  void NameModes(const std::vector<DirectiveLine>& lines);
  void Mode(const DirectiveLine& line);
  void Push(const DirectiveLine& line);
  void Switch(const DirectiveLine& line);
  void Pop(const DirectiveLine& line);
  void Forbid(const DirectiveLine& line);
  void Most(const DirectiveLine& line);
  // Checks all of them together once all lines are read, because the default mode's terminals
  // depend on all lines. `made_of`: pairs of a terminal and the poison terminal made of it, which
  // belongs to the same modes.
  void Check(std::span<const std::pair<TerminalIndex, TerminalIndex>> made_of);

 private:
  std::optional<ModeId> FindMode(const std::string& name) const;
  void Act(TerminalIndex index, ModeAction action, FilePlace place);
  void Enter(const DirectiveLine& line, ModeAction::Kind kind);
  void CheckModes(std::span<const std::pair<TerminalIndex, TerminalIndex>> made_of);
  void CheckLimits();

  // The terminals of `%forbid line_beginning`.
  std::vector<std::pair<TerminalIndex, FilePlace>> not_at_line_beginning_;
  // The terminal that opens the blocks of `%most`.
  std::optional<TerminalIndex> blocks_counted_;
};

}  // namespace tenon::constraint
