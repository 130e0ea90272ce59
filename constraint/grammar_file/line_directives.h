// Directives about line ends: `%layout`, `%terminator`, `%line_ends`, `%insert` and `%not_last`.
//
//   %layout newline=NL indent=IN dedent=DE   Python: line ends and columns are part of the syntax
//   %terminator ";" at NL after NAME ")"     Go: a line end after `)` is a semicolon
//   %line_ends NL                            JavaScript: rules ask for line ends before a lexeme
//   %insert SEMI before "}"                  JavaScript: a semicolon where a lexeme does not fit
//   %not_last JOINED                         Python: no file ends with a backslash and a line end
//
// Their meaning: docs/grammar_directives.md. The first three give line ends a meaning each, so a
// grammar has at most one of them.
// Cost: linear in the arguments. Thread rule: owned by one call of ReadGrammar.
#pragma once

#include <utility>
#include <vector>

#include "constraint/grammar_file/directive_part.h"

namespace tenon::constraint {

class LineDirectives : private DirectivePart {
 public:
  LineDirectives(TerminalTable& terminals, ErrorSink& errors, Directives& result)
      : DirectivePart(terminals, errors, result) {}

  void Layout(const DirectiveLine& line);
  void Terminator(const DirectiveLine& line);
  void LineEnds(const DirectiveLine& line);
  void Insert(const DirectiveLine& line);
  void NotLast(const DirectiveLine& line);
  // Checks all of them together once all lines are read, since a later line may ignore a terminal.
  void Check();

 private:
  void CheckLayout(const LayoutLine& layout);
  void Brackets(const ScannedLexeme& value, LayoutLine& layout);

  std::vector<std::pair<TerminalIndex, FilePlace>> not_last_;
  FilePlace line_place_;  // of the last `%terminator` or `%line_ends`
};

}  // namespace tenon::constraint
