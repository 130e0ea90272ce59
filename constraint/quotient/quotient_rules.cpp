#include "constraint/quotient/quotient_rules.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tenon::constraint {

namespace {

constexpr size_t kAnyEnding = static_cast<size_t>(-1);

// The terminals of M: each as which some lexeme may be shifted, and the layout's own.
std::vector<bool> Writable(const Language& language, bool emit) {
  std::vector<bool> writable(language.grammar.lr_terminals.size(), !emit);
  for (uint16_t i = 0; emit && i < language.lexer.lexeme_count(); ++i) {
    for (SymbolId lr_terminal : language.lexer.lexeme(LexemeId{i}).emit_terminals)
      writable[lr_terminal.value] = !language.grammar.lr_terminals[lr_terminal.value].predicate;
  }
  if (language.layout.active()) writable[language.layout.newline_terminal().value] = true;
  if (language.layout.has_columns()) {
    writable[language.layout.indent_terminal().value] = true;
    writable[language.layout.dedent_terminal().value] = true;
  }
  return writable;
}

}  // namespace

MiddleSide::MiddleSide(std::shared_ptr<const Language> language, std::string_view left,
                       std::string_view right_text, bool emit, bool in_lexemes,
                       PredicateBits levels)
    : mover(std::make_shared<BranchMover>(*language)), branches{Branch{}} {
  for (char c : left) branches = mover->Read(branches, static_cast<uint8_t>(c), false);
  const bool whole = std::any_of(branches.begin(), branches.end(),
                                 [](const Branch& b) { return b.top == kBottomNode; });
  if (emit) mover->BeginWriting(levels, branches);
  right = std::make_shared<RightSide>(std::move(language), mover, right_text, emit, 0, in_lexemes);
  demand = right->Prepare(whole, levels, std::stop_token());
  assert(demand && "nothing asks it to stop");
}

QuotientRules::QuotientRules(const Language& language, bool emit, MiddleGrammar& grammar)
    : language_(language),
      index_(*language.index),
      grammar_(grammar),
      writable_(Writable(language, emit)),
      plain_(language.grammar.terminals.size()) {
  for (uint16_t t = 0; t < language.grammar.terminals.size(); ++t) {
    const Terminal& terminal = language.grammar.terminals[t];
    if (terminal.kind != TerminalKind::kParsed && terminal.kind != TerminalKind::kDeclared)
      continue;
    bool emit_form = emit && !terminal.emit_pattern.empty();
    auto regex = ParseRegex(emit_form ? terminal.emit_pattern : terminal.pattern,
                            emit_form ? terminal.emit_flags : terminal.pattern_flags);
    plain_[t] = static_cast<uint32_t>(grammar.terminals.size());
    grammar.terminals.push_back(
        {terminal.name, MiddleGrammar::Role::kPlain, TerminalId{t}, 0,
         terminal.kind == TerminalKind::kDeclared || !regex ? nullptr : *regex});
  }
}

size_t QuotientRules::AddEnding(MiddleEnding ending) {
  endings_.push_back(std::move(ending));
  return endings_.size() - 1;
}

QuotientRules::Middle QuotientRules::After(MiddleSide& side, NodeId top, size_t ending) {
  return {TailOf({&side, Kind::kTop, top.value, 0, ending})};
}

size_t QuotientRules::TailOf(const Key& key) {
  auto [at, fresh] = tail_ids_.try_emplace(key, tails_.size());
  if (fresh) {
    tails_.emplace_back();
    tails_.back().key = key;
  }
  return at->second;
}

void QuotientRules::Follow() {
  for (size_t t = 0; t < tails_.size(); ++t) FindWays(t);
  SpreadEmpty();
  for (Tail& tail : tails_) {
    std::string name = "middle";
    if (tail.key.kind == Kind::kAfter)
      name = "after_" + language_.grammar.SymbolName(SymbolId{tail.key.completed});
    if (tail.key.kind == Kind::kInto) {
      const DemandNode& node = tail.key.side->demand->right.graph.node(DemandNodeId{tail.key.at});
      name = "into_" + language_.grammar.SymbolName(index_.Body(node.rule, node.dot - 1u));
    }
    tail.nonterminal = AddNonterminal(std::move(name));
  }
  for (const Tail& tail : tails_) WriteTail(tail);
}

uint32_t QuotientRules::AddNonterminal(std::string name) {
  grammar_.nonterminals.push_back({std::move(name), {}, false});
  return static_cast<uint32_t>(grammar_.nonterminals.size() - 1);
}

void QuotientRules::FindWays(size_t tail) {
  const Key key = tails_[tail].key;
  std::vector<Way> ways;
  if (key.kind == Kind::kInto) {
    Descend(key, ways);
    tails_[tail].ways = std::move(ways);
    return;
  }
  MiddleSide& side = *key.side;
  ClassId id = side.demand->classes.Of(side.mover->stacks(), NodeId{key.at});
  const ViabilityClasses::Class cls = side.demand->classes.at(id);
  std::span<const LrItem> items = language_.table.items(cls.state);
  for (size_t i = 0; i < items.size(); ++i) {
    const LrItem& item = items[i];
    // At the top the items of the closure lead to nothing that M in their parents' place does not.
    if (key.kind == Kind::kTop && i >= language_.table.kernel_size(cls.state)) break;
    bool waits = item.dot < index_.Length(item.rule) &&
                 index_.Body(item.rule, item.dot).value == key.completed;
    if (key.kind == Kind::kAfter && !waits) continue;
    Leave(key, item, key.kind == Kind::kTop ? item.dot : item.dot + 1u, cls.items[i].shared, ways);
  }
  tails_[tail].ways = std::move(ways);
}

// How M goes on after `dot` of an item: it ends the item, or meets a node that the item shares.
void QuotientRules::Leave(const Key& key, const LrItem& item, size_t dot,
                          const std::vector<DemandNodeId>& shared, std::vector<Way>& ways) {
  MiddleSide& side = *key.side;
  if (item.rule != index_.augmented()) {
    std::vector<NodeId> begins;
    side.mover->stacks().FindBelow(NodeId{key.at}, item.dot, begins);
    for (NodeId begin : begins) {
      size_t next =
          TailOf({&side, Kind::kAfter, begin.value, index_.Head(item.rule).value, key.ending});
      ways.push_back({item.rule, dot, index_.Length(item.rule), next});
    }
  }
  for (DemandNodeId id : shared) {
    const DemandNode& node = side.demand->right.graph.node(id);
    size_t r = node.mid ? node.dot - 1u : node.dot;
    if (dot > r || !MayLead(node, key)) continue;
    std::optional<size_t> next;
    if (node.mid) next = TailOf({&side, Kind::kInto, id.value, 0, key.ending});
    ways.push_back({item.rule, dot, r, next});
  }
}

// An inner node's entries say what W meets without a terminal of its own; where it leads is its
// children's matter.
bool QuotientRules::MayLead(const DemandNode& node, const Key& key) const {
  return node.mid || node.entries & endings_[key.ending].entry;
}

void QuotientRules::Descend(const Key& key, std::vector<Way>& ways) {
  const DemandGraph& graph = key.side->demand->right.graph;
  for (DemandNodeId id : graph.children(DemandNodeId{key.at})) {
    const DemandNode& node = graph.node(id);
    if (!MayLead(node, key)) continue;
    std::optional<size_t> next;
    if (node.mid) next = TailOf({key.side, Kind::kInto, id.value, 0, key.ending});
    ways.push_back({node.rule, 0, node.mid ? node.dot - 1u : node.dot, next});
  }
}

void QuotientRules::SpreadEmpty() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Tail& tail : tails_) {
      if (tail.nullable) continue;
      tail.nullable = std::any_of(tail.ways.begin(), tail.ways.end(), [&](const Way& way) {
        return way.begin == way.end && (!way.next || tails_[*way.next].nullable);
      });
      changed |= tail.nullable;
    }
  }
}

void QuotientRules::WriteTail(const Tail& tail) {
  std::vector<MiddleGrammar::Body> bodies;
  bool picky = endings_[tail.key.ending].last.has_value();
  for (const Way& way : tail.ways) {
    if (auto body = Stretch(way, std::nullopt); body && (way.next || !picky)) {
      if (way.next) body->push_back({false, tails_[*way.next].nonterminal});
      bodies.push_back(std::move(*body));
    }
    if (!picky || way.begin == way.end || (way.next && !tails_[*way.next].nullable)) continue;
    if (auto body = Stretch(way, tail.key.ending)) bodies.push_back(std::move(*body));
  }
  grammar_.nonterminals[tail.nonterminal].bodies = std::move(bodies);
}

std::optional<MiddleGrammar::Body> QuotientRules::Stretch(const Way& way,
                                                          std::optional<size_t> last_of) {
  MiddleGrammar::Body body;
  for (size_t i = way.begin; i < way.end; ++i) {
    SymbolId symbol = index_.Body(way.rule, i);
    auto written = last_of && i + 1 == way.end ? Last(symbol, *last_of) : Whole(symbol);
    if (!written) return std::nullopt;
    body.push_back(*written);
  }
  return body;
}

// Nothing: the symbol cannot stand in M.
std::optional<MiddleGrammar::Symbol> QuotientRules::Whole(SymbolId symbol) {
  const Grammar& grammar = language_.grammar;
  if (grammar.IsLrTerminal(symbol)) {
    if (!writable_[symbol.value]) return std::nullopt;
    auto terminal = plain_[grammar.lr_terminals[symbol.value].terminal.value];
    return terminal ? std::optional(MiddleGrammar::Symbol{true, *terminal}) : std::nullopt;
  }
  auto [at, fresh] = symbols_.try_emplace({symbol, kAnyEnding}, 0);
  if (!fresh) return MiddleGrammar::Symbol{false, at->second};
  uint32_t id = at->second = AddNonterminal(grammar.SymbolName(symbol));
  grammar_.nonterminals[id].whole = true;
  std::vector<MiddleGrammar::Body> bodies;
  for (RuleId rule : index_.RulesOf(symbol)) {
    if (auto body = Stretch({rule, 0, index_.Length(rule), std::nullopt}, std::nullopt))
      bodies.push_back(std::move(*body));
  }
  grammar_.nonterminals[id].bodies = std::move(bodies);
  return MiddleGrammar::Symbol{false, id};
}

// The words of `symbol` that end as `ending` asks.
std::optional<MiddleGrammar::Symbol> QuotientRules::Last(SymbolId symbol, size_t ending) {
  const Grammar& grammar = language_.grammar;
  if (grammar.IsLrTerminal(symbol)) {
    if (!(*endings_[ending].last)[symbol.value]) return std::nullopt;
    auto written = Whole(symbol);
    return written && endings_[ending].renamed
               ? MiddleGrammar::Symbol{true, *endings_[ending].renamed}
               : written;
  }
  auto [at, fresh] = symbols_.try_emplace({symbol, ending}, 0);
  if (!fresh) return MiddleGrammar::Symbol{false, at->second};
  uint32_t id = at->second = AddNonterminal(grammar.SymbolName(symbol) + "_end");
  std::vector<MiddleGrammar::Body> bodies;
  for (RuleId rule : index_.RulesOf(symbol)) {
    if (auto body = Stretch({rule, 0, index_.Length(rule), std::nullopt}, ending))
      bodies.push_back(std::move(*body));
  }
  grammar_.nonterminals[id].bodies = std::move(bodies);
  return MiddleGrammar::Symbol{false, id};
}

}  // namespace tenon::constraint
