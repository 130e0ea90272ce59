#include "constraint/grammar/reader.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/automata/regex.h"
#include "constraint/grammar/directives.h"
#include "constraint/grammar/emit_check.h"
#include "constraint/grammar/epsilon_free.h"
#include "constraint/grammar/error_sink.h"
#include "constraint/grammar/first_terminal.h"
#include "constraint/grammar/mode_check.h"
#include "constraint/grammar/productivity.h"
#include "constraint/grammar/rule_expander.h"
#include "constraint/grammar/syntax.h"
#include "constraint/grammar/terminal_table.h"
#include "constraint/grammar/tokenizer.h"

namespace tenon::constraint {
namespace {

constexpr size_t kMaxSymbols = std::numeric_limits<uint16_t>::max();

// In the lexer, because a rule or a mechanism needs it; parts of other terminals only are not.
bool IsToken(const TerminalEntry& entry) {
  return entry.in_rules || entry.terminal.kind == TerminalKind::kIgnored ||
         entry.terminal.kind == TerminalKind::kPoison || entry.terminal.kind == TerminalKind::kLineEnd;
}

void CheckTerminals(const TerminalTable& table, const Directives& directives, ErrorSink& errors) {
  for (const TerminalEntry& entry : table.entries) {
    const Terminal& terminal = entry.terminal;
    if (!IsToken(entry)) {
      if (entry.inlined) continue;
      errors.Fail(
          GrammarErrorCode::kUnreachable, entry.place,
          fmt::format("the terminal '{}' is used nowhere: put it into a rule, %ignore or %poison it, or remove it",
                      terminal.name));
      return;
    }
    if (terminal.kind == TerminalKind::kDeclared) continue;
    const auto regex = ParseRegex(terminal.pattern, terminal.pattern_flags);
    if (!regex) {
      errors.Fail(GrammarErrorCode::kSyntax, entry.place, regex.error().message);
    } else if (MatchesEmpty(*regex)) {
      errors.Fail(GrammarErrorCode::kEmptyTerminal, entry.place,
                  fmt::format("the terminal '{}' matches the empty text: replace '*' by '+', or make its uses optional",
                              terminal.name));
    } else if (MatchesNothing(*regex)) {
      errors.Fail(GrammarErrorCode::kUnproductive, entry.place,
                  fmt::format("the terminal '{}' matches no text at all", terminal.name));
    }
  }
  for (const TerminalMention& mention : directives.mentions) {
    const TerminalEntry& entry = table.entries[mention.terminal.value];
    if (!IsToken(entry)) {
      errors.Fail(GrammarErrorCode::kMechanism, mention.place,
                  fmt::format("'{}' is only a part of other terminals: '%{}' has no effect on it", entry.terminal.name,
                              mention.directive));
    }
    if (errors.failed()) return;
    std::string wrong = mention.directive == "emit"    ? CheckEmitPattern(entry.terminal)
                        : mention.directive == "spell" ? CheckSpelling(entry.terminal)
                                                       : "";
    if (!wrong.empty()) errors.Fail(GrammarErrorCode::kMechanism, mention.place, std::move(wrong));
  }
}

LineCondition LineConditionOf(const std::string& predicate) {
  return predicate == "no_newline"       ? LineCondition::kNoNewline
         : predicate == "newline_before" ? LineCondition::kNewlineBefore
                                         : LineCondition::kNone;
}

// What a predicate asks of names, and its set's place in all lines of `%names`.
struct NameCondition {
  NameUse use = NameUse::kNone;
  uint8_t set = 0;
};

NameCondition NameConditionOf(const std::vector<NamesLine>& lines, std::string_view predicate) {
  uint8_t number = 0;
  for (const NamesLine& line : lines) {
    for (const std::string& set : line.sets) {
      if (predicate == set) return {NameUse::kIsIn, number};
      if (predicate.ends_with(set)) {
        const std::string_view before = predicate.substr(0, predicate.size() - set.size());
        if (before == kNotIn) return {NameUse::kIsNotIn, number};
        if (before == kDeclaring) return {NameUse::kDeclares, number};
      }
      ++number;
    }
  }
  return {};
}

// Every set of `%names` is declared by something, each line asked for, and all of it of terminals that have a text of their own.
void CheckNames(const TerminalTable& table, const PlainRules& rules, const Directives& directives, ErrorSink& errors) {
  const auto fail = [&](Place place, std::string message) {
    errors.Fail(GrammarErrorCode::kMechanism, place, std::move(message));
  };
  std::vector<bool> declared(kMaxNameSets), asked(kMaxNameSets);
  for (const PlainColumn& column : rules.columns) {
    if (!column.predicate || directives.names.empty()) continue;
    const std::string& predicate = rules.predicates[*column.predicate];
    const NameCondition condition = NameConditionOf(directives.names, predicate);
    if (condition.use == NameUse::kNone) continue;
    (condition.use == NameUse::kDeclares ? declared : asked)[condition.set] = true;
    const auto holds = [&](TerminalIndex index) { return index == column.terminal; };
    const bool split = std::any_of(directives.splits.begin(), directives.splits.end(), [&](const SplitLine& line) {
      return holds(line.terminal) || std::any_of(line.parts.begin(), line.parts.end(), holds);
    });
    const bool newline = directives.layout && holds(directives.layout->newline);
    const bool made = (directives.insertion && holds(directives.insertion->terminal)) ||
                      (directives.terminator && holds(directives.terminator->terminal));
    const Terminal& terminal = table.entries[column.terminal.value].terminal;
    if (split || newline || made || terminal.kind != TerminalKind::kToken)
      return fail(directives.names[0].place,
                  fmt::format("'{}#{}': only a terminal with a lexeme of its own is a name", terminal.name, predicate));
  }
  size_t number = 0;
  for (const NamesLine& line : directives.names) {
    bool any_asked = false;
    for (const std::string& set : line.sets) {
      if (!declared[number])
        return fail(line.place, fmt::format("nothing declares a '{0}': write '#{1}{0}' behind a terminal where a name "
                                            "becomes one",
                                            set, kDeclaring));
      any_asked = any_asked || asked[number++];
    }
    if (!any_asked)
      return fail(line.place, fmt::format("nothing asks for a name of '%names {0}': write '#{0}' or '#{1}{0}' behind a "
                                          "terminal",
                                          line.sets[0], kNotIn));
  }
}

// Conditions on lines need line ends that are remembered, and that a completion can write.
void CheckLineEnds(const TerminalTable& table, const PlainRules& rules, const Directives& directives, Place start,
                   ErrorSink& errors) {
  const bool asked = std::any_of(rules.predicates.begin(), rules.predicates.end(),
                                 [](const std::string& p) { return LineConditionOf(p) != LineCondition::kNone; });
  if (asked && !directives.remembers_line_ends) {
    errors.Fail(GrammarErrorCode::kMechanism, start,
                "'#no_newline' and '#newline_before' need a '%line_ends' that names the terminals of line ends");
  }
  const bool written = std::any_of(table.entries.begin(), table.entries.end(), [](const TerminalEntry& entry) {
    return entry.terminal.kind == TerminalKind::kLineEnd && entry.terminal.emitted;
  });
  if (directives.remembers_line_ends && !written) {
    errors.Fail(GrammarErrorCode::kMechanism, start,
                "no terminal of '%line_ends' may be written: leave out '%emit ... never' for one of them");
  }
}

// Every predicate is asked for by some terminal, and something can turn it on.
void CheckPredicates(const PlainRules& rules, const Directives& directives, Place start, ErrorSink& errors) {
  std::vector<bool> asked(rules.predicates.size()), marked(rules.predicates.size());
  for (const PlainColumn& column : rules.columns) {
    if (column.predicate) asked[*column.predicate] = true;
  }
  for (const PlainNonterminal& nonterminal : rules.nonterminals) {
    for (size_t p = 0; p < std::min(kMaxPredicates, marked.size()); ++p)
      marked[p] = marked[p] || nonterminal.change.on >> p & 1;
  }
  for (const LevelMention& level : directives.levels) {
    const auto known = std::find(rules.predicates.begin() + 1, rules.predicates.end(), level.predicate);
    const size_t p = known - rules.predicates.begin();
    if (p == rules.predicates.size() || !asked[p])
      return errors.Fail(
          GrammarErrorCode::kMechanism, level.place,
          fmt::format("no terminal asks for the level: write '#{}' behind one, or leave it out", level.predicate));
    if (marked[p])
      return errors.Fail(GrammarErrorCode::kMechanism, level.place,
                         fmt::format("a rule turns '{}' on: a level holds for the whole text", level.predicate));
    marked[p] = true;
  }
  for (size_t p = 1; p < rules.predicates.size(); ++p) {
    const std::string& name = rules.predicates[p];
    if (LineConditionOf(name) != LineCondition::kNone) continue;
    if (NameConditionOf(directives.names, name).use != NameUse::kNone) {
      if (!marked[p]) continue;
      return errors.Fail(GrammarErrorCode::kMechanism, directives.names[0].place,
                         fmt::format("'{}' is said of names: neither a rule nor '%levels' turns it on", name));
    }
    if (!marked[p])
      return errors.Fail(
          GrammarErrorCode::kMechanism, start,
          fmt::format("nothing turns the predicate '{0}' on: write '#+{0}' behind a rule's name where it is "
                      "entered, name it in '%levels' or '%names', or say '#given'",
                      name));
    if (!asked[p])
      return errors.Fail(
          GrammarErrorCode::kMechanism, start,
          fmt::format("no terminal asks for the predicate '{0}': write '#{0}' behind one, or leave it out", name));
  }
  if (rules.predicates.size() > kMaxPredicates)
    errors.Fail(GrammarErrorCode::kTooLarge, start,
                fmt::format("the grammar has more than {} predicates", kMaxPredicates));
}

// Puts the parts together under their final numbers.
class Assembler {
 public:
  Assembler(const TerminalTable& table, const PlainRules& rules, uint32_t start)
      : table_(table), rules_(rules), start_(start) {}

  Grammar Run(const Directives& directives) {
    grammar_.predicates = rules_.predicates;
    Terminals();
    grammar_.remembers_line_ends = directives.remembers_line_ends;
    Columns(directives.levels, directives.names);
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
      Insertion& insertion = grammar_.insertion.emplace(Insertion{IdOf(directives.insertion->terminal), {}});
      for (const TerminalIndex index : directives.insertion->before) insertion.before.push_back(IdOf(index));
    }
    grammar_.encoding = directives.encoding;
    for (const NamesLine& line : directives.names) {
      NameLine& made = grammar_.names.emplace_back(NameLine{line.sets, {}});
      for (const auto& [open, close] : line.scopes) made.scopes.emplace_back(IdOf(open), IdOf(close));
    }
    return std::move(grammar_);
  }

 private:
  TerminalId IdOf(TerminalIndex index) const { return terminal_ids_[index.value]; }

  // Decreasing precedence: priority, literals before regular expressions, order of definition.
  void Terminals() {
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < table_.entries.size(); ++i) {
      if (IsToken(table_.entries[i])) order.push_back(i);
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

  // By terminal, the plain column first.
  void Columns(const std::vector<LevelMention>& levels, const std::vector<NamesLine>& names) {
    for (const LevelMention& level : levels) {
      const auto at = std::find(grammar_.predicates.begin(), grammar_.predicates.end(), level.predicate);
      grammar_.levels.push_back(PredicateId{static_cast<uint16_t>(at - grammar_.predicates.begin())});
    }
    std::vector<uint32_t> order(rules_.columns.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const PlainColumn& left = rules_.columns[a];
      const PlainColumn& right = rules_.columns[b];
      return std::pair(IdOf(left.terminal), left.predicate) < std::pair(IdOf(right.terminal), right.predicate);
    });
    column_ids_.resize(order.size());
    for (const uint32_t i : order) {
      column_ids_[i] = {static_cast<uint16_t>(grammar_.columns.size())};
      Column column{IdOf(rules_.columns[i].terminal), std::nullopt};
      if (rules_.columns[i].predicate) {
        const std::string& predicate = rules_.predicates[*rules_.columns[i].predicate];
        column.line = LineConditionOf(predicate);
        const NameCondition condition = NameConditionOf(names, predicate);
        column.name_use = condition.use;
        column.name_set = condition.set;
        if (column.line == LineCondition::kNone && (condition.use == NameUse::kNone || condition.use == NameUse::kIsIn))
          column.predicate = PredicateId{static_cast<uint16_t>(*rules_.columns[i].predicate)};
        if (std::find(grammar_.levels.begin(), grammar_.levels.end(), column.predicate) != grammar_.levels.end())
          column.levels = *grammar_.LevelsUpTo(grammar_.predicates[column.predicate->value]);
      }
      grammar_.columns.push_back(column);
    }
  }

  // Behind the columns that rules use: a keyword, read as each column of what it falls back to.
  void Fallbacks(const std::vector<FallbackMention>& fallbacks) {
    const size_t in_rules = grammar_.columns.size();
    for (const FallbackMention& fallback : fallbacks) {
      for (size_t c = 0; c < in_rules; ++c) {
        if (grammar_.columns[c].terminal != IdOf(fallback.stands_for)) continue;
        const SymbolId target{static_cast<uint16_t>(c)};
        Column column = grammar_.columns[c];
        column.terminal = IdOf(fallback.keyword);
        column.reads_as = target;
        grammar_.columns.push_back(column);
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
        for (const PlainSymbol& s : body) rule.body.push_back(s.is_column ? column_ids_[s.index] : ids[s.index]);
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
    const auto leave_out = [&](std::vector<TerminalId>& from, const std::vector<TerminalIndex>& list) {
      for (const TerminalIndex index : list) std::erase(from, IdOf(index));
    };
    for (const ModeLine& line : lines) leave_out(all, line.terminals);
    for (const TerminalIndex index : directives.default_mode) all.push_back(IdOf(index));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    grammar_.modes.push_back({"default", all});
    for (const ModeLine& line : lines) {
      Mode& mode = grammar_.modes.emplace_back(Mode{line.name, {}});
      if (line.like_default) mode.terminals = all;
      leave_out(mode.terminals, line.without);
      for (const TerminalIndex index : line.terminals) mode.terminals.push_back(IdOf(index));
      std::sort(mode.terminals.begin(), mode.terminals.end());
      mode.terminals.erase(std::unique(mode.terminals.begin(), mode.terminals.end()), mode.terminals.end());
    }
  }

  void Layout(const LayoutLine& line) {
    tenon::constraint::Layout& layout = grammar_.layout.emplace();
    layout.newline = IdOf(line.newline);
    if (line.indent) layout.indent = IdOf(*line.indent);
    if (line.dedent) layout.dedent = IdOf(*line.dedent);
    for (const auto& [open, close] : line.brackets) layout.brackets.emplace_back(IdOf(open), IdOf(close));
  }

  void Split(const SplitLine& line) {
    tenon::constraint::Split& split = grammar_.splits.emplace_back(tenon::constraint::Split{IdOf(line.terminal), {}});
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
  std::vector<TerminalId> terminal_ids_;  // [TerminalIndex]
  std::vector<SymbolId> column_ids_;      // [PlainRules::columns]
  Grammar grammar_;
};

// What is inserted must be asked for plainly, and wherever it stands something that can be written must be able to: so no completion
// depends on an insertion. Empty: all is well.
std::string CheckInsertion(const Grammar& grammar) {
  if (!grammar.insertion) return "";
  const std::string& name = grammar.terminals[grammar.insertion->terminal.value].name;
  const auto is_inserted = [&](SymbolId s) {
    return grammar.IsColumn(s) && grammar.columns[s.value].terminal == grammar.insertion->terminal;
  };
  const auto is_written = [&](SymbolId s) {
    if (!grammar.IsColumn(s) || is_inserted(s)) return false;
    const Column& column = grammar.columns[s.value];
    return !column.predicate && column.line == LineCondition::kNone && grammar.terminals[column.terminal.value].emitted;
  };
  for (const Rule& rule : grammar.rules) {
    for (size_t i = 0; i < rule.body.size(); ++i) {
      if (!is_inserted(rule.body[i])) continue;
      if (grammar.columns[rule.body[i].value].predicate ||
          grammar.columns[rule.body[i].value].line != LineCondition::kNone)
        return fmt::format("'{}' is inserted and takes no predicate", name);
      const bool twin = std::any_of(grammar.rules.begin(), grammar.rules.end(), [&](const Rule& other) {
        if (other.head != rule.head || other.body.size() != rule.body.size() || !is_written(other.body[i]))
          return false;
        std::vector<SymbolId> same = other.body;
        same[i] = rule.body[i];
        return same == rule.body;
      });
      if (!twin)
        return fmt::format(
            "where '{0}' is inserted something must be there to write: give the rule '{1}' an alternative with a "
            "terminal in its place, as in 'end: \";\" | {0}'",
            name, grammar.SymbolName(rule.head));
    }
  }
  return "";
}

std::optional<uint32_t> FindStart(const GrammarSyntax& syntax, const StartLine& start, ErrorSink& errors) {
  for (uint32_t i = 0; i < syntax.rules.size(); ++i) {
    if (syntax.rules[i].name == start.rule) return i;
  }
  errors.Fail(
      GrammarErrorCode::kUndefined, start.place,
      fmt::format("the start rule '{}' is not defined: define it, or name another one with '%start'", start.rule));
  return std::nullopt;
}

}  // namespace

tl::expected<Grammar, GrammarError> ReadGrammar(std::string_view text, std::string path,
                                                std::vector<GrammarNote>* notes) {
  ErrorSink errors(path);
  const auto fail = [&] { return tl::unexpected(errors.error()); };
  const GrammarSyntax syntax = ParseSyntax(Tokenize(text, errors), errors);
  if (errors.failed()) return fail();
  TerminalTable terminals(syntax.terminals, errors);
  const StartLine start_line = ReadStartAndDeclared(syntax.directives, terminals, errors);
  PlainRules rules = ExpandRules(syntax.rules, terminals, errors);
  const Directives directives = ReadDirectives(syntax.directives, terminals, errors);
  if (errors.failed()) return fail();
  const std::optional<uint32_t> start = FindStart(syntax, start_line, errors);
  if (!start) return fail();
  const Place start_place = syntax.rules[*start].place;
  CheckReduced(rules, *start, errors);
  CheckTerminals(terminals, directives, errors);
  CheckLineEnds(terminals, rules, directives, start_place, errors);
  CheckPredicates(rules, directives, start_place, errors);
  CheckNames(terminals, rules, directives, errors);
  if (errors.failed()) return fail();
  const PlainRules as_written = notes ? rules : PlainRules{};
  const bool nullable = RemoveEmptyBodies(rules, *start, errors);
  RestrictFirstTerminals(rules, errors);
  const size_t fallback_columns = directives.fallbacks.size() * rules.predicates.size();
  if (rules.columns.size() + fallback_columns + rules.nonterminals.size() + terminals.entries.size() > kMaxSymbols) {
    errors.Fail(GrammarErrorCode::kTooLarge, start_place,
                fmt::format("the grammar has more than {} symbols", kMaxSymbols));
  }
  if (rules.nonterminals[*start].bodies.empty()) {
    errors.Fail(GrammarErrorCode::kUnproductive, start_place,
                fmt::format("the start rule '{}' derives the empty text only", start_line.rule));
  }
  if (errors.failed()) return fail();
  Grammar grammar = Assembler(terminals, rules, *start).Run(directives);
  grammar.path = std::move(path);
  grammar.start_nullable = nullable;
  if (!EmitProductive(grammar, InContext::kEvery)[grammar.start.value]) {
    errors.Fail(GrammarErrorCode::kUnproductive, start_place,
                fmt::format("the start rule '{}' derives no text that may be emitted: every way needs a predicate or a "
                            "terminal with '%emit ... never'",
                            start_line.rule));
    return fail();
  }
  if (std::string wrong = CheckInsertion(grammar); !wrong.empty()) {
    errors.Fail(GrammarErrorCode::kMechanism, directives.insertion->place, std::move(wrong));
    return fail();
  }
  if (std::string wrong = CheckModes(grammar); !wrong.empty()) {
    errors.Fail(GrammarErrorCode::kMechanism, start_place, std::move(wrong));
    return fail();
  }
  if (notes) *notes = NotesOn(as_written, grammar);
  return grammar;
}

}  // namespace tenon::constraint
