#include "constraint/grammar/productivity.h"

#include <algorithm>

namespace tenon::constraint {

std::vector<bool> EmitProductive(const Grammar& grammar, InContext in) {
  std::vector<bool> productive(grammar.symbol_count(), false);
  for (size_t i = 0; i < grammar.lr_terminals.size(); ++i) {
    const LrTerminal& lr_terminal = grammar.lr_terminals[i];
    productive[i] = grammar.terminals[lr_terminal.terminal.value].emitted &&
                    (in == InContext::kEvery ? !lr_terminal.predicate
                                             : lr_terminal.predicate != kGivenPredicate);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : grammar.rules) {
      if (productive[rule.head.value]) continue;
      if (std::all_of(rule.body.begin(), rule.body.end(),
                      [&](SymbolId s) { return productive[s.value]; })) {
        productive[rule.head.value] = changed = true;
      }
    }
  }
  return productive;
}

}  // namespace tenon::constraint
