// What the readers of directives share: which terminals arguments name, and how to say what is wrong.
//
// Thread rule: owned by one call of ReadGrammar.
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
  // All parts write to one `result`.
  DirectivePart(TerminalTable& terminals, ErrorSink& errors, Directives& result)
      : terminals_(terminals), errors_(errors), result_(result) {}

  void Mechanism(FilePlace place, std::string message);
  Terminal& At(TerminalIndex index) { return terminals_.entries[index.value].terminal; }
  static bool IsWord(const ScannedLexeme& argument, std::string_view text) {
    return argument.kind == ScannedKind::kRuleName && argument.text == text;
  }
  // The terminal that an argument names; an error where it names none.
  std::optional<TerminalIndex> Find(const DirectiveLine& line, const ScannedLexeme& argument);
  // Are there so many arguments? Else an error that says `form`.
  bool Enough(const DirectiveLine& line, size_t count, std::string_view form);
  // Each terminal of a list, at least one.
  template <typename Apply>
  void ForEach(const DirectiveLine& line, Apply apply) {
    if (line.arguments.empty()) Mechanism(line.end, "expected at least one terminal behind '%" + line.name + "'");
    for (const ScannedLexeme& argument : line.arguments) {
      const auto index = Find(line, argument);
      if (!index) return;
      apply(*index, argument.place);
    }
  }
  void Become(TerminalIndex index, TerminalKind kind, FilePlace place);

  TerminalTable& terminals_;
  ErrorSink& errors_;
  Directives& result_;
};

}  // namespace tenon::constraint
