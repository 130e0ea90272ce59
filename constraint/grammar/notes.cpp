#include "constraint/grammar/notes.h"

#include <algorithm>

#include <fmt/format.h>

#include "constraint/grammar/productivity.h"

namespace tenon::constraint {
namespace {

// [nonterminal] the nonterminals that it derives in one step or more, all else being empty.
std::vector<std::vector<bool>> DerivedAlone(const PlainRules& rules) {
  const size_t n = rules.nonterminals.size();
  std::vector<bool> nullable(n, false);
  const auto empty = [&](const PlainSymbol& s) { return !s.is_terminal && nullable[s.index]; };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < n; ++i) {
      if (nullable[i]) continue;
      const auto& bodies = rules.nonterminals[i].bodies;
      nullable[i] = std::any_of(bodies.begin(), bodies.end(), [&](const PlainBody& body) {
        return std::all_of(body.begin(), body.end(), empty);
      });
      changed = changed || nullable[i];
    }
  }
  std::vector<std::vector<bool>> alone(n, std::vector<bool>(n, false));
  for (size_t i = 0; i < n; ++i) {
    for (const PlainBody& body : rules.nonterminals[i].bodies) {
      const auto owed =
          std::count_if(body.begin(), body.end(), [&](const PlainSymbol& s) { return !empty(s); });
      if (owed > 1) continue;
      for (const PlainSymbol& s : body) {
        if (!s.is_terminal && (owed == 0 || !empty(s))) alone[i][s.index] = true;
      }
    }
  }
  for (size_t via = 0; via < n; ++via) {
    for (size_t from = 0; from < n; ++from) {
      if (!alone[from][via]) continue;
      for (size_t to = 0; to < n; ++to) alone[from][to] = alone[from][to] || alone[via][to];
    }
  }
  return alone;
}

}  // namespace

std::vector<GrammarNote> NotesOn(const PlainRules& rules, const Grammar& grammar,
                                 const ErrorSink& files) {
  std::vector<GrammarNote> notes;
  const auto alone = DerivedAlone(rules);
  const std::vector<bool> written = EmitProductive(grammar, InContext::kSome);
  for (size_t i = 0; i < rules.nonterminals.size(); ++i) {
    const PlainNonterminal& nonterminal = rules.nonterminals[i];
    if (nonterminal.made) continue;
    const auto note = [&](std::string message) {
      notes.push_back({files.PathOf(nonterminal.place), nonterminal.place.line,
                       nonterminal.place.column, std::move(message)});
    };
    if (alone[i][i]) {
      note(
          fmt::format("the rule '{}' derives itself and nothing more: each of its texts has "
                      "endlessly many trees; take "
                      "out the alternative that leads back to it",
                      nonterminal.name));
    }
    for (size_t s = 0; s < grammar.nonterminals.size(); ++s) {
      if (grammar.nonterminals[s] != nonterminal.name || written[grammar.lr_terminals.size() + s])
        continue;
      note(
          fmt::format("the rule '{}' is accepted but never written: every alternative needs a "
                      "'#given' or a terminal "
                      "with '%emit ... never'; give it another one if completions should hold it",
                      nonterminal.name));
    }
  }
  return notes;
}

}  // namespace tenon::constraint
