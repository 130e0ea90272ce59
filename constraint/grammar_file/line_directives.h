// `%layout`, `%terminator`, `%line_ends`, `%insert` and `%not_last`: what line ends, columns and ends of texts mean.
//
// What they mean: docs/grammars.md. Thread rule: owned by one call of ReadGrammar.
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
  // Said once all lines are read, since a terminal may be ignored by a later one.
  void Check();

 private:
  void CheckLayout(const LayoutLine& layout);
  void Brackets(const ScannedLexeme& value, LayoutLine& layout);

  std::vector<std::pair<TerminalIndex, FilePlace>> not_last_;
  FilePlace line_place_;  // of the last directive about line ends but %layout
};

}  // namespace tenon::constraint
