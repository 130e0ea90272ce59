#include "constraint/quotient/middle_grammar.h"

#include <algorithm>
#include <map>
#include <set>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

using Symbol = MiddleGrammar::Symbol;
using Body = MiddleGrammar::Body;

void DropUnproductive(MiddleGrammar& grammar) {
  std::vector<bool> productive(grammar.nonterminals.size());
  auto holds = [&](Symbol s) { return s.is_terminal || productive[s.index]; };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 0; n < productive.size(); ++n) {
      if (productive[n]) continue;
      for (const Body& body : grammar.nonterminals[n].bodies) {
        if (!std::all_of(body.begin(), body.end(), holds)) continue;
        productive[n] = changed = true;
        break;
      }
    }
  }
  for (MiddleGrammar::Nonterminal& nonterminal : grammar.nonterminals) {
    std::erase_if(nonterminal.bodies,
                  [&](const Body& body) { return !std::all_of(body.begin(), body.end(), holds); });
  }
}

void SortBodies(MiddleGrammar& grammar) {
  for (uint32_t n = 0; n < grammar.nonterminals.size(); ++n) {
    auto& bodies = grammar.nonterminals[n].bodies;
    std::erase(bodies, Body{Symbol{false, n}});  // X alone says nothing of X
    SortUnique(bodies);
  }
}

// Replaces each nonterminal by `replacement`, in all bodies.
bool Replace(MiddleGrammar& grammar, const std::map<uint32_t, Body>& replacement) {
  if (replacement.empty()) return false;
  for (MiddleGrammar::Nonterminal& nonterminal : grammar.nonterminals) {
    for (Body& body : nonterminal.bodies) {
      Body made;
      for (Symbol s : body) {
        auto at = s.is_terminal ? replacement.end() : replacement.find(s.index);
        if (at == replacement.end())
          made.push_back(s);
        else
          made.insert(made.end(), at->second.begin(), at->second.end());
      }
      body = std::move(made);
    }
  }
  return true;
}

// A nonterminal that derives the empty word alone becomes nothing.
void DropVanishing(MiddleGrammar& grammar) {
  std::vector<bool> has_word(grammar.nonterminals.size());
  auto holds = [&](Symbol s) { return s.is_terminal || has_word[s.index]; };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 0; n < has_word.size(); ++n) {
      if (has_word[n]) continue;
      for (const Body& body : grammar.nonterminals[n].bodies)
        has_word[n] = has_word[n] || std::any_of(body.begin(), body.end(), holds);
      changed |= has_word[n];
    }
  }
  for (MiddleGrammar::Nonterminal& nonterminal : grammar.nonterminals) {
    for (Body& body : nonterminal.bodies) std::erase_if(body, [&](Symbol s) { return !holds(s); });
  }
}

bool InlineShort(MiddleGrammar& grammar) {
  std::map<uint32_t, Body> replacement;
  for (uint32_t n = 1; n < grammar.nonterminals.size(); ++n) {
    const auto& bodies = grammar.nonterminals[n].bodies;
    if (bodies.size() != 1 || bodies[0].size() > 1) continue;
    // One at a time along a chain: a replacement must not be replaced itself.
    if (!bodies[0].empty() && !bodies[0][0].is_terminal && replacement.contains(bodies[0][0].index))
      continue;
    replacement.emplace(n, bodies[0]);
  }
  for (auto at = replacement.begin(); at != replacement.end();) {
    const Body& body = at->second;
    bool chained = !body.empty() && !body[0].is_terminal && replacement.contains(body[0].index);
    at = chained ? replacement.erase(at) : std::next(at);
  }
  if (!Replace(grammar, replacement)) return false;
  for (const auto& [n, body] : replacement) grammar.nonterminals[n].bodies.clear();
  return true;
}

bool MergeEqual(MiddleGrammar& grammar) {
  std::map<std::vector<Body>, uint32_t> first;
  std::map<uint32_t, Body> replacement;
  for (uint32_t n = 0; n < grammar.nonterminals.size(); ++n) {
    const auto& bodies = grammar.nonterminals[n].bodies;
    if (bodies.empty()) continue;
    auto at = first.try_emplace(bodies, n).first;
    bool better = n > 0 && at->second > 0 && grammar.nonterminals[n].whole &&
                  !grammar.nonterminals[at->second].whole;
    if (better) at->second = n;
  }
  for (uint32_t n = 0; n < grammar.nonterminals.size(); ++n) {
    const auto& bodies = grammar.nonterminals[n].bodies;
    uint32_t kept = bodies.empty() ? n : first.at(bodies);
    if (kept != n) replacement.emplace(n, Body{Symbol{false, kept}});
  }
  if (!Replace(grammar, replacement)) return false;
  for (const auto& [n, body] : replacement) grammar.nonterminals[n].bodies.clear();
  return true;
}

// Nonterminals in the order in which the start reaches them, terminals in their own order.
void KeepReached(MiddleGrammar& grammar) {
  std::vector<uint32_t> order{0};
  std::map<uint32_t, uint32_t> ids{{0, 0}};
  std::set<uint32_t> used;
  for (size_t i = 0; i < order.size(); ++i) {
    for (const Body& body : grammar.nonterminals[order[i]].bodies) {
      for (Symbol s : body) {
        if (s.is_terminal) {
          used.insert(s.index);
        } else if (ids.try_emplace(s.index, static_cast<uint32_t>(order.size())).second) {
          order.push_back(s.index);
        }
      }
    }
  }
  std::map<uint32_t, uint32_t> terminal_ids;
  std::vector<MiddleGrammar::Terminal> terminals;
  for (uint32_t t : used) {
    terminal_ids.emplace(t, static_cast<uint32_t>(terminals.size()));
    terminals.push_back(std::move(grammar.terminals[t]));
  }
  std::vector<MiddleGrammar::Nonterminal> kept;
  for (uint32_t n : order) {
    kept.push_back(std::move(grammar.nonterminals[n]));
    for (Body& body : kept.back().bodies) {
      for (Symbol& s : body) s.index = s.is_terminal ? terminal_ids.at(s.index) : ids.at(s.index);
    }
  }
  grammar.terminals = std::move(terminals);
  grammar.nonterminals = std::move(kept);
}

template <typename Named>
void NameApart(std::vector<Named>& all, std::set<std::string>& taken) {
  for (Named& one : all) {
    std::string name = one.name;
    for (int n = 2; !taken.insert(name).second; ++n) name = one.name + "_" + std::to_string(n);
    one.name = std::move(name);
  }
}

}  // namespace

void MiddleGrammar::Simplify() {
  DropUnproductive(*this);
  DropVanishing(*this);
  do {
    SortBodies(*this);
  } while (InlineShort(*this) || MergeEqual(*this));
  KeepReached(*this);
  std::set<std::string> taken;
  NameApart(nonterminals, taken);
  for (const constraint::Terminal& terminal : language->grammar.terminals) {
    if (terminal.kind == TerminalKind::kIgnored) taken.insert(terminal.name);
  }
  NameApart(terminals, taken);
}

}  // namespace tenon::constraint
