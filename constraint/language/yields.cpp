#include "constraint/language/yields.h"

namespace tenon::constraint {

namespace {
constexpr uint32_t kNameCost = 64;  // of a name that must be declared: the spelling seldom is
constexpr uint32_t kEnclosingNameCost = 9;  // of the construct around a position
}  // namespace

Yields::Yields(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout, bool emit,
               bool seals)
    : grammar_(grammar) {
  SetTerminalCosts(lexer, layout, emit);
  FindCheapestRules(LastTerminal::kAny);
  if (layout.line_ends().has_terminator()) {
    for (const LastTerminal last : {LastTerminal::kGoesOn, LastTerminal::kEndsPhrase}) {
      std::vector<uint32_t>& costs = cheapest_[static_cast<size_t>(last)].cost;
      costs.assign(grammar.symbol_count(), kNoYield);
      for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
        const bool ends = layout.line_ends().EndsPhrase(SymbolId{c});
        if (ends == (last == LastTerminal::kEndsPhrase)) costs[c] = cost(SymbolId{c});
      }
      FindCheapestRules(last);
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
      bool none = cost(s) >= kNoYield;
      prefix.push_back(prefix.back() + (none ? 0 : cost(s)));
      missing.push_back(static_cast<uint16_t>(missing.back() + none));
    }
    prefix_.push_back(std::move(prefix));
    missing_.push_back(std::move(missing));
  };
  for (const Rule& rule : grammar.rules) add_rule(rule.body);
  add_rule({grammar.start});
}

void Yields::SetTerminalCosts(const Lexer& lexer, const LayoutRules& layout, bool emit) {
  const Grammar& grammar = grammar_;
  std::vector<uint32_t>& costs = cheapest_[static_cast<size_t>(LastTerminal::kAny)].cost;
  costs.assign(grammar.symbol_count(), kNoYield);
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    const LrTerminal& lr_terminal = grammar.lr_terminals[c];
    const Terminal& terminal = grammar.terminals[lr_terminal.terminal.value];
    SymbolId id{c};
    if (layout.active() && id == layout.newline_terminal())
      costs[c] = 1;
    else if (layout.has_columns() && id == layout.indent_terminal())
      costs[c] = 4;
    else if (layout.has_columns() && id == layout.dedent_terminal())
      costs[c] = 0;
    else if (layout.line_ends().IsInserted(id))
      continue;  // never written: the grammar has another terminal for it
    else if (!emit)
      costs[c] = WantsDeclared(lr_terminal.name_use) ? kNameCost : 2;
    else if (lr_terminal.name_use == NameUse::kIsEnclosing && terminal.emitted)
      costs[c] = kEnclosingNameCost;
    else if (layout.line_ends().has_terminator() &&
             lr_terminal.terminal == grammar.terminator->terminal && !lr_terminal.predicate)
      costs[c] = 2;  // a line end
    else if (!lr_terminal.predicate && terminal.emitted &&
             !lexer.Spelling(lr_terminal.terminal).empty())
      costs[c] = static_cast<uint32_t>(lexer.Spelling(lr_terminal.terminal).size()) + 1;
  }
}

// The terminals' costs are there. Rounds to the fixpoint: costs only fall, and a rule replaces
// another only if it is strictly cheaper.
void Yields::FindCheapestRules(LastTerminal last) {
  Cheapest& cheapest = cheapest_[static_cast<size_t>(last)];
  const Cheapest& before_last = Of(LastTerminal::kAny);
  cheapest.rule.resize(grammar_.symbol_count());
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = 0; r < grammar_.rules.size(); ++r) {
      const std::vector<SymbolId>& body = grammar_.rules[r].body;
      uint64_t sum = cheapest.cost[body.back().value];
      for (size_t i = 0; i + 1 < body.size(); ++i) sum += before_last.cost[body[i].value];
      const uint16_t head = grammar_.rules[r].head.value;
      if (sum < cheapest.cost[head]) {
        cheapest.cost[head] = static_cast<uint32_t>(sum);
        cheapest.rule[head] = RuleId{r};
        changed = true;
      }
    }
  }
}

uint32_t Yields::Between(RuleId rule, size_t begin, size_t end, LastTerminal last) const {
  if (begin >= end) return 0;
  for (auto [opener, closer] : sealed_[rule.value]) {
    if (begin <= opener && opener < end && end <= closer) return kNoYield;
  }
  if (missing_[rule.value][end] != missing_[rule.value][begin]) return kNoYield;
  const uint32_t any = prefix_[rule.value][end] - prefix_[rule.value][begin];
  if (last == LastTerminal::kAny) return any;
  const SymbolId symbol = grammar_.SymbolAt(rule, end - 1);
  const uint32_t ending = Of(last).cost[symbol.value];
  return ending < kNoYield ? any - cost(symbol) + ending : kNoYield;
}

void Yields::Append(SymbolId symbol, std::vector<SymbolId>& lr_terminals, LastTerminal last) const {
  std::vector<std::pair<SymbolId, LastTerminal>> work{{symbol, last}};
  while (!work.empty()) {
    const auto [s, ending] = work.back();
    work.pop_back();
    if (grammar_.IsLrTerminal(s)) {
      lr_terminals.push_back(s);
      continue;
    }
    const std::vector<SymbolId>& body = grammar_.rules[Of(ending).rule[s.value].value].body;
    for (size_t i = body.size(); i-- > 0;)
      work.emplace_back(body[i], i + 1 == body.size() ? ending : LastTerminal::kAny);
  }
}

}  // namespace tenon::constraint
