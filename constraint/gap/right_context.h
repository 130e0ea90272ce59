// One right context, read: lexemes, automaton, demand graph and the classes that stacks fall into before it.
//
// What is known about R does not depend on L, so gaps with the same R share one of these. Classes and lexemes grow while they are used;
// the stacks that they are asked about are those of one mover.
// Cost: docs/measured.md. Thread rule: one thread at a time, with all gaps that share it.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "constraint/gap/branch.h"
#include "constraint/gap/construct_parser.h"
#include "constraint/gap/demand_graph.h"
#include "constraint/gap/language.h"
#include "constraint/gap/right_automaton.h"
#include "constraint/gap/right_spine.h"
#include "constraint/gap/viability_class.h"

namespace tenon::constraint {

class RightContext {
 public:
  RightContext(std::shared_ptr<const Language> language, std::shared_ptr<BranchMover> mover, std::string_view text,
               bool emit);
  RightContext(const RightContext&) = delete;
  RightContext& operator=(const RightContext&) = delete;

  // Makes graph(whole) and classes(whole). `whole`: nothing stands left of the gap. False: stopped; calling it again goes on.
  [[nodiscard]] bool Prepare(bool whole, const std::stop_token& stop);
  // REQUIRES: Prepare(whole).
  const DemandGraph& graph(bool whole) const { return *demands_[whole].graph; }
  ViabilityClasses& classes(bool whole) { return *demands_[whole].classes; }

  const Language& language() const { return *language_; }
  BranchMover& mover() { return *mover_; }
  const std::string& text() const { return text_; }
  RightLexemes& lexemes() { return lexemes_; }
  const RightAutomaton& automaton() const { return automaton_; }

 private:
  struct Demand {
    std::optional<DemandGraph> graph;
    std::optional<ViabilityClasses> classes;
  };

  std::shared_ptr<const Language> language_;
  std::shared_ptr<BranchMover> mover_;
  std::string text_;
  bool emit_;
  RightLexemes lexemes_;
  RightAutomaton automaton_;
  ConstructParser constructs_;
  RightSpine spine_;
  Demand demands_[2];  // [whole]
};

}  // namespace tenon::constraint
