#include "constraint/grammar/epsilon_free.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace tenon::constraint {
namespace {

// Bounds 2^k in one alternative.
constexpr size_t kMaxNullableSymbols = 12;

// The least set of nonterminals that have a body of members and of terminals of which
// `terminal_holds` says yes.
// Cost: rounds * rules; the rounds are as many as rules nest, a dozen or two.
template <typename Holds>
std::vector<bool> Fixpoint(const PlainRules& rules, Holds terminal_holds) {
  std::vector<bool> member(rules.nonterminals.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < rules.nonterminals.size(); ++i) {
      if (member[i]) continue;
      for (const PlainBody& body : rules.nonterminals[i].bodies) {
        const auto holds = [&](const PlainSymbol& s) {
          return s.is_terminal ? terminal_holds(s.index) : member[s.index];
        };
        if (std::all_of(body.begin(), body.end(), holds)) {
          member[i] = changed = true;
          break;
        }
      }
    }
  }
  return member;
}

// All ways to leave out nullable symbols of `body`. `vanished` symbols are always left out.
std::vector<PlainBody> WithoutNullable(const PlainBody& body, const std::vector<bool>& nullable,
                                       const std::vector<bool>& vanished) {
  std::vector<PlainBody> variants = {{}};
  for (const PlainSymbol& symbol : body) {
    if (!symbol.is_terminal && vanished[symbol.index]) continue;
    const size_t count = variants.size();
    if (!symbol.is_terminal && nullable[symbol.index]) {
      variants.resize(2 * count);
      std::copy_n(variants.begin(), count, variants.begin() + static_cast<ptrdiff_t>(count));
    }
    for (size_t i = 0; i < count; ++i) variants[i].push_back(symbol);
  }
  return variants;
}

}  // namespace

std::vector<bool> FindNullable(const PlainRules& rules) {
  return Fixpoint(rules, [](uint32_t) { return false; });
}

std::vector<bool> ReachableFrom(const PlainRules& rules, uint32_t start) {
  std::vector<bool> reached(rules.nonterminals.size(), false);
  std::vector<uint32_t> stack = {start};
  reached[start] = true;
  while (!stack.empty()) {
    const uint32_t at = stack.back();
    stack.pop_back();
    for (const PlainBody& body : rules.nonterminals[at].bodies) {
      for (const PlainSymbol& symbol : body) {
        if (symbol.is_terminal || reached[symbol.index]) continue;
        reached[symbol.index] = true;
        stack.push_back(symbol.index);
      }
    }
  }
  return reached;
}

void CheckReduced(const PlainRules& rules, uint32_t start, ErrorSink& errors) {
  const std::vector<bool> productive = Fixpoint(rules, [](uint32_t) { return true; });
  const std::vector<bool> reached = ReachableFrom(rules, start);
  for (size_t i = 0; i < rules.nonterminals.size(); ++i) {
    const PlainNonterminal& nonterminal = rules.nonterminals[i];
    if (nonterminal.made) continue;
    if (!productive[i]) {
      errors.Fail(GrammarErrorCode::kUnproductive, nonterminal.place,
                  fmt::format("the rule '{}' derives no text: every alternative leads back to it "
                              "or to a rule like it; add one that ends",
                              nonterminal.name));
    } else if (!reached[i]) {
      errors.Fail(GrammarErrorCode::kUnreachable, nonterminal.place,
                  fmt::format("the rule '{}' cannot be reached from '{}': use it or remove it",
                              nonterminal.name, rules.nonterminals[start].name));
    }
  }
}

bool RemoveEmptyBodies(PlainRules& rules, uint32_t start, ErrorSink& errors) {
  const std::vector<bool> nullable = FindNullable(rules);
  // Derives some text that is not empty: has a body with an LR terminal, or with a nonterminal that
  // does.
  std::vector<bool> vanished(rules.nonterminals.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < rules.nonterminals.size(); ++i) {
      if (!vanished[i]) continue;
      for (const PlainBody& body : rules.nonterminals[i].bodies) {
        const auto has_text = [&](const PlainSymbol& s) {
          return s.is_terminal || !vanished[s.index];
        };
        if (std::any_of(body.begin(), body.end(), has_text)) {
          vanished[i] = false;
          changed = true;
          break;
        }
      }
    }
  }
  for (uint32_t i = 0; i < rules.nonterminals.size(); ++i) {
    PlainNonterminal& nonterminal = rules.nonterminals[i];
    std::set<PlainBody> seen = {{}, {PlainSymbol{false, i}}};  // neither the empty body nor X alone
    std::vector<PlainBody> bodies;
    for (const PlainBody& body : nonterminal.bodies) {
      const auto droppable = std::count_if(body.begin(), body.end(), [&](const PlainSymbol& s) {
        return !s.is_terminal && nullable[s.index] && !vanished[s.index];
      });
      if (droppable > static_cast<ptrdiff_t>(kMaxNullableSymbols)) {
        errors.Fail(GrammarErrorCode::kTooLarge, nonterminal.place,
                    fmt::format("an alternative of '{}' holds more than {} rules that may be "
                                "empty: give some of them a rule of their own",
                                nonterminal.name, kMaxNullableSymbols));
        return false;
      }
      for (PlainBody& variant : WithoutNullable(body, nullable, vanished)) {
        if (seen.insert(variant).second) bodies.push_back(std::move(variant));
      }
    }
    nonterminal.bodies = std::move(bodies);
  }
  return nullable[start];
}

}  // namespace tenon::constraint
