#include "constraint/grammar_file/file_checks.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "constraint/automata/automata.h"

namespace tenon::constraint {

void CheckTerminals(const TerminalTable& table, const Directives& directives, ErrorSink& errors) {
  for (const TerminalEntry& entry : table.entries) {
    const Terminal& terminal = entry.terminal;
    if (!entry.InLexer()) {
      if (entry.inlined) continue;
      errors.Fail(GrammarErrorCode::kUnreachable, entry.place,
                  fmt::format("the terminal '{}' is used nowhere: put it into a rule, %ignore or "
                              "%poison it, or remove it",
                              terminal.name));
      return;
    }
    if (terminal.kind == TerminalKind::kDeclared) continue;
    const auto regex = ParseRegex(terminal.pattern, terminal.pattern_flags);
    if (!regex) {
      errors.Fail(GrammarErrorCode::kSyntax, entry.place, regex.error().message);
    } else if (MatchesEmpty(*regex)) {
      errors.Fail(GrammarErrorCode::kEmptyTerminal, entry.place,
                  fmt::format("the terminal '{}' matches the empty text: replace '*' by '+', or "
                              "make its uses optional",
                              terminal.name));
    } else if (MatchesNothing(*regex)) {
      errors.Fail(GrammarErrorCode::kUnproductive, entry.place,
                  fmt::format("the terminal '{}' matches no text at all", terminal.name));
    }
  }
  for (const TerminalMention& mention : directives.mentions) {
    const TerminalEntry& entry = table.entries[mention.terminal.value];
    if (!entry.InLexer()) {
      errors.Fail(GrammarErrorCode::kMechanism, mention.place,
                  fmt::format("'{}' is only a part of other terminals: '%{}' has no effect on it",
                              entry.terminal.name, mention.directive));
    }
    if (errors.failed()) return;
    std::string wrong = mention.directive == "emit"    ? CheckEmitPattern(entry.terminal)
                        : mention.directive == "spell" ? CheckSpelling(entry.terminal)
                                                       : "";
    if (!wrong.empty()) errors.Fail(GrammarErrorCode::kMechanism, mention.place, std::move(wrong));
  }
}

void CheckNames(const TerminalTable& table, const PlainRules& rules, const Directives& directives,
                ErrorSink& errors) {
  const auto fail = [&](FilePlace place, std::string message) {
    errors.Fail(GrammarErrorCode::kMechanism, place, std::move(message));
  };
  std::vector<bool> declared(kMaxNameSets), asked(kMaxNameSets);
  for (const PlainTerminal& lr_terminal : rules.lr_terminals) {
    if (!lr_terminal.predicate || directives.names.empty()) continue;
    const std::string& predicate = rules.predicates[*lr_terminal.predicate];
    const NameCondition condition = NameConditionOf(directives.names, predicate);
    if (condition.use == NameUse::kNone) continue;
    (condition.use == NameUse::kDeclares ? declared : asked)[condition.set] = true;
    const auto holds = [&](TerminalIndex index) { return index == lr_terminal.terminal; };
    const bool split =
        std::any_of(directives.splits.begin(), directives.splits.end(), [&](const SplitLine& line) {
          return holds(line.terminal) || std::any_of(line.parts.begin(), line.parts.end(), holds);
        });
    const bool newline = directives.layout && holds(directives.layout->newline);
    const bool made = (directives.insertion && holds(directives.insertion->terminal)) ||
                      (directives.terminator && holds(directives.terminator->terminal));
    const Terminal& terminal = table.entries[lr_terminal.terminal.value].terminal;
    if (split || newline || made || terminal.kind != TerminalKind::kParsed)
      return fail(directives.names[0].place,
                  fmt::format("'{}#{}': only a terminal with a lexeme of its own is a name",
                              terminal.name, predicate));
  }
  size_t number = 0;
  for (const NamesLine& line : directives.names) {
    bool any_asked = false;
    for (const std::string& set : line.sets) {
      if (!declared[number])
        return fail(
            line.place,
            fmt::format("nothing declares a '{0}': write '#{1}{0}' behind a terminal where a name "
                        "becomes one",
                        set, kDeclaring));
      any_asked |= asked[number++];
    }
    if (!any_asked)
      return fail(
          line.place,
          fmt::format("nothing asks for a name of '%names {0}': write '#{0}' or '#{1}{0}' behind a "
                      "terminal",
                      line.sets[0], kNotIn));
  }
}

void CheckLineEnds(const TerminalTable& table, const PlainRules& rules,
                   const Directives& directives, FilePlace start, ErrorSink& errors) {
  const bool asked =
      std::any_of(rules.predicates.begin(), rules.predicates.end(),
                  [](const std::string& p) { return LineConditionOf(p) != LineCondition::kNone; });
  if (asked && !directives.remembers_line_ends) {
    errors.Fail(GrammarErrorCode::kMechanism, start,
                "'#no_newline' and '#newline_before' need a '%line_ends' that names the terminals "
                "of line ends");
  }
  const bool written =
      std::any_of(table.entries.begin(), table.entries.end(), [](const TerminalEntry& entry) {
        return entry.terminal.kind == TerminalKind::kLineEnd && entry.terminal.emitted;
      });
  if (directives.remembers_line_ends && !written) {
    errors.Fail(
        GrammarErrorCode::kMechanism, start,
        "no terminal of '%line_ends' may be written: leave out '%emit ... never' for one of them");
  }
}

void CheckPredicates(const PlainRules& rules, const Directives& directives, FilePlace start,
                     ErrorSink& errors) {
  std::vector<bool> asked(rules.predicates.size()), marked(rules.predicates.size());
  for (const PlainTerminal& lr_terminal : rules.lr_terminals) {
    if (lr_terminal.predicate) asked[*lr_terminal.predicate] = true;
  }
  for (const PlainNonterminal& nonterminal : rules.nonterminals) {
    for (size_t p = 0; p < std::min(kMaxPredicates, marked.size()); ++p)
      marked[p] = marked[p] || nonterminal.change.on >> p & 1;
  }
  for (const LevelMention& level : directives.levels) {
    const auto known =
        std::find(rules.predicates.begin() + 1, rules.predicates.end(), level.predicate);
    const size_t p = known - rules.predicates.begin();
    if (p == rules.predicates.size() || !asked[p])
      return errors.Fail(
          GrammarErrorCode::kMechanism, level.place,
          fmt::format("no terminal asks for the level: write '#{}' behind one, or leave it out",
                      level.predicate));
    if (marked[p])
      return errors.Fail(
          GrammarErrorCode::kMechanism, level.place,
          fmt::format("a rule turns '{}' on: a level holds for the whole text", level.predicate));
    marked[p] = true;
  }
  for (size_t p = 1; p < rules.predicates.size(); ++p) {
    const std::string& name = rules.predicates[p];
    if (LineConditionOf(name) != LineCondition::kNone) continue;
    if (NameConditionOf(directives.names, name).use != NameUse::kNone) {
      if (!marked[p]) continue;
      return errors.Fail(
          GrammarErrorCode::kMechanism, directives.names[0].place,
          fmt::format("'{}' is said of names: neither a rule nor '%levels' turns it on", name));
    }
    if (!marked[p])
      return errors.Fail(
          GrammarErrorCode::kMechanism, start,
          fmt::format("nothing turns the predicate '{0}' on: write '#+{0}' behind a rule's name "
                      "where it is entered, name it in '%levels' or '%names', or say '#given'",
                      name));
    if (!asked[p])
      return errors.Fail(
          GrammarErrorCode::kMechanism, start,
          fmt::format(
              "no terminal asks for the predicate '{0}': write '#{0}' behind one, or leave it out",
              name));
  }
  if (rules.predicates.size() > kMaxPredicates)
    errors.Fail(GrammarErrorCode::kTooLarge, start,
                fmt::format("the grammar has more than {} predicates", kMaxPredicates));
}

}  // namespace tenon::constraint
