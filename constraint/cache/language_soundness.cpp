#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "constraint/cache/language_fields.h"
#include "constraint/cache/soundness.h"
#include "constraint/characters/characters.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"

namespace tenon::constraint {

namespace {

template <typename Ids>
bool AllBelow(const Ids& ids, size_t bound) {
  return std::all_of(ids.begin(), ids.end(), [bound](auto id) { return id.value < bound; });
}

template <typename Id>
bool BelowIfAny(const std::optional<Id>& id, size_t bound) {
  return !id || id->value < bound;
}

bool PairsBelow(std::span<const std::pair<TerminalId, TerminalId>> pairs, size_t bound) {
  return std::all_of(pairs.begin(), pairs.end(), [bound](const auto& pair) {
    return pair.first.value < bound && pair.second.value < bound;
  });
}

bool ModeExists(const ModeAction& action, size_t modes) {
  return action.mode.value < std::max<size_t>(modes, 1);
}

bool PredicatesAreSound(const Grammar& grammar) {
  const size_t predicates = grammar.predicates.size();
  return predicates != 0 && predicates <= kMaxPredicates && AllBelow(grammar.levels, predicates) &&
         grammar.changes.size() == grammar.nonterminals.size();
}

bool ModesAreSound(const Grammar& grammar) {
  const size_t modes = grammar.modes.size();
  if (modes > kMaxModes || grammar.limits.size() > kMaxNestingLimits) return false;
  for (const Mode& mode : grammar.modes) {
    if (!AllBelow(mode.terminals, grammar.terminals.size())) return false;
  }
  for (const Terminal& terminal : grammar.terminals) {
    if (!ModeExists(terminal.action, modes)) return false;
  }
  return std::all_of(grammar.limits.begin(), grammar.limits.end(), [&](const NestingLimit& limit) {
    return limit.modes >> std::max<size_t>(modes, 1) == 0;
  });
}

size_t NameSetCount(const Grammar& grammar) {
  size_t count = 0;
  for (const NameLine& line : grammar.names) count += line.sets.size();
  return count;
}

bool NamesAreSound(const Grammar& grammar) {
  if (NameSetCount(grammar) > kMaxNameSets) return false;
  return std::all_of(grammar.names.begin(), grammar.names.end(), [&](const NameLine& line) {
    return !line.sets.empty() && PairsBelow(line.scopes, grammar.terminals.size());
  });
}

// REQUIRES: sound predicates.
bool LrTerminalsAreSound(const Grammar& grammar) {
  const size_t name_sets = NameSetCount(grammar);
  PredicateBits levels = 0;
  for (const PredicateId level : grammar.levels) levels |= PredicateBits{1} << level.value;
  for (const LrTerminal& lr_terminal : grammar.lr_terminals) {
    if (lr_terminal.levels != 0 && (!lr_terminal.predicate || (lr_terminal.levels & ~levels) != 0))
      return false;
    if (lr_terminal.name_use != NameUse::kNone && lr_terminal.name_set >= name_sets) return false;
    if (lr_terminal.terminal.value >= grammar.terminals.size() ||
        !BelowIfAny(lr_terminal.predicate, grammar.predicates.size()) ||
        !BelowIfAny(lr_terminal.reads_as, grammar.lr_terminals.size()) ||
        (lr_terminal.reads_as && grammar.lr_terminals[lr_terminal.reads_as->value].reads_as))
      return false;
  }
  return true;
}

// Layout, inserted terminals and terminators. REQUIRES: sound LR terminals.
bool LineEndsAreSound(const Grammar& grammar) {
  const size_t terminals = grammar.terminals.size();
  if (grammar.layout) {
    const Layout& layout = *grammar.layout;
    if (layout.newline.value >= terminals || !BelowIfAny(layout.indent, terminals) ||
        !BelowIfAny(layout.dedent, terminals) || LayoutRules::UnusedTerminal(grammar) ||
        !PairsBelow(layout.brackets, terminals))
      return false;
  }
  if (grammar.insertion && (grammar.insertion->terminal.value >= terminals ||
                            !AllBelow(grammar.insertion->before, terminals) ||
                            !grammar.remembers_line_ends || LayoutRules::UnusedTerminal(grammar)))
    return false;
  if (!grammar.terminator) return true;
  const Terminator& terminator = *grammar.terminator;
  return terminator.terminal.value < terminals && AllBelow(terminator.line_ends, terminals) &&
         AllBelow(terminator.after, terminals);
}

// How bytes become lexemes, modes apart.
bool LexingIsSound(const Grammar& grammar) {
  const size_t terminals = grammar.terminals.size();
  for (const Apart& apart : grammar.apart) {
    if (!AllBelow(apart.terminals, terminals) || !AllBelow(apart.rivals, terminals)) return false;
  }
  for (const Split& split : grammar.splits) {
    if (split.terminal.value >= terminals || !AllBelow(split.parts, terminals)) return false;
  }
  if (grammar.encoding && !EncodingRules::Build(*grammar.encoding)) return false;
  if (grammar.lexeme_rules.size() > kMaxLexemeRules) return false;
  for (const LexemeRule& rule : grammar.lexeme_rules) {
    if (!AllBelow(rule.terminals, terminals) ||
        (rule.names &&
         (rule.opener.empty() || rule.opener.size() > kMaxOpener || rule.closer.size() != 1)))
      return false;
  }
  return true;
}

// All but the rules. The order counts: some functions index what those before them have checked.
bool TerminalsAreSound(const Grammar& grammar) {
  return PredicatesAreSound(grammar) && ModesAreSound(grammar) && NamesAreSound(grammar) &&
         LrTerminalsAreSound(grammar) && LineEndsAreSound(grammar) && LexingIsSound(grammar);
}

// Has every nonterminal a finite text?
bool IsProductive(const Grammar& grammar) {
  std::vector<bool> productive(grammar.symbol_count());
  std::fill_n(productive.begin(), grammar.lr_terminals.size(), true);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : grammar.rules) {
      if (productive[rule.head.value]) continue;
      changed |= productive[rule.head.value] = std::all_of(
          rule.body.begin(), rule.body.end(), [&](SymbolId s) { return productive[s.value]; });
    }
  }
  return std::find(productive.begin(), productive.end(), false) == productive.end();
}

}  // namespace

bool IsSound(const Grammar& grammar) {
  // 0xffff is nothing's number, and the end of the text is an LR terminal too.
  if (grammar.terminals.size() >= 0xffff || grammar.symbol_count() >= 0xfffe ||
      !TerminalsAreSound(grammar))
    return false;
  const auto is_nonterminal = [&](SymbolId s) {
    return s.value < grammar.symbol_count() && !grammar.IsLrTerminal(s);
  };
  for (const Rule& rule : grammar.rules) {
    if (!is_nonterminal(rule.head) || rule.body.empty() || rule.body.size() >= 0xffff ||
        !AllBelow(rule.body, grammar.symbol_count()))
      return false;
  }
  return is_nonterminal(grammar.start) && IsProductive(grammar);
}

bool CacheFields<Dfa>::IsSound(const Dfa& dfa) {
  const size_t states = dfa.next_.size();
  if (states == 0 || states > kDeadState.value || dfa.accepts_.size() != states) return false;
  // Without a branch a row: a target is dead or below the number of states.
  bool sound = true;
  for (const auto& row : dfa.next_) {
    for (DfaStateId to : row) sound &= to == kDeadState || to.value < states;
  }
  return sound && AllBelow(dfa.starts_, states);
}

bool CacheFields<Lexer>::ModesAreSound(const Lexer& lexer, const Grammar& grammar) {
  const size_t modes = std::max<size_t>(grammar.modes.size(), 1), states = lexer.state_count();
  const auto exist = [modes](ModeMask mask) { return mask >> modes == 0; };
  return lexer.starts_.size() == modes && lexer.below_.size() == modes &&
         lexer.first_bytes_.size() == modes && AllBelow(lexer.starts_, states) &&
         AllBelow(lexer.distinct_starts_, states) && !lexer.distinct_starts_.empty() &&
         (modes == 1 || lexer.is_start_.size() == states) && lexer.modes_of_.size() == states &&
         std::all_of(lexer.modes_of_.begin(), lexer.modes_of_.end(), exist) &&
         std::all_of(lexer.below_.begin(), lexer.below_.end(), exist);
}

bool CacheFields<Lexer>::IsSound(const Lexer& lexer, const Grammar& grammar) {
  if (!CacheFields<Dfa>::IsSound(lexer.dfa_)) return false;
  const size_t states = lexer.state_count(), lexemes = lexer.lexemes_.size(),
               terminals = grammar.terminals.size();
  if (lexemes >= kNoLexeme.value || lexer.lexeme_at_.size() != states ||
      lexer.emit_edges_.size() != states || lexer.spellings_.size() != terminals ||
      !std::is_sorted(lexer.doomed_.begin(), lexer.doomed_.end()))
    return false;
  if (lexer.reads_apart() &&
      (lexer.apart_start_.value >= states || lexer.hosts_apart_.size() != states))
    return false;
  for (LexemeId id : lexer.lexeme_at_) {
    if (id != kNoLexeme && id.value >= lexemes) return false;
  }
  for (const Lexeme& lexeme : lexer.lexemes_) {
    if (lexeme.terminals.empty() || !AllBelow(lexeme.terminals, terminals) ||
        !AllBelow(lexeme.given_terminals, grammar.lr_terminals.size()) ||
        !AllBelow(lexeme.rival_terminals, grammar.lr_terminals.size()) ||
        !AllBelow(lexeme.emit_terminals, grammar.lr_terminals.size()) || lexeme.bracket < -1 ||
        lexeme.bracket > 1 || !ModeExists(lexeme.action, grammar.modes.size()))
      return false;
    for (const std::vector<LexemeTerminals>& parts : lexeme.splits) {
      // The right automaton numbers splits and parts in seven bits each.
      if (lexeme.splits.size() >= 128 || parts.empty() || parts.size() >= 128) return false;
      for (const LexemeTerminals& part : parts) {
        if (!AllBelow(part.given, grammar.lr_terminals.size()) ||
            !AllBelow(part.emit, grammar.lr_terminals.size()))
          return false;
      }
    }
  }
  if (!ModesAreSound(lexer, grammar)) return false;
  for (bool emitted : {false, true}) {
    if (lexer.separable_[emitted].size() != states) return false;
    for (const Lexer::Beginning& beginning : lexer.beginnings_[emitted]) {
      if (beginning.q.value >= states) return false;
    }
  }
  return lexer.CheckBackUp(grammar).has_value();
}

bool IsSound(const Lexer& lexer, const Grammar& grammar) {
  return CacheFields<Lexer>::IsSound(lexer, grammar);
}

bool CacheFields<Insertions>::IsSound(const Insertions& insertions, const Lexer& lexer) {
  const size_t lexemes = lexer.lexeme_count(), pairs = lexemes * (lexemes + 1);
  return insertions.lexemes_ == lexemes && insertions.may_stand_[false].size() == pairs &&
         insertions.may_stand_[true].size() == pairs;
}

bool IsSound(const Insertions& insertions, const Lexer& lexer) {
  return CacheFields<Insertions>::IsSound(insertions, lexer);
}

}  // namespace tenon::constraint
