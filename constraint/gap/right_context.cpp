#include "constraint/gap/right_context.h"

namespace tenon::constraint {

RightContext::RightContext(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover,
                           std::string_view text, bool emit, size_t room, bool in_lexemes)
    : language_(std::move(language)),
      mover_(std::move(mover)),
      emit_(emit),
      lexemes_(language_->lexer, text, room),
      automaton_(language_->grammar, language_->lexer, language_->layout, lexemes_,
                 {.emit = emit,
                  .max_nodes = RightAutomaton::Options{}.max_nodes,
                  .insertions = language_->insertions.get(),
                  .in_lexemes = in_lexemes}),
      constructs_(*language_->index),
      spine_(*language_->index, automaton_, constructs_) {}

bool RightContext::Reread(std::string_view text) {
  if (stopped_ || automaton_.truncated()) return false;
  std::optional<size_t> kept = lexemes_.Reread(text);
  if (!kept) return false;
  for (Demand& demand : demands_) {
    demand.classes.reset();
    demand.graph.reset();
  }
  boost::unordered::erase_if(accepted_, [&](const auto& entry) { return entry.first.offset < *kept; });
  automaton_.Reread(*kept);
  return true;
}

bool RightContext::Prepare(bool whole, const std::stop_token& stop) {
  Demand& demand = demands_[whole];
  if (demand.graph) return true;
  const Yields& yields = *language_->yields[emit_];
  stopped_ = true;
  demand.graph = DemandGraph::Build(*language_->index, automaton_, yields, spine_, whole, stop);
  if (!demand.graph) return false;
  stopped_ = false;
  if (automaton_.truncated()) demand.graph.emplace();
  const LayoutRules& layout = language_->layout;
  demand.classes.emplace(*language_->index, language_->table, *demand.graph, yields,
                         layout.has_columns() ? std::optional(layout.indent_column()) : std::nullopt,
                         text().empty() && language_->open_ended);
  return true;
}

std::optional<bool> RightContext::Accepted(const Passed& passed) const {
  auto at = accepted_.find(passed);
  if (at == accepted_.end()) return std::nullopt;
  return at->second;
}

size_t RightContext::node_bytes() const {
  return automaton_.memory_bytes() + constructs_.memory_bytes() + spine_.memory_bytes() +
         accepted_.bucket_count() * (sizeof(Passed) + 2);
}

}  // namespace tenon::constraint
