#include "constraint/gap/right_context.h"

namespace tenon::constraint {

RightContext::RightContext(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover,
                           std::string_view text, bool emit)
    : language_(std::move(language)),
      mover_(std::move(mover)),
      text_(text),
      emit_(emit),
      lexemes_(language_->lexer, text_),
      automaton_(language_->grammar, language_->lexer, language_->layout, lexemes_, {emit}),
      constructs_(*language_->index),
      spine_(*language_->index, automaton_, constructs_) {}

bool RightContext::Prepare(bool whole, const std::stop_token& stop) {
  Demand& demand = demands_[whole];
  if (demand.graph) return true;
  const Yields& yields = *language_->yields[emit_];
  demand.graph = DemandGraph::Build(*language_->index, automaton_, yields, spine_, whole, stop);
  if (!demand.graph) return false;
  const LayoutRules& layout = language_->layout;
  demand.classes.emplace(*language_->index, language_->table, *demand.graph, yields,
                         layout.has_columns() ? std::optional(layout.indent_column()) : std::nullopt);
  return true;
}

}  // namespace tenon::constraint
