#include "constraint/grammar/mode_check.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tenon::constraint {

namespace {

class ModeChecker {
 public:
  explicit ModeChecker(const Grammar& grammar)
      : grammar_(grammar), rules_of_(grammar.symbol_count()) {
    for (const Rule& rule : grammar.rules) rules_of_[rule.head.value].push_back(&rule);
  }

  std::string Run() {
    Meet(grammar_.start, ModeId{});
    for (size_t i = 0; i < met_.size(); ++i) {
      auto [head, mode] = met_[i];
      for (const Rule* rule : rules_of_[head.value]) {
        std::string wrong = Check(*rule, mode);
        if (!wrong.empty()) return wrong;
      }
    }
    return "";
  }

 private:
  void Meet(SymbolId nonterminal, ModeId mode) {
    if (seen_.emplace(nonterminal, mode).second) met_.emplace_back(nonterminal, mode);
  }

  std::string Name(ModeId mode) const { return grammar_.modes[mode.value].name; }

  std::string Check(const Rule& rule, ModeId mode) {
    std::vector<ModeId> stack{mode};
    const std::string head = grammar_.SymbolName(rule.head);
    for (SymbolId symbol : rule.body) {
      if (!grammar_.IsLrTerminal(symbol)) {
        Meet(symbol, stack.back());
        continue;
      }
      const TerminalId id = grammar_.lr_terminals[symbol.value].terminal;
      const Terminal& terminal = grammar_.terminals[id.value];
      const std::vector<TerminalId>& read = grammar_.modes[stack.back().value].terminals;
      const bool layout = grammar_.layout && (grammar_.layout->newline == id ||
                                              terminal.kind == TerminalKind::kDeclared);
      if (layout && stack.back() != ModeId{}) {
        return fmt::format("the rule '{}' has {} in the mode '{}', where a line end means nothing",
                           head, terminal.name, Name(stack.back()));
      }
      if (terminal.kind != TerminalKind::kDeclared &&
          !std::binary_search(read.begin(), read.end(), id)) {
        return fmt::format("the rule '{}' has {} in the mode '{}', which does not have it", head,
                           terminal.name, Name(stack.back()));
      }
      const ModeAction action = terminal.action;
      const bool own = stack.size() > 1;
      if (action.kind == ModeAction::Kind::kPush) stack.push_back(action.mode);
      if (action.kind == ModeAction::Kind::kPop || action.kind == ModeAction::Kind::kSwitch) {
        if (!own)
          return fmt::format("the rule '{}' leaves a mode with {} that it has not pushed", head,
                             terminal.name);
        stack.pop_back();
        if (action.kind == ModeAction::Kind::kSwitch) stack.push_back(action.mode);
      }
    }
    if (stack.size() > 1)
      return fmt::format("the rule '{}' pushes the mode '{}' and does not pop it", head,
                         Name(stack.back()));
    return "";
  }

  const Grammar& grammar_;
  std::vector<std::vector<const Rule*>> rules_of_;  // [SymbolId]
  std::set<std::pair<SymbolId, ModeId>> seen_;
  std::vector<std::pair<SymbolId, ModeId>> met_;
};

}  // namespace

std::string CheckModes(const Grammar& grammar) {
  return grammar.modes.empty() ? "" : ModeChecker(grammar).Run();
}

}  // namespace tenon::constraint
