// `%mode`, `%push`, `%switch`, `%pop`, `%forbid` and the `%most` that counts modes or blocks: how lexers' modes nest.
//
// What they mean: docs/grammars.md. Thread rule: owned by one call of ReadGrammar.
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

  // Modes may be named before their own lines.
  void NameModes(const std::vector<DirectiveLine>& lines);
  void Mode(const DirectiveLine& line);
  void Push(const DirectiveLine& line);
  void Switch(const DirectiveLine& line);
  void Pop(const DirectiveLine& line);
  void Forbid(const DirectiveLine& line);
  void Most(const DirectiveLine& line);
  // Said once all lines are read: which terminals the default mode has depends on all. `made_of`: which terminal, and the poison made of it.
  void Check(std::span<const std::pair<TerminalIndex, TerminalIndex>> made_of);

 private:
  std::optional<ModeId> FindMode(const std::string& name) const;
  void Act(TerminalIndex index, ModeAction action, FilePlace place);
  void Enter(const DirectiveLine& line, ModeAction::Kind kind);
  void CheckModes(std::span<const std::pair<TerminalIndex, TerminalIndex>> made_of);
  void CheckLimits();

  std::vector<std::pair<TerminalIndex, FilePlace>> not_at_line_beginning_;  // %forbid line_beginning
  std::optional<TerminalIndex> blocks_counted_;                             // %most: the terminal that opens them
};

}  // namespace tenon::constraint
