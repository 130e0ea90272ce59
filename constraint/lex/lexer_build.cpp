#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "constraint/automata/automata.h"
#include "constraint/base/base.h"
#include "constraint/lex/lexer.h"

namespace tenon::constraint {

namespace {

GrammarError Error(const Grammar& grammar, GrammarErrorCode code, std::string message) {
  return GrammarError{code, grammar.path, 0, 0, std::move(message)};
}

bool Has(const std::vector<TerminalId>& ascending, TerminalId id) {
  return std::binary_search(ascending.begin(), ascending.end(), id);
}

// The patterns of a grammar's terminals. A declared terminal has none, so patterns have numbers of
// their own.
struct Patterns {
  std::vector<Regex> regexes;         // [pattern]
  std::vector<StrictForm> forms;      // [pattern] what is emitted for it
  std::vector<uint16_t> terminal_of;  // [pattern]
};

tl::expected<Regex, GrammarError> Parse(const Grammar& grammar, const Terminal& terminal,
                                        const std::string& pattern, const std::string& flags) {
  auto regex = ParseRegex(pattern, flags);
  if (regex) return *regex;
  return tl::unexpected(
      Error(grammar, GrammarErrorCode::kSyntax,
            fmt::format("terminal {}: {} at offset {} of /{}/", terminal.name,
                        regex.error().message, regex.error().offset_bytes, pattern)));
}

// The parsed terminals that emitted text may use: those with an LR terminal that it may shift,
// those that are split into such ones, and the layout's newline.
std::set<uint16_t> WritableTerminals(const Grammar& grammar) {
  std::set<uint16_t> writable;
  for (const LrTerminal& lr_terminal : grammar.lr_terminals) {
    if (lr_terminal.predicate != kGivenPredicate) writable.insert(lr_terminal.terminal.value);
  }
  if (grammar.layout) writable.insert(grammar.layout->newline.value);
  std::vector<uint16_t> split;
  for (const Split& line : grammar.splits) {
    if (std::all_of(line.parts.begin(), line.parts.end(),
                    [&](TerminalId part) { return writable.contains(part.value); }))
      split.push_back(line.terminal.value);
  }
  writable.insert(split.begin(), split.end());
  return writable;
}

// `writable`: may emitted text use the terminal, whatever its pattern?
tl::expected<StrictForm, GrammarError> EmitForm(const Grammar& grammar, const Terminal& terminal,
                                                bool writable) {
  if (!terminal.emitted || terminal.kind == TerminalKind::kPoison ||
      (terminal.kind == TerminalKind::kParsed && !writable))
    return StrictForm{StrictForm::Kind::kNone};
  if (terminal.emit_pattern.empty()) return StrictForm{};
  auto form = Parse(grammar, terminal, terminal.emit_pattern, terminal.emit_flags);
  if (!form) return tl::unexpected(std::move(form.error()));
  return StrictForm{StrictForm::Kind::kForm, *form};
}

tl::expected<Patterns, GrammarError> ParsePatterns(const Grammar& grammar) {
  const std::set<uint16_t> writable = WritableTerminals(grammar);
  Patterns patterns;
  for (uint16_t t = 0; t < grammar.terminals.size(); ++t) {
    const Terminal& terminal = grammar.terminals[t];
    if (terminal.kind == TerminalKind::kDeclared) continue;
    auto regex = Parse(grammar, terminal, terminal.pattern, terminal.pattern_flags);
    if (!regex) return tl::unexpected(std::move(regex.error()));
    auto form = EmitForm(grammar, terminal, writable.contains(t));
    if (!form) return tl::unexpected(std::move(form.error()));
    patterns.regexes.push_back(std::move(*regex));
    patterns.forms.push_back(std::move(*form));
    patterns.terminal_of.push_back(t);
  }
  return patterns;
}

// The patterns of each start state: [mode], and at the end those that are read apart, if any. A
// grammar without modes has one mode of all patterns.
std::vector<std::vector<uint16_t>> GroupPatterns(const Grammar& grammar,
                                                 std::span<const uint16_t> terminal_of) {
  const auto is_apart = [&](TerminalId id) {
    return std::any_of(grammar.apart.begin(), grammar.apart.end(),
                       [id](const Apart& line) { return Has(line.terminals, id); });
  };
  const size_t modes = std::max<size_t>(grammar.modes.size(), 1);
  std::vector<std::vector<uint16_t>> groups(modes + (grammar.apart.empty() ? 0 : 1));
  for (uint16_t p = 0; p < terminal_of.size(); ++p) {
    const TerminalId id{terminal_of[p]};
    if (is_apart(id)) {
      groups[modes].push_back(p);
      continue;
    }
    for (size_t m = 0; m < modes; ++m) {
      if (grammar.modes.empty() || Has(grammar.modes[m].terminals, id)) groups[m].push_back(p);
    }
  }
  return groups;
}

// What the lexeme is that these patterns match: those of the winning terminals, in order of
// precedence, cut after the first that is not soft.
std::span<const uint16_t> Winners(const Grammar& grammar, std::span<const uint16_t> terminal_of,
                                  std::span<const uint16_t> matching) {
  size_t count = 0;
  while (count < matching.size() && grammar.terminals[terminal_of[matching[count]]].soft) ++count;
  return matching.first(std::min(count + 1, matching.size()));
}

}  // namespace

tl::expected<Lexer, GrammarError> Lexer::Build(const Grammar& grammar) {
  const auto patterns = ParsePatterns(grammar);
  if (!patterns) return tl::unexpected(patterns.error());
  const std::vector<uint16_t>& terminal_of = patterns->terminal_of;
  const std::vector<std::vector<uint16_t>> groups = GroupPatterns(grammar, terminal_of);
  for (size_t m = 0; m < grammar.modes.size(); ++m) {
    if (!groups[m].empty()) continue;
    return tl::unexpected(
        Error(grammar, GrammarErrorCode::kMechanism,
              fmt::format("the mode '{}' has no terminal", grammar.modes[m].name)));
  }
  const auto ends = [&](std::span<const uint16_t> matching, std::span<const uint16_t> strict) {
    std::vector<uint16_t> ends;
    for (uint16_t pattern : Winners(grammar, terminal_of, matching)) {
      if (std::find(strict.begin(), strict.end(), pattern) != strict.end()) ends.push_back(pattern);
    }
    return ends;
  };
  auto dfa = StrictDfa::Build(patterns->regexes, patterns->forms, groups, ends);
  if (!dfa) return tl::unexpected(Error(grammar, GrammarErrorCode::kTooLarge, dfa.error()));
  Lexer lexer(std::move(dfa->dfa));
  lexer.emit_edges_ = std::move(dfa->edges);
  lexer.BuildLexemes(grammar, terminal_of, *dfa);
  if (auto ok = lexer.BuildModes(grammar); !ok) return tl::unexpected(ok.error());
  lexer.BuildFirstBytes();
  if (auto ok = lexer.CheckBackUp(grammar); !ok) return tl::unexpected(ok.error());
  lexer.BuildDoomed();
  lexer.BuildBeginnings();
  lexer.BuildSpellings(grammar, terminal_of, *dfa);
  lexer.BuildSuccessors();
  return lexer;
}

namespace {

// The terminals as which a lexeme of this terminal may be shifted.
void AddTerminals(const Grammar& grammar, TerminalId terminal, bool emitted,
                  std::vector<SymbolId>& given, std::vector<SymbolId>& emit) {
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    if (grammar.lr_terminals[c].terminal != terminal) continue;
    given.push_back(SymbolId{c});
    if (emitted && grammar.lr_terminals[c].predicate != kGivenPredicate)
      emit.push_back(SymbolId{c});
  }
}

// What `%apart` says of one of the lexeme's terminals.
void AddApart(const Grammar& grammar, TerminalId id, Lexeme& lexeme) {
  for (const Apart& line : grammar.apart) {
    lexeme.rival |= Has(line.rivals, id);
    if (!Has(line.terminals, id)) continue;
    lexeme.apart = true;
    for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
      if (Has(line.rivals, grammar.lr_terminals[c].terminal))
        lexeme.rival_terminals.push_back(SymbolId{c});
    }
    SortUnique(lexeme.rival_terminals);
  }
}

// What the layout says of one of the lexeme's terminals.
void AddLayout(const Layout& layout, TerminalId id, Lexeme& lexeme) {
  lexeme.is_newline |= layout.newline == id;
  for (auto [open, close] : layout.brackets) {
    if (open == id) lexeme.bracket = 1;
    if (close == id) lexeme.bracket = -1;
  }
}

// The parts that `%split` reads one of the lexeme's terminals as.
void AddSplits(const Grammar& grammar, TerminalId id, bool emitted, Lexeme& lexeme) {
  for (const Split& split : grammar.splits) {
    if (split.terminal != id) continue;
    std::vector<LexemeTerminals>& parts = lexeme.splits.emplace_back();
    for (TerminalId part : split.parts) {
      LexemeTerminals& lr_terminals = parts.emplace_back();
      AddTerminals(grammar, part, emitted && grammar.terminals[part.value].emitted,
                   lr_terminals.given, lr_terminals.emit);
    }
  }
}

// The lexeme that the patterns `winners` match, where those in `ends` are emitted. `unfinished`:
// emitted text must not leave it as it is.
Lexeme MakeLexeme(const Grammar& grammar, std::span<const uint16_t> terminal_of,
                  std::span<const uint16_t> winners, std::span<const uint16_t> ends,
                  bool unfinished) {
  const auto emits = [&](uint16_t pattern) {
    return std::binary_search(ends.begin(), ends.end(), pattern);
  };
  const Terminal& first = grammar.terminals[terminal_of[winners[0]]];
  Lexeme lexeme;
  lexeme.kind = first.kind;
  lexeme.delimited = first.delimited;
  lexeme.action = first.action;
  if (first.action.kind == ModeAction::Kind::kPush) lexeme.bracket = 1;
  if (first.action.kind == ModeAction::Kind::kPop) lexeme.bracket = -1;
  for (uint16_t pattern : winners) {
    const TerminalId id{terminal_of[pattern]};
    const Terminal& terminal = grammar.terminals[id.value];
    lexeme.terminals.push_back(id);
    lexeme.not_within |= terminal.not_within;
    lexeme.not_last |= terminal.not_last;
    if (grammar.insertion) {
      const std::vector<TerminalId>& before = grammar.insertion->before;
      lexeme.insert_before |= std::find(before.begin(), before.end(), id) != before.end();
    }
    AddApart(grammar, id, lexeme);
    if (grammar.layout) AddLayout(*grammar.layout, id, lexeme);
    AddTerminals(grammar, id, emits(pattern), lexeme.given_terminals, lexeme.emit_terminals);
    AddSplits(grammar, id, emits(winners[0]), lexeme);
  }
  // A parsed lexeme has LR terminals to say so.
  if (unfinished && (lexeme.kind != TerminalKind::kParsed || lexeme.is_newline))
    lexeme.not_within = ~ModeMask{0};
  return lexeme;
}

}  // namespace

void Lexer::BuildLexemes(const Grammar& grammar, std::span<const uint16_t> terminal_of,
                         const StrictDfa& strict) {
  using PatternSet = std::vector<uint16_t>;
  std::map<std::tuple<PatternSet, PatternSet, bool>, LexemeId> ids;
  lexeme_at_.assign(dfa_.size(), kNoLexeme);
  for (size_t q = 0; q < dfa_.size(); ++q) {
    const std::span<const uint16_t> winners =
        Winners(grammar, terminal_of, dfa_.Accepts(DfaStateId{static_cast<uint16_t>(q)}));
    if (winners.empty()) continue;
    const PatternSet& ends = strict.ends[q];
    // Emitted text may lead to what it must not leave as it is: only a longer lexeme has an emit
    // form.
    const bool unfinished =
        grammar.terminals[terminal_of[winners[0]]].kind != TerminalKind::kPoison &&
        strict.goes_on[q] && !std::binary_search(ends.begin(), ends.end(), winners[0]);
    const auto [at, fresh] =
        ids.try_emplace({PatternSet(winners.begin(), winners.end()), ends, unfinished},
                        LexemeId{static_cast<uint16_t>(lexemes_.size())});
    lexeme_at_[q] = at->second;
    if (fresh) lexemes_.push_back(MakeLexeme(grammar, terminal_of, winners, ends, unfinished));
  }
  if (grammar.one_lexeme) {
    // No second lexeme can follow, so none ends before the text does, and there is no back-up to
    // bound.
    for (size_t q = 1; q < dfa_.size(); ++q) {
      if (lexeme_at_[q] == kNoLexeme)
        lexeme_at_[q] = LexemeId{static_cast<uint16_t>(lexemes_.size())};
    }
    Lexeme unfinished;
    unfinished.kind = TerminalKind::kPoison;
    unfinished.terminals = {TerminalId{0}};
    lexemes_.push_back(std::move(unfinished));
  }
}

}  // namespace tenon::constraint
