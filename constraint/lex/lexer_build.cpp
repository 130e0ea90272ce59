#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "constraint/automata/automata.h"
#include "constraint/base/base.h"
#include "constraint/lex/lexer.h"

namespace tenon::constraint {

namespace {

GrammarError Error(const Grammar& grammar, GrammarErrorCode code, std::string message) {
  return GrammarError{code, grammar.path, 0, 0, std::move(message)};
}

tl::expected<Regex, GrammarError> Parse(const Grammar& grammar, const Terminal& terminal,
                                        const std::string& pattern, const std::string& flags) {
  auto regex = ParseRegex(pattern, flags);
  if (regex) return *regex;
  return tl::unexpected(
      Error(grammar, GrammarErrorCode::kSyntax,
            fmt::format("terminal {}: {} at offset {} of /{}/", terminal.name,
                        regex.error().message, regex.error().offset_bytes, pattern)));
}

bool Has(const std::vector<TerminalId>& ascending, TerminalId id) {
  return std::binary_search(ascending.begin(), ascending.end(), id);
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
  // A terminal without an LR terminal that emitted text may use is never written, whatever its
  // pattern.
  std::set<uint16_t> writable;
  for (const LrTerminal& lr_terminal : grammar.lr_terminals) {
    if (!lr_terminal.predicate || *lr_terminal.predicate != kGivenPredicate)
      writable.insert(lr_terminal.terminal.value);
  }
  // Declared terminals have no pattern; those that have one are numbered among themselves.
  std::vector<Regex> present;
  std::vector<StrictForm> forms;  // [pattern] what is emitted for it
  std::vector<uint16_t> terminal_of;
  for (uint16_t t = 0; t < grammar.terminals.size(); ++t) {
    const Terminal& terminal = grammar.terminals[t];
    if (terminal.kind == TerminalKind::kDeclared) continue;
    auto regex = Parse(grammar, terminal, terminal.pattern, terminal.pattern_flags);
    if (!regex) return tl::unexpected(regex.error());
    present.push_back(*regex);
    terminal_of.push_back(t);
    bool written = terminal.kind != TerminalKind::kPoison;
    if (terminal.kind == TerminalKind::kParsed && !writable.contains(t) &&
        !(grammar.layout && grammar.layout->newline.value == t)) {
      written = false;
    }
    StrictForm& form = forms.emplace_back();
    if (!written || !terminal.emitted) form.kind = StrictForm::Kind::kNone;
    if (form.kind == StrictForm::Kind::kNone || terminal.emit_pattern.empty()) continue;
    regex = Parse(grammar, terminal, terminal.emit_pattern, terminal.emit_flags);
    if (!regex) return tl::unexpected(regex.error());
    form = {StrictForm::Kind::kForm, *regex};
  }
  std::vector<std::vector<uint16_t>> groups(std::max<size_t>(grammar.modes.size(), 1));
  for (uint16_t p = 0; p < present.size(); ++p) {
    if (grammar.modes.empty()) groups[0].push_back(p);
    for (size_t m = 0; m < grammar.modes.size(); ++m) {
      const std::vector<TerminalId>& own = grammar.modes[m].terminals;
      if (std::binary_search(own.begin(), own.end(), TerminalId{terminal_of[p]}))
        groups[m].push_back(p);
    }
  }
  if (!grammar.apart.empty()) {
    const auto apart = [&](uint16_t p) {
      return std::any_of(grammar.apart.begin(), grammar.apart.end(), [&](const Apart& line) {
        return Has(line.terminals, TerminalId{terminal_of[p]});
      });
    };
    for (auto& group : groups) std::erase_if(group, apart);
    std::vector<uint16_t>& own = groups.emplace_back();
    for (uint16_t p = 0; p < present.size(); ++p) {
      if (apart(p)) own.push_back(p);
    }
  }
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
  auto dfa = StrictDfa::Build(present, forms, groups, ends);
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

}  // namespace

void Lexer::BuildLexemes(const Grammar& grammar, std::span<const uint16_t> terminal_of,
                         const StrictDfa& strict) {
  using Patterns = std::vector<uint16_t>;
  std::map<std::tuple<Patterns, Patterns, bool>, LexemeId> ids;
  lexeme_at_.assign(dfa_.size(), kNoLexeme);
  for (size_t q = 0; q < dfa_.size(); ++q) {
    const std::span<const uint16_t> winners =
        Winners(grammar, terminal_of, dfa_.Accepts(DfaStateId{static_cast<uint16_t>(q)}));
    if (winners.empty()) continue;
    const auto emits = [&](uint16_t pattern) {
      return std::binary_search(strict.ends[q].begin(), strict.ends[q].end(), pattern);
    };
    // Emitted text may lead to what it must not leave as it is: only a longer lexeme has an emit
    // form.
    const Terminal& first = grammar.terminals[terminal_of[winners[0]]];
    const bool unfinished =
        first.kind != TerminalKind::kPoison && strict.goes_on[q] && !emits(winners[0]);
    auto [at, fresh] =
        ids.try_emplace({Patterns(winners.begin(), winners.end()), strict.ends[q], unfinished},
                        LexemeId{static_cast<uint16_t>(lexemes_.size())});
    lexeme_at_[q] = at->second;
    if (!fresh) continue;
    Lexeme lexeme;
    lexeme.kind = first.kind;
    lexeme.delimited = first.delimited;
    lexeme.action = first.action;
    if (first.action.kind == ModeAction::Kind::kPush) lexeme.bracket = 1;
    if (first.action.kind == ModeAction::Kind::kPop) lexeme.bracket = -1;
    for (uint16_t pattern : winners) {
      TerminalId id{terminal_of[pattern]};
      lexeme.not_within |= grammar.terminals[id.value].not_within;
      lexeme.not_last |= grammar.terminals[id.value].not_last;
      if (grammar.insertion) {
        const std::vector<TerminalId>& before = grammar.insertion->before;
        lexeme.insert_before |= std::find(before.begin(), before.end(), id) != before.end();
      }
      lexeme.terminals.push_back(id);
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
      if (grammar.layout) {
        lexeme.is_newline |= grammar.layout->newline == id;
        for (auto [open, close] : grammar.layout->brackets) {
          if (open == id) lexeme.bracket = 1;
          if (close == id) lexeme.bracket = -1;
        }
      }
      AddTerminals(grammar, id, emits(pattern), lexeme.given_terminals, lexeme.emit_terminals);
      for (const Split& split : grammar.splits) {
        if (split.terminal != id) continue;
        std::vector<LexemeTerminals>& parts = lexeme.splits.emplace_back();
        for (TerminalId part : split.parts) {
          LexemeTerminals& lr_terminals = parts.emplace_back();
          AddTerminals(grammar, part, emits(winners[0]) && grammar.terminals[part.value].emitted,
                       lr_terminals.given, lr_terminals.emit);
        }
      }
    }
    // Tokens have LR terminals to say so.
    if (unfinished && (lexeme.kind != TerminalKind::kParsed || lexeme.is_newline))
      lexeme.not_within = ~ModeMask{0};
    lexemes_.push_back(std::move(lexeme));
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

tl::expected<void, GrammarError> Lexer::BuildModes(const Grammar& grammar) {
  modes_of_.assign(dfa_.size(), 1);
  below_.assign(1, 0);
  if (!grammar.apart.empty()) {
    apart_start_ = dfa_.StartOf(std::max<size_t>(grammar.modes.size(), 1));
    hosts_apart_.assign(dfa_.size(), false);
    if (grammar.modes.empty()) {
      hosts_apart_[kStartState.value] = true;
      distinct_starts_.push_back(apart_start_);
    }
  }
  if (grammar.modes.empty()) return {};
  for (const Lexeme& lexeme : lexemes_) {
    for (TerminalId t : lexeme.terminals) {
      if (grammar.terminals[t.value].action == lexeme.action) continue;
      return tl::unexpected(
          Error(grammar, GrammarErrorCode::kMechanism,
                fmt::format("{} and {} match the same text, but one of them changes the mode",
                            grammar.terminals[lexeme.terminals[0].value].name,
                            grammar.terminals[t.value].name)));
    }
  }
  starts_.clear();
  modes_of_.assign(dfa_.size(), 0);
  is_start_.assign(dfa_.size(), false);
  for (uint8_t m = 0; m < grammar.modes.size(); ++m) {
    DfaStateId start = dfa_.StartOf(m);
    starts_.push_back(start);
    if (m > 0 && start != kStartState && !is_start_[start.value]) distinct_starts_.push_back(start);
    is_start_[start.value] = true;
    std::vector<DfaStateId> work{start};
    modes_of_[start.value] |= MaskOf(ModeId{m});
    const std::vector<TerminalId>& own = grammar.modes[m].terminals;
    const auto hosts = [&](const Apart& line) {
      return std::any_of(line.terminals.begin(), line.terminals.end(),
                         [&](TerminalId t) { return Has(own, t); });
    };
    if (std::any_of(grammar.apart.begin(), grammar.apart.end(), hosts)) {
      hosts_apart_[start.value] = true;
      modes_of_[apart_start_.value] |= MaskOf(ModeId{m});
      work.push_back(apart_start_);
    }
    while (!work.empty()) {
      DfaStateId q = work.back();
      work.pop_back();
      for (int b = 0; b < 256; ++b) {
        DfaStateId to = Next(q, b);
        if (to == kDeadState || (modes_of_[to.value] & MaskOf(ModeId{m}))) continue;
        modes_of_[to.value] |= MaskOf(ModeId{m});
        work.push_back(to);
      }
    }
  }
  if (!grammar.apart.empty()) {
    is_start_[apart_start_.value] = true;
    distinct_starts_.push_back(apart_start_);
  }
  // A push lays the mode that the lexeme was read in below the new one, a switch keeps what lies
  // below.
  std::vector<ModeMask> read_in(lexemes_.size());
  for (size_t q = 0; q < dfa_.size(); ++q) {
    if (lexeme_at_[q] != kNoLexeme) read_in[lexeme_at_[q].value] |= modes_of_[q];
  }
  below_.assign(starts_.size(), 0);
  for (bool changed = true; changed;) {
    std::vector<ModeMask> before = below_;
    for (size_t l = 0; l < lexemes_.size(); ++l) {
      const ModeAction action = lexemes_[l].action;
      if (action.kind == ModeAction::Kind::kPush) below_[action.mode.value] |= read_in[l];
      if (action.kind == ModeAction::Kind::kSwitch) below_[action.mode.value] |= Below(read_in[l]);
    }
    changed = before != below_;
  }
  return {};
}

// A byte begins a token when a token's lexeme, or a line end's, can be reached over it.
void Lexer::BuildFirstBytes() {
  std::vector<std::vector<uint16_t>> before(dfa_.size());
  std::vector<bool> reaches(dfa_.size());
  std::vector<uint16_t> work;
  for (uint16_t s = 0; s < dfa_.size(); ++s) {
    DfaStateId previous = kDeadState;
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = Next(DfaStateId{s}, b);
      if (to != kDeadState && to != previous) before[to.value].push_back(s);
      previous = to;
    }
    LexemeId id = lexeme_at_[s];
    TerminalKind kind = id == kNoLexeme ? TerminalKind::kIgnored : lexeme(id).kind;
    reaches[s] = kind == TerminalKind::kParsed || kind == TerminalKind::kLineEnd;
    if (reaches[s]) work.push_back(s);
  }
  while (!work.empty()) {
    uint16_t s = work.back();
    work.pop_back();
    for (uint16_t p : before[s]) {
      if (!reaches[p]) work.push_back(p);
      reaches[p] = true;
    }
  }
  first_bytes_.assign(starts_.size(), {});
  for (size_t m = 0; m < starts_.size(); ++m) {
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = Next(starts_[m], b);
      first_bytes_[m][b] = to != kDeadState && reaches[to.value];
    }
  }
}

tl::expected<void, GrammarError> Lexer::CheckBackUp(const Grammar& grammar) const {
  // deep[q]: from q on, q included, so many non-accepting states may follow each other as rounds
  // were made, and one more.
  std::vector<bool> deep(dfa_.size());
  for (size_t q = 0; q < dfa_.size(); ++q) deep[q] = lexeme_at_[q] == kNoLexeme;
  const auto leads_on = [&](size_t q) {
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = Next(DfaStateId{static_cast<uint16_t>(q)}, static_cast<uint8_t>(b));
      if (to != kDeadState && deep[to.value]) return true;
    }
    return false;
  };
  for (int length = 1; length < kMaxBackUpBytes; ++length) {
    std::vector<bool> deeper(dfa_.size());
    for (size_t q = 0; q < dfa_.size(); ++q) deeper[q] = deep[q] && leads_on(q);
    deep = std::move(deeper);
  }
  for (size_t start = 0; start < dfa_.size(); ++start) {
    LexemeId from = lexeme_at_[start];
    if (from == kNoLexeme || lexeme(from).kind == TerminalKind::kPoison || !leads_on(start))
      continue;
    return tl::unexpected(Error(
        grammar, GrammarErrorCode::kMechanism,
        fmt::format("after a lexeme of {} a longer one may begin and fail only {} or more bytes "
                    "later; add a "
                    "%poison terminal that "
                    "matches the unfinished form",
                    grammar.terminals[lexeme(from).terminals[0].value].name, kMaxBackUpBytes)));
  }
  return {};
}

void Lexer::BuildBeginnings() {
  for (bool emitted : {false, true}) {
    std::vector<Beginning>& found = beginnings_[emitted];
    std::vector<bool> seen(dfa_.size());
    for (DfaStateId start : distinct_starts_) {
      found.push_back({start, ""});
      seen[start.value] = true;
    }
    for (size_t at = 0; at < found.size();
         ++at) {  // breadth first: the first text to reach a state is a shortest one
      DfaStateId q = found[at].q;
      for (int i = 0; i < 256; ++i) {
        uint8_t b = static_cast<uint8_t>(
            i + 'a');  // letters before digits before controls, for texts that a person can read
        DfaStateId to = Next(q, b);
        if (to == kDeadState || seen[to.value] || (emitted && !IsEmitEdge(q, b))) continue;
        seen[to.value] = true;
        found.push_back({to, found[at].text + static_cast<char>(b)});
      }
    }
  }
}

void Lexer::BuildSpellings(const Grammar& grammar, std::span<const uint16_t> terminal_of,
                           const StrictDfa& strict) {
  spellings_.resize(grammar.terminals.size());
  for (const Beginning& beginning : beginnings_[true]) {
    for (uint16_t pattern : strict.ends[beginning.q.value]) {
      std::string& spelling = spellings_[terminal_of[pattern]];
      if (spelling.empty()) spelling = beginning.text;
    }
  }
  for (size_t t = 0; t < spellings_.size(); ++t) {
    if (!grammar.terminals[t].spelling.empty()) spellings_[t] = grammar.terminals[t].spelling;
  }
}

void Lexer::BuildSuccessors() {
  FindSuccessors();
  for (bool emitted : {false, true}) {
    separable_[emitted].resize(dfa_.size());
    for (size_t i = 0; i < dfa_.size(); ++i) {
      DfaStateId q{static_cast<uint16_t>(i)};
      LexemeId here = LexemeAt(q);
      separable_[emitted][i] = here != kNoLexeme && lexeme(here).kind != TerminalKind::kPoison &&
                               ComputeSeparable(q, Guards{}, emitted);
    }
  }
}

void Lexer::FindSuccessors() {
  for (bool emitted : {false, true}) {
    successors_[emitted].resize(dfa_.size());
    std::vector<size_t> seen(dfa_.size(),
                             dfa_.size());  // [to] the last state that was seen to lead there
    for (size_t i = 0; i < dfa_.size(); ++i) {
      DfaStateId q{static_cast<uint16_t>(i)};
      std::vector<DfaStateId>& distinct = successors_[emitted][i];
      for (int b = 0; b < 256; ++b) {
        DfaStateId to = Next(q, b);
        if (to == kDeadState || seen[to.value] == i || (emitted && !IsEmitEdge(q, b))) continue;
        seen[to.value] = i;
        distinct.push_back(to);
      }
      std::sort(distinct.begin(), distinct.end());
    }
  }
  FindBlanks();
}

// The states from which an ignored lexeme can be reached, and the bytes that lead to one.
void Lexer::FindBlanks() {
  for (bool emitted : {false, true}) {
    std::vector<std::vector<uint16_t>> before(dfa_.size());
    std::vector<uint16_t> work;
    reaches_blank_[emitted].assign(dfa_.size(), false);
    for (uint16_t s = 0; s < dfa_.size(); ++s) {
      for (DfaStateId to : successors_[emitted][s]) before[to.value].push_back(s);
      const LexemeId id = lexeme_at_[s];
      if (id == kNoLexeme || lexeme(id).kind != TerminalKind::kIgnored) continue;
      reaches_blank_[emitted][s] = true;
      work.push_back(s);
    }
    while (!work.empty()) {
      const uint16_t s = work.back();
      work.pop_back();
      for (uint16_t earlier : before[s]) {
        if (!reaches_blank_[emitted][earlier]) work.push_back(earlier);
        reaches_blank_[emitted][earlier] = true;
      }
    }
    begins_blank_[emitted].assign(starts_.size(), {});
    for (size_t m = 0; m < starts_.size(); ++m) {
      for (const DfaStateId begin : {starts_[m], ApartOf(starts_[m])}) {
        for (int b = 0; b < 256 && begin != kDeadState; ++b) {
          const DfaStateId to = Next(begin, b);
          if (to != kDeadState && reaches_blank_[emitted][to.value])
            begins_blank_[emitted][m].set(b);
        }
      }
    }
  }
}

// Half a letter after a name, for one: whichever letter it becomes, the name should have gone on
// with it.
void Lexer::BuildDoomed() {
  const auto ends = [this](DfaStateId q) {
    LexemeId here = LexemeAt(q);
    return here != kNoLexeme && lexeme(here).kind != TerminalKind::kPoison;
  };
  boost::unordered_flat_map<uint32_t, std::vector<uint32_t>>
      before;  // pair -> pairs that one byte leads from
  std::vector<uint32_t> pairs, work;
  const auto reach = [&](DfaStateId q, DfaStateId guard) {
    const uint32_t pair = static_cast<uint32_t>(q.value) << 16 | guard.value;
    if (before.try_emplace(pair).second) pairs.push_back(pair);
    return pair;
  };
  for (uint16_t s = 0; s < state_count(); ++s) {
    if (!ends(DfaStateId{s})) continue;
    for (int b = 0; b < 256; ++b) {
      DfaStateId guard = Next(DfaStateId{s}, static_cast<uint8_t>(b));
      if (guard == kDeadState || LexemeAt(guard) != kNoLexeme) continue;
      for (DfaStateId start : starts()) {
        DfaStateId q = Next(start, static_cast<uint8_t>(b));
        if (q != kDeadState) reach(q, guard);
      }
    }
  }
  boost::unordered_flat_set<uint32_t> hopeful;
  const auto hope = [&](uint32_t pair) {
    if (hopeful.insert(pair).second) work.push_back(pair);
  };
  for (size_t i = 0; i < pairs.size(); ++i) {
    const uint32_t pair = pairs[i];
    const DfaStateId q{static_cast<uint16_t>(pair >> 16)}, guard{static_cast<uint16_t>(pair)};
    bool hopes = ends(q);
    for (int b = 0; b < 256; ++b) {
      DfaStateId to = Next(q, static_cast<uint8_t>(b)), then = Next(guard, static_cast<uint8_t>(b));
      if (to == kDeadState) continue;
      if (then == kDeadState)
        hopes = true;
      else if (LexemeAt(then) == kNoLexeme)
        before[reach(to, then)].push_back(pair);
    }
    if (hopes) hope(pair);
  }
  while (!work.empty()) {
    const uint32_t pair = work.back();
    work.pop_back();
    for (uint32_t from : before[pair]) hope(from);
  }
  for (uint32_t pair : pairs) {
    if (!hopeful.contains(pair)) doomed_.push_back(pair);
  }
  std::sort(doomed_.begin(), doomed_.end());
}

}  // namespace tenon::constraint
