#include "constraint/grammar_file/assembler.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "constraint/base/base.h"

namespace tenon::constraint {
namespace {

class Assembler {
 public:
  Assembler(const TerminalTable& table, const PlainRules& rules, uint32_t start)
      : table_(table), rules_(rules), start_(start) {}

  Grammar Run(const Directives& directives) {
    grammar_.predicates = rules_.predicates;
    Terminals();
    grammar_.remembers_line_ends = directives.remembers_line_ends;
    LrTerminals(directives.levels, directives.names);
    Fallbacks(directives.fallbacks);
    Rules();
    if (!directives.modes.empty()) Modes(directives);
    if (directives.layout) Layout(*directives.layout);
    if (directives.terminator) Terminator(*directives.terminator);
    for (const SplitLine& line : directives.splits) Split(line);
    for (const LimitLine& line : directives.limits) {
      NestingLimit& limit = grammar_.limits.emplace_back();
      for (const ModeId mode : line.modes) limit.modes |= uint64_t{1} << mode.value;
      limit.blocks = line.modes.empty();
      limit.most = line.most;
      limit.what = line.what;
    }
    for (const LexemeRuleLine& line : directives.lexeme_rules) {
      LexemeRule& rule = grammar_.lexeme_rules.emplace_back(line.rule);
      for (const TerminalIndex index : line.terminals) rule.terminals.push_back(IdOf(index));
      std::sort(rule.terminals.begin(), rule.terminals.end());
    }
    if (directives.insertion) {
      Insertion& insertion =
          grammar_.insertion.emplace(Insertion{IdOf(directives.insertion->terminal), {}});
      for (const TerminalIndex index : directives.insertion->before)
        insertion.before.push_back(IdOf(index));
    }
    for (const ApartLine& line : directives.apart) {
      tenon::constraint::Apart& apart = grammar_.apart.emplace_back();
      for (const TerminalIndex index : line.terminals) apart.terminals.push_back(IdOf(index));
      for (const TerminalIndex index : line.rivals) apart.rivals.push_back(IdOf(index));
      SortUnique(apart.terminals);
      SortUnique(apart.rivals);
    }
    grammar_.encoding = directives.encoding;
    for (const NamesLine& line : directives.names) {
      NameLine& made = grammar_.names.emplace_back(NameLine{line.sets, {}});
      for (const auto& [open, close] : line.scopes)
        made.scopes.emplace_back(IdOf(open), IdOf(close));
    }
    grammar_.regions = directives.regions;
    return std::move(grammar_);
  }

 private:
  TerminalId IdOf(TerminalIndex index) const { return terminal_ids_[index.value]; }

  // Decreasing precedence: priority, literals before regular expressions, order of definition.
  void Terminals() {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < table_.entries.size(); ++i) {
      if (table_.entries[i].InLexer()) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const Terminal& left = table_.entries[a].terminal;
      const Terminal& right = table_.entries[b].terminal;
      return std::pair(-left.priority, !left.literal) < std::pair(-right.priority, !right.literal);
    });
    terminal_ids_.resize(table_.entries.size());
    for (const uint32_t i : order) {
      terminal_ids_[i] = {static_cast<uint16_t>(grammar_.terminals.size())};
      grammar_.terminals.push_back(table_.entries[i].terminal);
    }
  }

  // By terminal, the plain LR terminal first.
  void LrTerminals(const std::vector<LevelMention>& levels, const std::vector<NamesLine>& names) {
    for (const LevelMention& level : levels) {
      const auto at =
          std::find(grammar_.predicates.begin(), grammar_.predicates.end(), level.predicate);
      grammar_.levels.push_back(
          PredicateId{static_cast<uint16_t>(at - grammar_.predicates.begin())});
    }
    std::vector<uint32_t> order(rules_.lr_terminals.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const PlainTerminal& left = rules_.lr_terminals[a];
      const PlainTerminal& right = rules_.lr_terminals[b];
      return std::tuple(IdOf(left.terminal), left.predicate, left.first_predicate) <
             std::tuple(IdOf(right.terminal), right.predicate, right.first_predicate);
    });
    lr_terminal_ids_.resize(order.size());
    for (const uint32_t i : order) {
      lr_terminal_ids_[i] = {static_cast<uint16_t>(grammar_.lr_terminals.size())};
      LrTerminal lr_terminal{IdOf(rules_.lr_terminals[i].terminal), std::nullopt};
      if (rules_.lr_terminals[i].predicate) {
        const std::string& predicate = rules_.predicates[*rules_.lr_terminals[i].predicate];
        lr_terminal.line = LineConditionOf(predicate);
        const NameCondition condition = NameConditionOf(names, predicate);
        lr_terminal.name_use = condition.use;
        lr_terminal.name_set = condition.set;
        if (lr_terminal.line == LineCondition::kNone &&
            (condition.use == NameUse::kNone || condition.use == NameUse::kIsIn))
          lr_terminal.predicate =
              PredicateId{static_cast<uint16_t>(*rules_.lr_terminals[i].predicate)};
        if (std::find(grammar_.levels.begin(), grammar_.levels.end(), lr_terminal.predicate) !=
            grammar_.levels.end())
          lr_terminal.levels =
              *grammar_.LevelsUpTo(grammar_.predicates[lr_terminal.predicate->value]);
      }
      if (const auto first = rules_.lr_terminals[i].first_predicate)
        lr_terminal.line = LineConditionOf(rules_.predicates[*first]);
      grammar_.lr_terminals.push_back(lr_terminal);
    }
  }

  // `%fallback`: after the LR terminals of rules, for each keyword one LR terminal for each reading
  // as a name.
  void Fallbacks(const std::vector<FallbackMention>& fallbacks) {
    const size_t in_rules = grammar_.lr_terminals.size();
    for (const FallbackMention& fallback : fallbacks) {
      for (size_t c = 0; c < in_rules; ++c) {
        if (grammar_.lr_terminals[c].terminal != IdOf(fallback.stands_for)) continue;
        const SymbolId target{static_cast<uint16_t>(c)};
        LrTerminal lr_terminal = grammar_.lr_terminals[c];
        lr_terminal.terminal = IdOf(fallback.keyword);
        lr_terminal.reads_as = target;
        grammar_.lr_terminals.push_back(lr_terminal);
      }
    }
  }

  void Rules() {
    const std::vector<bool> reached = ReachableFrom(rules_, start_);
    std::vector<SymbolId> ids(rules_.nonterminals.size());
    for (size_t i = 0; i < rules_.nonterminals.size(); ++i) {
      if (!reached[i]) continue;
      ids[i] = {static_cast<uint16_t>(grammar_.symbol_count())};
      grammar_.nonterminals.push_back(rules_.nonterminals[i].name);
      grammar_.changes.push_back(rules_.nonterminals[i].change);
    }
    for (size_t i = 0; i < rules_.nonterminals.size(); ++i) {
      if (!reached[i]) continue;
      for (const PlainBody& body : rules_.nonterminals[i].bodies) {
        Rule& rule = grammar_.rules.emplace_back();
        rule.head = ids[i];
        for (const PlainSymbol& s : body)
          rule.body.push_back(s.is_terminal ? lr_terminal_ids_[s.index] : ids[s.index]);
      }
    }
    grammar_.start = ids[start_];
  }

  void Modes(const Directives& directives) {
    const std::vector<ModeLine>& lines = directives.modes;
    std::vector<TerminalId> all;  // of the default mode
    for (uint16_t t = 0; t < grammar_.terminals.size(); ++t) {
      if (grammar_.terminals[t].kind != TerminalKind::kDeclared) all.push_back(TerminalId{t});
    }
    const auto leave_out = [&](std::vector<TerminalId>& from,
                               const std::vector<TerminalIndex>& list) {
      for (const TerminalIndex index : list) std::erase(from, IdOf(index));
    };
    for (const ModeLine& line : lines) leave_out(all, line.terminals);
    for (const TerminalIndex index : directives.default_mode) all.push_back(IdOf(index));
    SortUnique(all);
    grammar_.modes.push_back({"default", all});
    for (const ModeLine& line : lines) {
      Mode& mode = grammar_.modes.emplace_back(Mode{line.name, {}});
      if (line.like_default) mode.terminals = all;
      leave_out(mode.terminals, line.without);
      for (const TerminalIndex index : line.terminals) mode.terminals.push_back(IdOf(index));
      SortUnique(mode.terminals);
    }
  }

  void Layout(const LayoutLine& line) {
    tenon::constraint::Layout& layout = grammar_.layout.emplace();
    layout.newline = IdOf(line.newline);
    if (line.indent) layout.indent = IdOf(*line.indent);
    if (line.dedent) layout.dedent = IdOf(*line.dedent);
    for (const auto& [open, close] : line.brackets)
      layout.brackets.emplace_back(IdOf(open), IdOf(close));
  }

  void Split(const SplitLine& line) {
    tenon::constraint::Split& split =
        grammar_.splits.emplace_back(tenon::constraint::Split{IdOf(line.terminal), {}});
    for (const TerminalIndex index : line.parts) split.parts.push_back(IdOf(index));
  }

  void Terminator(const TerminatorLine& line) {
    tenon::constraint::Terminator& terminator = grammar_.terminator.emplace();
    terminator.terminal = IdOf(line.terminal);
    for (const TerminalIndex index : line.line_ends) terminator.line_ends.push_back(IdOf(index));
    for (const TerminalIndex index : line.after) terminator.after.push_back(IdOf(index));
  }

  const TerminalTable& table_;
  const PlainRules& rules_;
  const uint32_t start_;
  std::vector<TerminalId> terminal_ids_;   // [TerminalIndex]
  std::vector<SymbolId> lr_terminal_ids_;  // [PlainRules::lr_terminals]
  Grammar grammar_;
};

}  // namespace

Grammar Assemble(const TerminalTable& table, const PlainRules& rules, uint32_t start,
                 const Directives& directives) {
  return Assembler(table, rules, start).Run(directives);
}

}  // namespace tenon::constraint
