#include "constraint/right/right_labels.h"

#include <algorithm>
#include <utility>

namespace tenon::constraint {

RightLabels::RightLabels(const Lexer& lexer, const LayoutRules& layout) : layout_(layout) {
  for (size_t i = 0; i < lexer.lexeme_count(); ++i) {
    const std::vector<SymbolId>& lr_terminals =
        lexer.lexeme(LexemeId{static_cast<uint16_t>(i)}).given_terminals;
    for (bool line_seen : {false, true})
      of_lexemes_[line_seen].push_back(Divided(Allowed(lr_terminals, line_seen)));
  }
  if (layout.active()) newline_ = Of({layout.newline_terminal()});
  if (layout.has_columns()) {
    indent_ = Of({layout.indent_terminal()});
    dedent_ = Of({layout.dedent_terminal()});
  }
}

uint32_t RightLabels::Of(std::vector<SymbolId> lr_terminals) {
  std::sort(lr_terminals.begin(), lr_terminals.end());
  auto at = std::find(labels_.begin(), labels_.end(), lr_terminals);
  if (at != labels_.end()) return static_cast<uint32_t>(at - labels_.begin());
  labels_.push_back(std::move(lr_terminals));
  return static_cast<uint32_t>(labels_.size() - 1);
}

RightLabels::ByLineEnd RightLabels::Divided(const std::vector<SymbolId>& lr_terminals) {
  std::vector<SymbolId> plain, ends_phrase;
  for (SymbolId c : lr_terminals)
    (layout_.line_ends().EndsPhrase(c) ? ends_phrase : plain).push_back(c);
  const uint32_t of_plain = Of(std::move(plain));
  return {of_plain, Of(std::move(ends_phrase))};
}

std::vector<SymbolId> RightLabels::Allowed(std::vector<SymbolId> lr_terminals,
                                           bool line_seen) const {
  lr_terminals.erase(
      std::remove_if(lr_terminals.begin(), lr_terminals.end(),
                     [&](SymbolId c) { return !layout_.line_ends().Allows(c, line_seen); }),
      lr_terminals.end());
  return lr_terminals;
}

bool RightLabels::DependsOnLineEnd(const Lexeme& lexeme) const {
  const auto depends = [&](const std::vector<SymbolId>& lr_terminals) {
    return std::any_of(lr_terminals.begin(), lr_terminals.end(),
                       [&](SymbolId c) { return layout_.line_ends().HasCondition(c); });
  };
  return depends(lexeme.given_terminals) ||
         std::any_of(lexeme.splits.begin(), lexeme.splits.end(),
                     [&](const auto& parts) { return depends(parts[0].given); });
}

}  // namespace tenon::constraint
