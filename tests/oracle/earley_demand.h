// The demand graph by Earley's algorithm: every item of the grammar may be the one the gap lies in,
// nothing is skipped or merged.
//
// Source: Earley, An efficient context-free parsing algorithm, CACM 1970; set 0 holds every item
// with unknown origin.
// Cost: some 30 items a terminal. Thread rule: a pure function.
#pragma once

#include "constraint/right/demand_graph.h"

namespace tenon::oracle {

[[nodiscard]] constraint::DemandGraph EarleyDemandGraph(const constraint::GrammarIndex& index,
                                                        constraint::RightAutomaton& automaton,
                                                        const constraint::Yields& yields);

}  // namespace tenon::oracle
