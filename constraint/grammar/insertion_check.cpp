#include "constraint/grammar/insertion_check.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace tenon::constraint {

std::string CheckInsertion(const Grammar& grammar) {
  if (!grammar.insertion) return "";
  const std::string& name = grammar.terminals[grammar.insertion->terminal.value].name;
  const auto is_inserted = [&](SymbolId s) {
    return grammar.IsLrTerminal(s) &&
           grammar.lr_terminals[s.value].terminal == grammar.insertion->terminal;
  };
  const auto is_lexeme = [&](SymbolId s) { return grammar.IsLrTerminal(s) && !is_inserted(s); };
  const auto is_written = [&](SymbolId s) {
    if (!is_lexeme(s)) return false;
    const LrTerminal& lr_terminal = grammar.lr_terminals[s.value];
    return !lr_terminal.predicate && lr_terminal.line == LineCondition::kNone &&
           grammar.terminals[lr_terminal.terminal.value].emitted;
  };
  for (const Rule& rule : grammar.rules) {
    for (size_t i = 0; i < rule.body.size(); ++i) {
      if (!is_inserted(rule.body[i])) continue;
      const LrTerminal& inserted = grammar.lr_terminals[rule.body[i].value];
      const bool given = inserted.predicate == kGivenPredicate;
      if ((inserted.predicate && !given) || inserted.line != LineCondition::kNone)
        return fmt::format("'{}' is inserted and takes no predicate but '#given'", name);
      const bool twin =
          std::any_of(grammar.rules.begin(), grammar.rules.end(), [&](const Rule& other) {
            if (other.head != rule.head || other.body.size() != rule.body.size() ||
                !(given ? is_lexeme(other.body[i]) : is_written(other.body[i])))
              return false;
            std::vector<SymbolId> same = other.body;
            same[i] = rule.body[i];
            return same == rule.body;
          });
      if (!twin)
        return fmt::format(
            "where '{0}' is inserted something must be there to write: give the rule '{1}' an "
            "alternative with a terminal in its place, as in 'end: \";\" | {0}'",
            name, grammar.SymbolName(rule.head));
    }
  }
  return "";
}

}  // namespace tenon::constraint
