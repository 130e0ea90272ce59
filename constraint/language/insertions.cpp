#include "constraint/language/insertions.h"

#include <algorithm>

#include "constraint/lr/lr.h"

namespace tenon::constraint {

Insertions::Insertions(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout,
                       const LrTable& table)
    : lexemes_(lexer.lexeme_count()) {
  const LookThrough look(grammar, table, std::vector<bool>(table.state_count()));
  const std::span<const SymbolId> inserted = layout.line_ends().inserted();
  for (auto& pairs : may_stand_) pairs.resize(lexemes_ * (lexemes_ + 1));
  for (uint16_t before = 0; before < lexemes_; ++before) {
    const Lexeme& first = lexer.lexeme(LexemeId{before});
    if (first.kind != TerminalKind::kParsed) continue;
    std::vector<SymbolId> last = first.given_terminals;
    for (const std::vector<LexemeTerminals>& parts : first.splits)
      last.insert(last.end(), parts.back().given.begin(), parts.back().given.end());
    std::vector<LrStateId> states;  // in which the terminal may be inserted
    for (SymbolId lr_terminal : last) {
      const SymbolId read_as =
          grammar.lr_terminals[lr_terminal.value].reads_as.value_or(lr_terminal);
      for (LrStateId state : look.ShiftedTo(read_as)) {
        if (!std::all_of(inserted.begin(), inserted.end(),
                         [&](SymbolId terminal) { return look.Never(state, terminal); }))
          states.push_back(state);
      }
    }
    const size_t row = before * (lexemes_ + 1);
    may_stand_[false][row + lexemes_] = may_stand_[true][row + lexemes_] = !states.empty();
    for (uint16_t after = 0; after < lexemes_; ++after) {
      const Lexeme& next = lexer.lexeme(LexemeId{after});
      if (next.kind != TerminalKind::kParsed) continue;
      for (bool line_seen : {false, true}) {
        if (!line_seen && !next.insert_before) continue;
        const auto taken = [&](LrStateId state) {
          return std::any_of(next.given_terminals.begin(), next.given_terminals.end(),
                             [&](SymbolId lr_terminal) {
                               return layout.line_ends().Allows(lr_terminal, line_seen) &&
                                      look.Always(state, lr_terminal);
                             });
        };
        may_stand_[line_seen][row + after] = !std::all_of(states.begin(), states.end(), taken);
      }
    }
  }
}

}  // namespace tenon::constraint
