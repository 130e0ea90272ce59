#include "constraint/grammar/notes.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "constraint/grammar/epsilon_free.h"
#include "constraint/grammar/productivity.h"

namespace tenon::constraint {
namespace {

using Edges = std::vector<std::vector<uint32_t>>;  // [node] the nodes that it leads to

// [nonterminal] the nonterminals that it derives in one step, all else being empty.
Edges DerivedAlone(const PlainRules& rules) {
  const std::vector<bool> nullable = FindNullable(rules);
  const auto empty = [&](const PlainSymbol& s) { return !s.is_terminal && nullable[s.index]; };
  Edges alone(rules.nonterminals.size());
  for (size_t i = 0; i < alone.size(); ++i) {
    for (const PlainBody& body : rules.nonterminals[i].bodies) {
      const auto owed =
          std::count_if(body.begin(), body.end(), [&](const PlainSymbol& s) { return !empty(s); });
      if (owed > 1) continue;
      for (const PlainSymbol& s : body) {
        if (!s.is_terminal && (owed == 0 || !empty(s))) alone[i].push_back(s.index);
      }
    }
  }
  return alone;
}

Edges Reversed(const Edges& edges) {
  Edges reversed(edges.size());
  for (uint32_t from = 0; from < edges.size(); ++from) {
    for (const uint32_t to : edges[from]) reversed[to].push_back(from);
  }
  return reversed;
}

// Appends the nodes that `start` reaches and that are not seen yet, each after all that it reaches.
void AppendFinished(const Edges& edges, uint32_t start, std::vector<bool>& seen,
                    std::vector<uint32_t>& finished) {
  struct Visit {
    uint32_t node;
    size_t followed = 0;  // edges
  };
  std::vector<Visit> path;
  const auto enter = [&](uint32_t node) {
    if (seen[node]) return;
    seen[node] = true;
    path.push_back({node});
  };
  enter(start);
  while (!path.empty()) {
    const uint32_t node = path.back().node;
    if (path.back().followed < edges[node].size()) {
      enter(edges[node][path.back().followed++]);
    } else {
      finished.push_back(node);
      path.pop_back();
    }
  }
}

// [node] does some way lead from it back to it? By strongly connected components.
std::vector<bool> FindCyclic(const Edges& edges) {
  std::vector<uint32_t> finished, component;
  std::vector<bool> seen(edges.size()), settled(edges.size()), cyclic(edges.size());
  for (uint32_t node = 0; node < edges.size(); ++node) AppendFinished(edges, node, seen, finished);
  const Edges reversed = Reversed(edges);
  for (size_t i = finished.size(); i-- > 0;) {
    component.clear();
    AppendFinished(reversed, finished[i], settled, component);
    for (const uint32_t node : component) {
      cyclic[node] = component.size() > 1 ||
                     std::find(edges[node].begin(), edges[node].end(), node) != edges[node].end();
    }
  }
  return cyclic;
}

}  // namespace

std::vector<GrammarNote> NotesOn(const PlainRules& rules, const Grammar& grammar,
                                 const ErrorSink& files) {
  std::vector<GrammarNote> notes;
  const std::vector<bool> cyclic = FindCyclic(DerivedAlone(rules));
  const std::vector<bool> written = EmitProductive(grammar, InContext::kSome);
  std::set<std::string_view> unwritten;
  for (size_t s = 0; s < grammar.nonterminals.size(); ++s) {
    if (!written[grammar.lr_terminals.size() + s]) unwritten.insert(grammar.nonterminals[s]);
  }
  for (size_t i = 0; i < rules.nonterminals.size(); ++i) {
    const PlainNonterminal& nonterminal = rules.nonterminals[i];
    if (nonterminal.made) continue;
    const auto note = [&](std::string message) {
      notes.push_back({files.PathOf(nonterminal.place), nonterminal.place.line,
                       nonterminal.place.column, std::move(message)});
    };
    if (cyclic[i]) {
      note(
          fmt::format("the rule '{}' derives itself and nothing more: each of its texts has "
                      "endlessly many trees; take out the alternative that leads back to it",
                      nonterminal.name));
    }
    if (unwritten.count(nonterminal.name) > 0) {
      note(fmt::format(
          "the rule '{}' is accepted but never written: every alternative needs a '#given' or a "
          "terminal with '%emit ... never'; give it another one if completions should hold it",
          nonterminal.name));
    }
  }
  return notes;
}

}  // namespace tenon::constraint
