// The base of the readers of directives: finding the terminals that arguments name, and reporting
// mistakes.
//
// Directives are read by one class for each mechanism (line_directives.h, mode_directives.h,
// lexeme_directives.h). All of them see arguments of the same form. Example: in
// `%delimited STRING "/*"` the first argument names a terminal and the second one a literal of some
// rule; ForEach finds both, and reports an undefined name at its place.
//
// Cost: a map lookup for each argument. Thread rule: owned by one call of ReadGrammar.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/directives.h"
#include "constraint/grammar_file/syntax.h"
#include "constraint/grammar_file/terminal_table.h"

namespace tenon::constraint {

class DirectivePart {
 protected:
  // All readers write to one `result`.
  DirectivePart(TerminalTable& terminals, ErrorSink& errors, Directives& result)
      : terminals_(terminals), errors_(errors), result_(result) {}

  // Reports a mistake in a directive.
  void Mechanism(FilePlace place, std::string message);
  Terminal& At(TerminalIndex index) { return terminals_.entries[index.value].terminal; }
  // The terminal that an argument names. Nothing: the argument names none, reported.
  std::optional<TerminalIndex> Find(const DirectiveLine& line, const ScannedLexeme& argument);
  // Has the line `count` arguments? If not, reports the expected form, `%name form`.
  bool Enough(const DirectiveLine& line, size_t count, std::string_view form);
  // Calls `apply(index, place)` for each terminal of a list. At least one terminal must be there.
  template <typename Apply>
  void ForEach(const DirectiveLine& line, Apply apply) {
    if (line.arguments.empty())
      Mechanism(line.end, "expected at least one terminal behind '%" + line.name + "'");
    for (const ScannedLexeme& argument : line.arguments) {
      const auto index = Find(line, argument);
      if (!index) return;
      apply(*index, argument.place);
    }
  }
  // Gives a terminal its kind, as `%poison` and `%ignore` do. Reports a terminal that has another
  // one, or stands in a rule.
  void Become(TerminalIndex index, TerminalKind kind, FilePlace place);

  TerminalTable& terminals_;
  ErrorSink& errors_;
  Directives& result_;
};

}  // namespace tenon::constraint
