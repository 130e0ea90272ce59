#include "constraint/gap/right_context.h"

#include <algorithm>

namespace tenon::constraint {

RightContext::RightContext(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover,
                           std::string_view text, bool emit, size_t room, bool in_lexemes)
    : language_(std::move(language)),
      mover_(std::move(mover)),
      emit_(emit),
      lexemes_(language_->lexer, *language_->lexeme_rules, text, room, language_->grammar.limits),
      automaton_(language_->grammar, language_->lexer, language_->layout, lexemes_,
                 {.emit = emit,
                  .max_nodes = RightAutomaton::Options{}.max_nodes,
                  .insertions = language_->insertions.get(),
                  .in_lexemes = in_lexemes}),
      constructs_(*language_->index) {}

bool RightContext::Reread(std::string_view text) {
  const bool stopped = std::any_of(levels_.begin(), levels_.end(), [](const auto& level) { return level->stopped; });
  const bool given_up =
      std::any_of(levels_.begin(), levels_.end(), [](const auto& level) { return level->spine.too_ambiguous(); });
  if (stopped || given_up || automaton_.truncated()) return false;
  std::optional<size_t> kept = lexemes_.Reread(text);
  if (!kept) return false;
  for (auto& level : levels_) level->demands = {};
  boost::unordered::erase_if(outcomes_, [&](const auto& entry) { return entry.first.offset < *kept; });
  automaton_.Reread(*kept);
  return true;
}

RightContext::Level& RightContext::At(PredicateBits levels) {
  for (auto& level : levels_) {
    if (level->levels == levels) return *level;
  }
  levels_.emplace_back(
      new Level{levels, RightSpine(*language_->index, automaton_, constructs_, levels, mover_->pack_above())});
  return *levels_.back();
}

RightDemand* RightContext::Prepare(bool whole, PredicateBits levels, const std::stop_token& stop) {
  Level& level = At(levels);
  std::unique_ptr<RightDemand>& demand = level.demands[whole];
  if (demand) return demand.get();
  const Yields& yields = *language_->yields[emit_];
  level.stopped = true;
  auto graph = DemandGraph::Build(*language_->index, automaton_, yields, level.spine, whole, stop);
  const bool too_ambiguous = level.spine.too_ambiguous();
  if (!graph && !too_ambiguous) return nullptr;
  level.stopped = false;
  if (automaton_.truncated() || too_ambiguous) graph.emplace();
  demand.reset(new RightDemand{whole, too_ambiguous, level.spine.barred(), std::move(*graph), std::nullopt});
  const LayoutRules& layout = language_->layout;
  demand->classes.emplace(*language_->index, language_->table, demand->graph, yields,
                          layout.has_columns() ? std::optional(layout.indent_column()) : std::nullopt,
                          text().empty() && language_->open_ended);
  return demand.get();
}

std::optional<RightContext::Outcome> RightContext::Known(const Passed& passed) const {
  auto at = outcomes_.find(passed);
  if (at == outcomes_.end()) return std::nullopt;
  return at->second;
}

size_t RightContext::node_bytes() const {
  size_t spines = 0;
  for (const auto& level : levels_) spines += level->spine.memory_bytes();
  return automaton_.memory_bytes() + constructs_.memory_bytes() + spines +
         outcomes_.bucket_count() * (sizeof(Passed) + sizeof(Outcome) + 1);
}

}  // namespace tenon::constraint
