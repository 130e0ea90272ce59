#include "constraint/lex/line_ends.h"

#include <algorithm>

namespace tenon::constraint {

std::optional<SymbolId> ColumnWithoutPredicate(const Grammar& grammar, TerminalId terminal) {
  for (uint16_t c = 0; c < grammar.columns.size(); ++c) {
    if (grammar.columns[c].terminal == terminal && !grammar.columns[c].predicate)
      return SymbolId{c};
  }
  return std::nullopt;
}

LineEndRules::LineEndRules(const Grammar& grammar) : remembers_(grammar.remembers_line_ends) {
  if (remembers_) {
    for (uint16_t c = 0; c < grammar.columns.size(); ++c) {
      conditions_.push_back(grammar.columns[c].line);
      if (grammar.columns[c].line == LineCondition::kNoNewline) same_line_.push_back(SymbolId{c});
    }
  }
  if (grammar.insertion)
    inserted_ = ColumnWithoutPredicate(grammar, grammar.insertion->terminal).value();
  if (!grammar.terminator) return;
  const Terminator& rule = *grammar.terminator;
  ends_phrase_.resize(grammar.columns.size());
  for (uint16_t c = 0; c < grammar.columns.size(); ++c) {
    const Column& column = grammar.columns[c];
    TerminalId terminal =
        column.reads_as ? grammar.columns[column.reads_as->value].terminal : column.terminal;
    ends_phrase_[c] = std::find(rule.after.begin(), rule.after.end(), terminal) != rule.after.end();
    if (terminal != rule.terminal || column.reads_as) continue;
    terminator_given_.push_back(SymbolId{c});
    if (!column.predicate) terminator_emit_.push_back(SymbolId{c});
  }
}

}  // namespace tenon::constraint
