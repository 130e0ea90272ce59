#include "constraint/right/right_context.h"

#include <algorithm>

namespace tenon::constraint {

RightContext::RightContext(std::shared_ptr<const Language> language, std::string_view text,
                           bool emit, size_t room, bool in_lexemes, const std::stop_token& stop)
    : language_(std::move(language)),
      emit_(emit),
      lexemes_(language_->lexer, *language_->lexeme_rules, text, room, language_->grammar.limits,
               stop),
      automaton_(language_->grammar, language_->lexer, language_->layout, lexemes_,
                 {.emit = emit,
                  .max_nodes = RightAutomaton::Options{}.max_nodes,
                  .insertions = language_->insertions.get(),
                  .in_lexemes = in_lexemes}) {
  lexemes_.GiveUpAt({});
}

std::optional<size_t> RightContext::Reread(std::string_view text, const std::stop_token& stop) {
  const bool stopped =
      std::any_of(levels_.begin(), levels_.end(), [](const auto& level) { return level->stopped; });
  const bool given_up = std::any_of(levels_.begin(), levels_.end(),
                                    [](const auto& level) { return level->spine.too_ambiguous(); });
  if (stopped || given_up || automaton_.truncated()) return std::nullopt;
  const std::optional<size_t> kept = lexemes_.Reread(text);
  if (!kept) return std::nullopt;
  for (auto& level : levels_) level->demands = {};
  lexemes_.GiveUpAt(stop);
  automaton_.Reread(*kept);
  lexemes_.GiveUpAt({});
  return kept;
}

RightContext::Level& RightContext::At(PredicateBits levels, size_t pack_above) {
  for (auto& level : levels_) {
    if (level->levels == levels) return *level;
  }
  levels_.emplace_back(new Level{levels, RightSpine(*language_->index, automaton_,
                                                    *language_->constructs, levels, pack_above)});
  return *levels_.back();
}

const RightDemand* RightContext::Prepare(bool whole, PredicateBits levels, size_t pack_above,
                                         const std::stop_token& stop, Seam seam) {
  if (!emit_) seam = Seam::kClosed;  // all seams are one
  Level& level = At(levels, pack_above);
  std::unique_ptr<RightDemand>& demand = level.demands[static_cast<size_t>(seam)][whole];
  if (demand) return demand.get();
  level.stopped = true;
  if (!automaton_.HasStarts(seam)) {
    lexemes_.GiveUpAt(stop);
    automaton_.MakeStarts(seam);
    lexemes_.GiveUpAt({});
    if (stop.stop_requested()) return nullptr;
  }
  auto graph = DemandGraph::Build(*language_->index, automaton_, language_->YieldsAt(emit_, seam),
                                  level.spine, whole, stop, seam);
  const bool too_ambiguous = level.spine.too_ambiguous();
  if (!graph && !too_ambiguous) return nullptr;
  level.stopped = false;
  if (automaton_.truncated() || too_ambiguous) graph.emplace();
  demand.reset(new RightDemand{whole, too_ambiguous, level.spine.barred(), std::move(*graph)});
  return demand.get();
}

size_t RightContext::node_bytes() const {
  size_t spines = 0;
  for (const auto& level : levels_) spines += level->spine.memory_bytes();
  return automaton_.memory_bytes() + spines;
}

}  // namespace tenon::constraint
