#include "constraint/mask/state_verdicts.h"

#include <algorithm>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

// States from which emitted text may not be able to go on: some item there owes what only given
// text can write.
std::vector<bool> DoubtfulStates(const Language& language) {
  const Yields& yields = *language.yields[true];
  std::vector<bool> doubtful(language.table.state_count());
  for (uint16_t s = 0; s < doubtful.size(); ++s) {
    std::span<const LrItem> items = language.table.items(LrStateId{s});
    for (size_t k = 0; k < language.table.kernel_size(LrStateId{s}); ++k)
      doubtful[s] = doubtful[s] || !yields.Productive(items[k].rule, items[k].dot,
                                                      language.index->Length(items[k].rule));
  }
  return doubtful;
}

}  // namespace

StateVerdicts::StateVerdicts(const Language& language)
    : language_(language),
      doubtful_(DoubtfulStates(language)),
      look_(language.grammar, language.table, doubtful_),
      newline_(language.layout.active() ? language.layout.newline_terminal() : SymbolId{}) {}

size_t StateVerdicts::StatesHash::operator()(const States& states) const {
  return HashOf(std::span(states));
}

StateVerdicts::StatesId StateVerdicts::Intern(States states) {
  auto [at, fresh] =
      ids_.try_emplace(std::move(states), StatesId{static_cast<uint32_t>(sets_.size())});
  if (fresh) sets_.push_back(&at->first);
  return at->second;
}

StateVerdicts::Verdict StateVerdicts::Of(LexemeId id, StatesId states, const Place& place) {
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  // The modes of the place may forbid it.
  Verdict verdict = OfAllowed(id, states, place);
  return verdict == Verdict::kAlways && lexeme.not_within != 0 ? Verdict::kOpen : verdict;
}

std::vector<uint32_t> StateVerdicts::KeyOf(LrStateId state,
                                           std::span<const SymbolId> lr_terminals) const {
  std::vector<uint32_t> key{doubtful_[state.value]};
  for (SymbolId lr_terminal : lr_terminals) key.push_back(look_.Key(state, lr_terminal));
  return key;
}

void StateVerdicts::AppendTerminals(LexemeId id, std::vector<SymbolId>& lr_terminals) const {
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  lr_terminals.insert(lr_terminals.end(), lexeme.emit_terminals.begin(),
                      lexeme.emit_terminals.end());
  for (const std::vector<LexemeTerminals>& parts : lexeme.splits)
    lr_terminals.insert(lr_terminals.end(), parts[0].emit.begin(), parts[0].emit.end());
  if (lexeme.is_newline && language_.layout.active()) lr_terminals.push_back(newline_);
  const std::span<const SymbolId> inserted = language_.layout.line_ends().inserted();
  lr_terminals.insert(lr_terminals.end(), inserted.begin(), inserted.end());
}

StateVerdicts::Verdict StateVerdicts::OfNothing(const States& states) const {
  const bool doubtful =
      std::any_of(states.begin(), states.end(), [&](LrStateId s) { return doubtful_[s.value]; });
  return doubtful ? Verdict::kOpen : Verdict::kAlways;
}

StateVerdicts::Verdict StateVerdicts::OfAllowed(LexemeId id, StatesId states, const Place& place) {
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  if (lexeme.kind == TerminalKind::kIgnored) return OfNothing(*sets_[states.value]);
  if (lexeme.is_newline) {
    if (place.depth > 0 || place.line_begin) return OfNothing(*sets_[states.value]);
    return place.exact ? OfTerminals(std::span(&newline_, 1), *sets_[states.value])
                       : Verdict::kOpen;
  }
  // The first lexeme of a line opens and closes blocks.
  if (lexeme.kind != TerminalKind::kParsed || place.line_begin) return Verdict::kOpen;
  if (lexeme.bracket < 0 && place.exact && place.depth == 0) return Verdict::kNever;
  Verdict verdict = OfParsed(id, states);
  // Where a rival fits, the lexeme is read as the rival's.
  if (verdict == Verdict::kAlways && lexeme.apart) return Verdict::kOpen;
  // Whether an LR terminal stands there, the line ends before it say.
  if (verdict == Verdict::kAlways && language_.layout.line_ends().remembers())
    return Verdict::kOpen;
  // A closer of a bracket that was open before needs the parser's word.
  if (verdict == Verdict::kAlways && lexeme.bracket < 0 && place.depth <= 0) return Verdict::kOpen;
  return verdict;
}

StateVerdicts::Verdict StateVerdicts::OfParsed(LexemeId id, StatesId states) {
  auto [at, fresh] = of_parsed_.try_emplace(Key(states, id));
  if (!fresh) return at->second;
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  at->second = OfTerminals(lexeme.emit_terminals, *sets_[states.value]);
  const bool other_ways =
      !lexeme.splits.empty() || lexeme.apart || language_.layout.line_ends().inserts();
  if (at->second == Verdict::kNever && other_ways &&
      !AfterParsed(lexeme, *sets_[states.value]).empty())
    at->second = Verdict::kOpen;
  return at->second;
}

StateVerdicts::Verdict StateVerdicts::OfTerminals(std::span<const SymbolId> lr_terminals,
                                                  const States& states) const {
  bool never = true, always = true;
  for (LrStateId state : states) {
    bool one_never = true, one_always = false;
    for (SymbolId lr_terminal : lr_terminals) {
      one_never = one_never && look_.Never(state, lr_terminal);
      // The states below decide whether a predicate holds.
      one_always = one_always ||
                   (!language_.grammar.lr_terminals[lr_terminal.value].predicate &&
                    language_.grammar.lr_terminals[lr_terminal.value].name_use == NameUse::kNone &&
                    look_.Always(state, lr_terminal));
    }
    never = never && one_never;
    always = always && one_always;
  }
  if (never) return Verdict::kNever;
  return always ? Verdict::kAlways : Verdict::kOpen;
}

StateVerdicts::Verdict StateVerdicts::OfProgress(DfaStateId q, FutureId future, StatesId states,
                                                 const Place& place) {
  const LexemeFutures& emitted = *language_.futures[true];
  const LexemeFutures& any = *language_.futures[false];
  for (LexemeId lexeme : emitted.Ended(future)) {
    if (Of(lexeme, states, place) == Verdict::kAlways) return Verdict::kAlways;
  }
  // The right context may go on with the lexeme by bytes that we do not write.
  FutureId given = any.Of(q);
  if (any.Unseparated(given)) return Verdict::kOpen;
  for (LexemeId lexeme : any.Ended(given)) {
    if (Of(lexeme, states, place) != Verdict::kNever) return Verdict::kOpen;
  }
  return Verdict::kNever;
}

StateVerdicts::StatesId StateVerdicts::StatesAfter(LexemeId id, StatesId states, Place& place) {
  const Lexeme& lexeme = language_.lexer.lexeme(id);
  if (lexeme.is_newline) {
    if (place.depth > 0 || place.line_begin) return states;
    place.line_begin = true;
  } else if (lexeme.kind != TerminalKind::kParsed) {
    return states;
  }
  place.depth = std::max(0, place.depth + (lexeme.is_newline ? 0 : lexeme.bracket));
  auto [at, fresh] = states_after_.try_emplace(Key(states, id));
  if (fresh) {
    const States& from = *sets_[states.value];
    at->second = Intern(lexeme.is_newline ? Through(std::span(&newline_, 1), from)
                                          : AfterParsed(lexeme, from));
  }
  return at->second;
}

StateVerdicts::States StateVerdicts::AfterParsed(const Lexeme& lexeme, const States& states) const {
  States from = states;
  // Whether one may be inserted, line ends and the whole stack decide.
  const States after = Through(language_.layout.line_ends().inserted(), states);
  from.insert(from.end(), after.begin(), after.end());
  States to = Through(lexeme.emit_terminals, from);
  for (const std::vector<LexemeTerminals>& parts : lexeme.splits) {
    States at = from;
    for (const LexemeTerminals& part : parts) at = Through(part.emit, at);
    to.insert(to.end(), at.begin(), at.end());
  }
  SortUnique(to);
  return to;
}

StateVerdicts::States StateVerdicts::Through(std::span<const SymbolId> lr_terminals,
                                             const States& states) const {
  States to;
  for (LrStateId state : states) {
    for (SymbolId lr_terminal : lr_terminals) {
      std::span<const LrStateId> targets = look_.Targets(state, lr_terminal);
      to.insert(to.end(), targets.begin(), targets.end());
    }
  }
  SortUnique(to);
  return to;
}

}  // namespace tenon::constraint
