#include "constraint/automata/dfa.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/dfa_minimizer.h"
#include "constraint/automata/nfa.h"
#include "constraint/automata/subset_construction.h"

namespace tenon::constraint {

tl::expected<Dfa, std::string> Dfa::Build(std::span<const Regex> patterns, size_t max_states) {
  // State ids are 16 bits wide, with one value for "dead".
  max_states = std::min<size_t>(max_states, kDeadState.value);
  if (patterns.size() > max_states)
    return tl::unexpected(fmt::format("more than {} patterns", max_states));
  const tl::expected<Nfa, std::string> nfa = Nfa::Build(patterns);
  if (!nfa) return tl::unexpected(nfa.error());
  std::vector<uint16_t> all(patterns.size());
  std::iota(all.begin(), all.end(), uint16_t{0});
  Dfa dfa;
  dfa.starts_ = {kStartState};
  if (patterns.empty()) {
    dfa.next_.emplace_back().fill(kDeadState);
    dfa.accepts_.emplace_back();
    return dfa;
  }
  const tl::expected<DfaTable, std::string> subsets =
      Determinize(*nfa, std::span(&all, 1), max_states);
  if (!subsets) return tl::unexpected(subsets.error());
  DfaTable minimal = Minimize(WithoutDeadStates(*subsets));
  dfa.next_ = std::move(minimal.next);
  dfa.accepts_ = std::move(minimal.accepts);
  return dfa;
}

}  // namespace tenon::constraint
