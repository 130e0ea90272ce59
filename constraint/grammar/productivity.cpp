#include "constraint/grammar/productivity.h"

#include <algorithm>

namespace tenon::constraint {

std::vector<bool> EmitProductive(const Grammar& grammar, InContext in) {
  std::vector<bool> productive(grammar.symbol_count(), false);
  for (size_t i = 0; i < grammar.columns.size(); ++i) {
    const Column& column = grammar.columns[i];
    productive[i] =
        grammar.terminals[column.terminal.value].emitted &&
        (in == InContext::kEvery ? !column.predicate : column.predicate != kGivenPredicate);
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
