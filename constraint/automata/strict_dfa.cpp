#include "constraint/automata/strict_dfa.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "constraint/automata/dfa_minimizer.h"
#include "constraint/automata/nfa.h"
#include "constraint/automata/subset_construction.h"

namespace tenon::constraint {
namespace {

// States of the minimal automaton agree in their label, and in the states that they lead to.
struct Label {
  std::vector<uint16_t> matching;  // patterns, and start marks
  std::vector<uint16_t> ends;
  bool goes_on = false;
  auto operator<=>(const Label&) const = default;
};

// Gives state 0 a state of its own, which no edge leads to, and the first group's mark.
void SeparateStart(DfaTable& table) {
  const auto leads_back = [](const auto& row) {
    return std::find(row.begin(), row.end(), kStartState) != row.end();
  };
  if (std::any_of(table.next.begin(), table.next.end(), leads_back)) {
    const DfaStateId again{static_cast<uint16_t>(table.next.size())};
    table.next.push_back(std::array(table.next[0]));
    table.accepts.push_back(std::vector(table.accepts[0]));
    for (auto& row : table.next) std::replace(row.begin(), row.end(), kStartState, again);
  }
  table.accepts[0].push_back(kStartMark);
}

// [state of `fine`] the state of `coarse` that the same texts lead to. REQUIRES: each state is
// reached from a start.
std::vector<uint16_t> StatesAlike(const DfaTable& fine, const DfaTable& coarse) {
  std::vector<uint16_t> alike(fine.next.size(), kDeadState.value);
  std::vector<uint16_t> work;
  const auto meet = [&](DfaStateId q, DfaStateId c) {
    if (alike[q.value] == kDeadState.value) work.push_back(q.value);
    alike[q.value] = c.value;
  };
  meet(kStartState, kStartState);
  for (size_t g = 0; g < fine.starts.size(); ++g) meet(fine.starts[g], coarse.starts[g]);
  while (!work.empty()) {
    const uint16_t q = work.back();
    work.pop_back();
    for (size_t b = 0; b < 256; ++b) {
      if (fine.next[q][b] != kDeadState) meet(fine.next[q][b], coarse.next[alike[q]][b]);
    }
  }
  return alike;
}

}  // namespace

class StrictDfaBuilder {
 public:
  StrictDfaBuilder(std::span<const Regex> patterns, std::span<const StrictForm> forms,
                   const StrictDfa::Ends& ends)
      : patterns_(patterns), forms_(forms), ends_(ends) {}

  tl::expected<StrictDfa, std::string> Build(std::span<const std::vector<uint16_t>> groups,
                                             size_t max_states) {
    max_states = std::min<size_t>(max_states, kDeadState.value - 1);  // one more may be the start's
    std::vector<Regex> all(patterns_.begin(), patterns_.end());
    pattern_of_form_.clear();
    for (uint16_t p = 0; p < forms_.size(); ++p) {
      if (forms_[p].kind != StrictForm::Kind::kForm) continue;
      all.push_back(forms_[p].form);
      pattern_of_form_.push_back(p);
    }
    if (all.size() + groups.size() > max_states)
      return tl::unexpected(fmt::format("more than {} patterns", max_states));
    const tl::expected<Nfa, std::string> nfa = Nfa::Build(all);
    if (!nfa) return tl::unexpected(nfa.error());
    std::vector<std::vector<uint16_t>> with_forms(groups.begin(), groups.end());
    for (std::vector<uint16_t>& group : with_forms) {
      for (size_t f = 0; f < pattern_of_form_.size(); ++f) {
        if (std::find(group.begin(), group.end(), pattern_of_form_[f]) != group.end())
          group.push_back(static_cast<uint16_t>(patterns_.size() + f));
      }
    }
    tl::expected<DfaTable, std::string> subsets = Determinize(*nfa, with_forms, max_states);
    if (!subsets) return tl::unexpected(subsets.error());
    SeparateStart(*subsets);
    DfaTable table = WithoutDeadStates(*subsets);
    AddLabels(table);
    table_ = Minimize(table);
    FindEdges();
    FoldLaxStates();
    return Finish();
  }

 private:
  // Replaces the accepted sets of the states by the numbers of their labels.
  void AddLabels(DfaTable& table) {
    const size_t states = table.next.size();
    std::vector<Label> labels(states);
    std::vector<bool> strict_ends(states);
    std::vector<uint16_t> strict;
    for (size_t q = 0; q < states; ++q) {
      std::vector<uint16_t>& matching = labels[q].matching;
      strict.clear();
      for (const uint16_t p : table.accepts[q]) {
        const bool form = p >= patterns_.size() && p < patterns_.size() + pattern_of_form_.size();
        if (!form) matching.push_back(p);
        if (form) strict.push_back(pattern_of_form_[p - patterns_.size()]);
        if (p < patterns_.size() && forms_[p].kind == StrictForm::Kind::kItself)
          strict.push_back(p);
      }
      std::sort(strict.begin(), strict.end());
      labels[q].ends = ends_(Patterns(matching), strict);
      strict_ends[q] = !labels[q].ends.empty();
    }
    const std::vector<bool> goes_on = StatesReaching(strict_ends, table);
    std::map<Label, uint16_t> numbers;
    for (size_t q = 0; q < states; ++q) {
      labels[q].goes_on = goes_on[q];
      if (!goes_on[q])
        labels[q].ends = ends_(Patterns(labels[q].matching), EverStrict(labels[q].matching));
      const auto [at, fresh] =
          numbers.try_emplace(labels[q], static_cast<uint16_t>(labels_.size()));
      if (fresh) labels_.push_back(labels[q]);
      table.accepts[q] = {at->second};
    }
  }

  // Without the start marks, which are the largest.
  std::span<const uint16_t> Patterns(std::span<const uint16_t> matching) const {
    return matching.first(static_cast<size_t>(
        std::lower_bound(matching.begin(), matching.end(), patterns_.size()) - matching.begin()));
  }

  std::vector<uint16_t> EverStrict(std::span<const uint16_t> matching) const {
    std::vector<uint16_t> strict;
    for (const uint16_t p : Patterns(matching)) {
      if (forms_[p].kind != StrictForm::Kind::kNone) strict.push_back(p);
    }
    return strict;
  }

  const Label& LabelOf(size_t q) const { return labels_[table_.accepts[q][0]]; }

  void FindEdges() {
    edges_.assign(table_.next.size(), {});
    for (size_t q = 0; q < edges_.size(); ++q) {
      if (!LabelOf(q).goes_on) continue;
      for (size_t b = 0; b < 256; ++b) {
        const DfaStateId to = table_.next[q][b];
        edges_[q][b] = to != kDeadState && LabelOf(to.value).goes_on;
      }
    }
  }

  // A state that no strict text leads to is lax. Lax states are compared with strict ones by the
  // texts that may follow: if one strict state is equal, the lax state becomes that state; if
  // several are, it gets the strict edges of all of them.
  void FoldLaxStates() {
    DfaTable plain = table_;
    for (size_t q = 0; q < plain.next.size(); ++q) plain.accepts[q] = LabelOf(q).matching;
    const std::vector<uint16_t> alike = StatesAlike(table_, Minimize(plain));
    // [state of the automaton without strictness] the strict states that became it
    std::vector<std::vector<uint16_t>> strict(alike.size());
    for (uint16_t q = 0; q < alike.size(); ++q) {
      if (LabelOf(q).goes_on) strict[alike[q]].push_back(q);
    }
    std::vector<DfaStateId> kept;
    for (uint16_t q = 0; q < alike.size(); ++q) {
      const std::vector<uint16_t>& candidates = strict[alike[q]];
      const bool lax = !LabelOf(q).goes_on;
      kept.push_back(DfaStateId{lax && candidates.size() == 1 ? candidates[0] : q});
      if (!lax) continue;
      for (const uint16_t candidate : candidates) edges_[q] |= edges_[candidate];
    }
    for (auto& row : table_.next) {
      for (DfaStateId& to : row) to = to == kDeadState ? kDeadState : kept[to.value];
    }
  }

  // Shares equal starts, numbers the states breadth first from the starts, and removes the marks.
  StrictDfa Finish() {
    std::vector<DfaStateId> starts = {kStartState};
    for (const DfaStateId start : table_.starts) {
      const auto same = std::find_if(starts.begin(), starts.end(), [&](DfaStateId other) {
        return table_.next[other.value] == table_.next[start.value] &&
               edges_[other.value] == edges_[start.value];
      });
      starts.push_back(same == starts.end() ? start : *same);
    }
    StrictDfa result;
    std::vector<DfaStateId> number(table_.next.size(), kDeadState);
    std::vector<uint16_t> order;
    const auto visit = [&](DfaStateId q) {
      if (number[q.value] != kDeadState) return;
      number[q.value] = DfaStateId{static_cast<uint16_t>(order.size())};
      order.push_back(q.value);
    };
    size_t at = 0;
    for (const DfaStateId start : starts) {
      for (visit(start); at < order.size(); ++at) {
        for (const DfaStateId to : table_.next[order[at]]) {
          if (to != kDeadState) visit(to);
        }
      }
    }
    for (const uint16_t q : order) {
      auto& row = result.dfa.next_.emplace_back(table_.next[q]);
      for (DfaStateId& to : row) to = to == kDeadState ? kDeadState : number[to.value];
      const Label& label = LabelOf(q);
      const std::span<const uint16_t> matching = Patterns(label.matching);
      const bool start = matching.size() != label.matching.size();
      auto& accepts = result.dfa.accepts_.emplace_back();
      if (!start) accepts.assign(matching.begin(), matching.end());
      result.ends.push_back(start ? std::vector<uint16_t>() : label.ends);
      result.edges.push_back(edges_[q]);
      result.goes_on.push_back(label.goes_on);
    }
    for (const DfaStateId start : starts) result.dfa.starts_.push_back(number[start.value]);
    return result;
  }

  const std::span<const Regex> patterns_;
  const std::span<const StrictForm> forms_;
  const StrictDfa::Ends& ends_;
  std::vector<uint16_t> pattern_of_form_;  // [form's pattern index minus the number of patterns]
  std::vector<Label> labels_;
  DfaTable table_;  // accepts: the number of the label
  std::vector<std::bitset<256>> edges_;
};

tl::expected<StrictDfa, std::string> StrictDfa::Build(std::span<const Regex> patterns,
                                                      std::span<const StrictForm> forms,
                                                      std::span<const std::vector<uint16_t>> groups,
                                                      const Ends& ends, size_t max_states) {
  return StrictDfaBuilder(patterns, forms, ends).Build(groups, max_states);
}

}  // namespace tenon::constraint
