#include "constraint/grammar/first_terminal.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace tenon::constraint {
namespace {

class Restricter {
 public:
  Restricter(PlainRules& rules, ErrorSink& errors) : rules_(rules), errors_(errors) {}

  void Run() {
    const auto count = static_cast<uint32_t>(rules_.nonterminals.size());
    for (uint32_t i = 0; i < count; ++i) {
      if (const auto predicate = rules_.nonterminals[i].first_predicate)
        RestrictBodies(i, *predicate);
    }
    for (size_t w = 0; w < waiting_.size() && !errors_.failed(); ++w)
      RestrictBodies(waiting_[w].first, waiting_[w].second);
  }

 private:
  void RestrictBodies(uint32_t of, uint32_t predicate) {
    for (size_t b = 0; b < rules_.nonterminals[of].bodies.size(); ++b) {
      // A copy that is made moves the nonterminals.
      const PlainSymbol first = Restricted(rules_.nonterminals[of].bodies[b][0], predicate, of);
      rules_.nonterminals[of].bodies[b][0] = first;
    }
  }

  PlainSymbol Restricted(PlainSymbol symbol, uint32_t predicate, uint32_t in) {
    if (symbol.is_terminal) {
      PlainTerminal lr_terminal = rules_.lr_terminals[symbol.index];
      const bool has_own = lr_terminal.predicate && IsOfLine(*lr_terminal.predicate);
      if (has_own || lr_terminal.first_predicate)
        errors_.Fail(GrammarErrorCode::kMechanism, rules_.nonterminals[in].place,
                     fmt::format("'{}' may begin with a terminal that has '#{}' already",
                                 rules_.nonterminals[in].name,
                                 rules_.predicates[lr_terminal.first_predicate.value_or(
                                     lr_terminal.predicate.value_or(predicate))]));
      if (lr_terminal.predicate)
        lr_terminal.first_predicate = predicate;
      else
        lr_terminal.predicate = predicate;
      return {true, IndexOf(lr_terminal)};
    }
    const auto [known, fresh] =
        copies_.emplace(std::pair(symbol.index, predicate),
                        PlainSymbol{false, static_cast<uint32_t>(rules_.nonterminals.size())});
    if (fresh) {
      PlainNonterminal copy = rules_.nonterminals[symbol.index];
      copy.name += "#" + rules_.predicates[predicate];
      copy.made = true;
      copy.first_predicate.reset();
      waiting_.emplace_back(known->second.index, predicate);
      rules_.nonterminals.push_back(std::move(copy));
    }
    return known->second;
  }

  bool IsOfLine(uint32_t predicate) const {
    return LineConditionOf(rules_.predicates[predicate]) != LineCondition::kNone;
  }

  uint32_t IndexOf(const PlainTerminal& lr_terminal) {
    const auto known =
        std::find(rules_.lr_terminals.begin(), rules_.lr_terminals.end(), lr_terminal);
    if (known != rules_.lr_terminals.end())
      return static_cast<uint32_t>(known - rules_.lr_terminals.begin());
    rules_.lr_terminals.push_back(lr_terminal);
    return static_cast<uint32_t>(rules_.lr_terminals.size() - 1);
  }

  PlainRules& rules_;
  ErrorSink& errors_;
  std::map<std::pair<uint32_t, uint32_t>, PlainSymbol> copies_;  // (nonterminal, predicate)
  // Copies (nonterminal, predicate) whose bodies still begin as those of the original.
  std::vector<std::pair<uint32_t, uint32_t>> waiting_;
};

}  // namespace

void RestrictFirstTerminals(PlainRules& rules, ErrorSink& errors) {
  if (!errors.failed()) Restricter(rules, errors).Run();
}

}  // namespace tenon::constraint
