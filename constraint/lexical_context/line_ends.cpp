#include "constraint/lexical_context/line_ends.h"

namespace tenon::constraint {

std::optional<SymbolId> TerminalWithoutPredicate(const Grammar& grammar, TerminalId terminal) {
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    if (grammar.lr_terminals[c].terminal == terminal && !grammar.lr_terminals[c].predicate)
      return SymbolId{c};
  }
  return std::nullopt;
}

LineEndRules::LineEndRules(const Grammar& grammar) : remembers_(grammar.remembers_line_ends) {
  if (remembers_) {
    for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
      conditions_.push_back(grammar.lr_terminals[c].line);
      if (grammar.lr_terminals[c].line == LineCondition::kNoNewline)
        same_line_.push_back(SymbolId{c});
    }
  }
  if (grammar.insertion) {
    const TerminalId terminal = grammar.insertion->terminal;
    inserted_.push_back(TerminalWithoutPredicate(grammar, terminal).value());
    for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
      if (grammar.lr_terminals[c].terminal == terminal && SymbolId{c} != inserted_[0])
        inserted_.push_back(SymbolId{c});
    }
  }
  if (!grammar.terminator) return;
  const Terminator& rule = *grammar.terminator;
  ends_phrase_.resize(grammar.lr_terminals.size());
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    const LrTerminal& lr_terminal = grammar.lr_terminals[c];
    TerminalId terminal = lr_terminal.reads_as
                              ? grammar.lr_terminals[lr_terminal.reads_as->value].terminal
                              : lr_terminal.terminal;
    ends_phrase_[c] = std::find(rule.after.begin(), rule.after.end(), terminal) != rule.after.end();
    if (terminal != rule.terminal || lr_terminal.reads_as) continue;
    terminator_given_.push_back(SymbolId{c});
    if (!lr_terminal.predicate) terminator_emit_.push_back(SymbolId{c});
  }
}

}  // namespace tenon::constraint
