#include "constraint/language/yields.h"

namespace tenon::constraint {

namespace {
constexpr uint32_t kNameCost = 64;  // of a name that must be declared: the spelling seldom is
constexpr uint32_t kEnclosingNameCost = 9;  // of the construct around a position
}  // namespace

Yields::Yields(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout, bool emit,
               bool seals)
    : grammar_(grammar) {
  cost_.assign(grammar.symbol_count(), kNoYield);
  best_.resize(grammar.symbol_count());
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    const LrTerminal& lr_terminal = grammar.lr_terminals[c];
    const Terminal& terminal = grammar.terminals[lr_terminal.terminal.value];
    SymbolId id{c};
    if (layout.active() && id == layout.newline_terminal())
      cost_[c] = 1;
    else if (layout.has_columns() && id == layout.indent_terminal())
      cost_[c] = 4;
    else if (layout.has_columns() && id == layout.dedent_terminal())
      cost_[c] = 0;
    else if (layout.line_ends().inserted() == id)
      continue;  // never written: the grammar has another terminal for it
    else if (!emit)
      cost_[c] = WantsDeclared(lr_terminal.name_use) ? kNameCost : 2;
    else if (lr_terminal.name_use == NameUse::kIsEnclosing && terminal.emitted)
      cost_[c] = kEnclosingNameCost;
    else if (layout.line_ends().has_terminator() &&
             lr_terminal.terminal == grammar.terminator->terminal && !lr_terminal.predicate)
      cost_[c] = 2;  // a line end
    else if (!lr_terminal.predicate && terminal.emitted &&
             !lexer.Spelling(lr_terminal.terminal).empty())
      cost_[c] = static_cast<uint32_t>(lexer.Spelling(lr_terminal.terminal).size()) + 1;
  }
  // Rounds to the fixpoint. Costs only fall, and a rule replaces another only if it is strictly
  // cheaper.
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = 0; r < grammar.rules.size(); ++r) {
      uint64_t sum = 0;
      for (SymbolId s : grammar.rules[r].body) sum += cost_[s.value];
      uint16_t head = grammar.rules[r].head.value;
      if (sum < cost_[head]) {
        cost_[head] = static_cast<uint32_t>(sum);
        best_[head] = RuleId{r};
        changed = true;
      }
    }
  }
  auto add_rule = [&](const std::vector<SymbolId>& body) {
    std::vector<std::pair<uint16_t, uint16_t>>& sealed = sealed_.emplace_back();
    std::vector<std::pair<uint16_t, bool>> open;  // (body index of a push, is it delimited?)
    for (uint16_t i = 0; i < body.size() && seals; ++i) {
      if (!grammar.IsLrTerminal(body[i])) continue;
      const Terminal& terminal =
          grammar.terminals[grammar.lr_terminals[body[i].value].terminal.value];
      if (terminal.action.kind == ModeAction::Kind::kPush) open.emplace_back(i, terminal.delimited);
      if (terminal.action.kind != ModeAction::Kind::kPop || open.empty()) continue;
      if (open.back().second) sealed.emplace_back(open.back().first, i);
      open.pop_back();
    }
    std::vector<uint32_t> prefix{0};
    std::vector<uint16_t> missing{0};
    for (SymbolId s : body) {
      bool none = cost_[s.value] >= kNoYield;
      prefix.push_back(prefix.back() + (none ? 0 : cost_[s.value]));
      missing.push_back(static_cast<uint16_t>(missing.back() + none));
    }
    prefix_.push_back(std::move(prefix));
    missing_.push_back(std::move(missing));
  };
  for (const Rule& rule : grammar.rules) add_rule(rule.body);
  add_rule({grammar.start});
}

uint32_t Yields::Between(RuleId rule, size_t begin, size_t end) const {
  if (begin >= end) return 0;
  for (auto [opener, closer] : sealed_[rule.value]) {
    if (begin <= opener && opener < end && end <= closer) return kNoYield;
  }
  if (missing_[rule.value][end] != missing_[rule.value][begin]) return kNoYield;
  return prefix_[rule.value][end] - prefix_[rule.value][begin];
}

void Yields::Append(SymbolId symbol, std::vector<SymbolId>& lr_terminals) const {
  std::vector<SymbolId> work{symbol};
  while (!work.empty()) {
    SymbolId s = work.back();
    work.pop_back();
    if (grammar_.IsLrTerminal(s)) {
      lr_terminals.push_back(s);
      continue;
    }
    const Rule& rule = grammar_.rules[best_[s.value].value];
    work.insert(work.end(), rule.body.rbegin(), rule.body.rend());
  }
}

}  // namespace tenon::constraint
