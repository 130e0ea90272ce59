#include "constraint/lexical_context/declared_names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "constraint/lex/lex.h"

namespace tenon::constraint {

NameArena::NameArena() : letters_(1), names_(2), jumps_(2) {}

TextId NameArena::Append(TextId before, uint8_t byte) {
  const uint64_t key = static_cast<uint64_t>(before.value) << 8 | byte;
  const auto [at, fresh] = letter_ids_.try_emplace(key, static_cast<uint32_t>(letters_.size()));
  if (fresh) letters_.push_back({before, letters_[before.value].length + 1, byte});
  return {at->second};
}

TextId NameArena::Append(TextId before, std::string_view bytes) {
  for (const char c : bytes) before = Append(before, static_cast<uint8_t>(c));
  return before;
}

std::string NameArena::Text(TextId id) const {
  std::string text(letters_[id.value].length, '\0');
  for (; id != TextId{}; id = letters_[id.value].before)
    text[letters_[id.value].length - 1] = static_cast<char>(letters_[id.value].last);
  return text;
}

NamesId NameArena::Add(Entry entry) {
  const auto [at, fresh] = names_ids_.try_emplace(entry, static_cast<uint32_t>(names_.size()));
  if (!fresh) return {at->second};
  const Jump& before = jumps_[entry.before.value];
  const Jump& middle = jumps_[before.to.value];
  const bool even = before.depth - middle.depth == middle.depth - jumps_[middle.to.value].depth;
  Jump jump{before.depth + 1, even ? middle.to : entry.before, {}};
  if (!entry.scope) {
    NamesId& newest = newest_[entry.text.value];
    jump.newest_before = std::exchange(newest, {at->second});
  }
  names_.push_back(entry);
  jumps_.push_back(jump);
  return {at->second};
}

bool NameArena::IsIn(NamesId entry, NamesId at) const {
  const uint32_t depth = jumps_[entry.value].depth;
  while (jumps_[at.value].depth > depth) {
    const NamesId far = jumps_[at.value].to;
    at = jumps_[far.value].depth >= depth ? far : names_[at.value].before;
  }
  return at == entry;
}

NamesId NameArena::Declare(NamesId before, uint8_t set, TextId text) {
  return Add({before, text, set, false});
}

NamesId NameArena::Open(NamesId before, uint8_t line) {
  return Add({before, TextId{}, line, true});
}

NamesId NameArena::Close(NamesId at, uint8_t line, uint8_t first, uint8_t last) {
  std::vector<Entry> kept;  // of other lines
  for (NamesId id = at; id != NamesId{}; id = names_[id.value].before) {
    const Entry& entry = names_[id.value];
    if (entry.scope && entry.set == line) {
      at = entry.before;
      for (; !kept.empty(); kept.pop_back()) {
        kept.back().before = at;
        at = Add(kept.back());
      }
      return at;
    }
    if (entry.scope || entry.set < first || entry.set > last) kept.push_back(entry);
  }
  return at;
}

std::optional<uint8_t> NameArena::SetOf(NamesId at, TextId text, uint8_t first,
                                        uint8_t last) const {
  const auto newest = newest_.find(text.value);
  if (newest == newest_.end() || newest->second == NamesId{}) return std::nullopt;
  const Entry& declared = names_[newest->second.value];
  if (first <= declared.set && declared.set <= last && IsIn(newest->second, at))
    return declared.set;
  for (; at != NamesId{}; at = names_[at.value].before) {
    const Entry& entry = names_[at.value];
    if (!entry.scope && entry.text == text && first <= entry.set && entry.set <= last)
      return entry.set;
  }
  return std::nullopt;
}

const NameArena::Entry* NameArena::OfLine(NamesId at, uint8_t line, uint8_t first,
                                          uint8_t last) const {
  for (; at != NamesId{}; at = names_[at.value].before) {
    const Entry& entry = names_[at.value];
    if (entry.scope ? entry.set == line : first <= entry.set && entry.set <= last) return &entry;
  }
  return nullptr;
}

std::optional<TextId> NameArena::Enclosing(NamesId at, uint8_t set, uint8_t line, uint8_t first,
                                           uint8_t last) const {
  const Entry* entry = OfLine(at, line, first, last);
  while (entry != nullptr && !entry->scope) entry = OfLine(entry->before, line, first, last);
  if (entry != nullptr) entry = OfLine(entry->before, line, first, last);
  if (entry == nullptr || entry->scope || entry->set != set) return std::nullopt;
  return entry->text;
}

bool NameArena::IsNewest(NamesId at, uint8_t set, TextId text, uint8_t line, uint8_t first,
                         uint8_t last) const {
  const Entry* entry = OfLine(at, line, first, last);
  return entry != nullptr && !entry->scope && entry->set == set && entry->text == text;
}

bool NameArena::Begins(TextId text, TextId beginning) const {
  while (letters_[text.value].length > letters_[beginning.value].length)
    text = letters_[text.value].before;
  return text == beginning;
}

std::vector<TextId> NameArena::Find(NamesId at, TextId beginning, uint8_t set, uint8_t first,
                                    uint8_t last, size_t most) const {
  std::vector<TextId> found;
  std::set<TextId> hidden;
  for (; at != NamesId{} && found.size() < most; at = names_[at.value].before) {
    const Entry& entry = names_[at.value];
    if (entry.scope || entry.set < first || entry.set > last || !Begins(entry.text, beginning))
      continue;
    if (hidden.insert(entry.text).second && entry.set == set) found.push_back(entry.text);
  }
  return found;
}

void NameArena::EndTrial() {
  for (; letters_.size() > lasting_->letters; letters_.pop_back())
    letter_ids_.erase(static_cast<uint64_t>(letters_.back().before.value) << 8 |
                      letters_.back().last);
  for (; names_.size() > lasting_->names; names_.pop_back(), jumps_.pop_back()) {
    if (!names_.back().scope) newest_[names_.back().text.value] = jumps_.back().newest_before;
    names_ids_.erase(names_.back());
  }
  lasting_.reset();
}

NameRules::NameRules(const Grammar& grammar, const Lexer& lexer) : scopes_(lexer.lexeme_count()) {
  std::vector<std::vector<std::pair<uint8_t, bool>>> of_terminal(grammar.terminals.size());
  for (const NameLine& line : grammar.names) {
    const auto first = static_cast<uint8_t>(sets_.size());
    const auto last = static_cast<uint8_t>(first + line.sets.size() - 1);
    const auto number = static_cast<uint8_t>(&line - grammar.names.data());
    for (const std::string& name : line.sets) sets_.push_back({name, number, first, last});
    lines_.emplace_back(first, last);
    // A terminal may close what several open.
    std::set<TerminalId> closers;
    for (const auto& [open, close] : line.scopes) {
      of_terminal[open.value].emplace_back(number, true);
      if (closers.insert(close).second) of_terminal[close.value].emplace_back(number, false);
    }
  }
  for (const LrTerminal& lr_terminal : grammar.lr_terminals) {
    if (lr_terminal.name_use == NameUse::kIsEnclosing) sets_[lr_terminal.name_set].encloses = true;
  }
  const auto asks = [&](const std::vector<SymbolId>& lr_terminals) {
    return std::any_of(lr_terminals.begin(), lr_terminals.end(), [&](SymbolId c) {
      return grammar.lr_terminals[c.value].name_use != NameUse::kNone;
    });
  };
  for (uint16_t l = 0; l < lexer.lexeme_count(); ++l) {
    const Lexeme& lexeme = lexer.lexeme(LexemeId{l});
    is_name_.push_back(asks(lexeme.given_terminals) || asks(lexeme.emit_terminals));
    if (lexeme.kind != TerminalKind::kPoison) scopes_[l] = of_terminal[lexeme.terminals[0].value];
  }
  std::vector<uint16_t> own(lexer.state_count());
  for (uint16_t s = 0; s < own.size(); ++s) {
    const LexemeId here = lexer.LexemeAt(DfaStateId{s});
    own[s] = !lexer.IsStart(DfaStateId{s}) && here != kNoLexeme && is_name_[here.value];
  }
  const std::vector<uint16_t> reached = ReachedBits(lexer, std::move(own));
  for (uint16_t s = 0; s < reached.size(); ++s)
    tracked_.push_back(reached[s] != 0 && !lexer.IsStart(DfaStateId{s}));
}

NamesId NameRules::Scoped(NameArena& arena, LexemeId lexeme, NamesId at) const {
  if (!IsKnown(at) || scopes_[lexeme.value].empty()) return at;
  NamesId list = Plain(at);
  for (const auto& [line, opens] : scopes_[lexeme.value])
    list = opens ? arena.Open(list, line)
                 : arena.Close(list, line, lines_[line].first, lines_[line].second);
  return IsStrict(at) ? Strict(list) : list;
}

bool NameRules::Fits(const NameArena& arena, const LrTerminal& lr_terminal, NamesId at,
                     NameText text) const {
  if (!IsCondition(lr_terminal.name_use) || at == kAnyNames) return true;
  // A name that is in no set can be made of any beginning.
  if (lr_terminal.name_use == NameUse::kIsNotIn && text.known == NameText::Known::kBeginning)
    return true;
  if (!IsKnown(at) || (IsStrict(at) && text.known != NameText::Known::kWhole)) return false;
  at = Plain(at);
  const Set& set = sets_[lr_terminal.name_set];
  if (lr_terminal.name_use == NameUse::kIsEnclosing) {
    const auto wanted = Enclosing(arena, lr_terminal, at);
    if (!wanted) return false;
    return text.known == NameText::Known::kWhole ? *wanted == text.text
                                                 : arena.Begins(*wanted, text.text);
  }
  if (text.known == NameText::Known::kWhole) {
    const bool is_in = arena.SetOf(at, text.text, set.first, set.last) == lr_terminal.name_set;
    return is_in == (lr_terminal.name_use == NameUse::kIsIn);
  }
  return lr_terminal.name_use == NameUse::kIsNotIn ||
         !arena.Find(at, text.text, lr_terminal.name_set, set.first, set.last, 1).empty();
}

std::optional<TextId> NameRules::Enclosing(const NameArena& arena, const LrTerminal& lr_terminal,
                                           NamesId at) const {
  if (!IsKnown(at) || lr_terminal.name_use != NameUse::kIsEnclosing) return std::nullopt;
  const Set& set = sets_[lr_terminal.name_set];
  return arena.Enclosing(Plain(at), lr_terminal.name_set, set.line, set.first, set.last);
}

NamesId NameRules::Behind(NameArena& arena, const LrTerminal& lr_terminal, NamesId at,
                          NameText text) const {
  if (lr_terminal.name_use != NameUse::kDeclares || !IsKnown(at)) return at;
  if (text.known != NameText::Known::kWhole) return IsStrict(at) ? kUnsureNames : kAnyNames;
  const NamesId list = Plain(at);
  const Set& set = sets_[lr_terminal.name_set];
  // Only where the order of declarations matters is one repeated.
  const bool known =
      set.encloses
          ? arena.IsNewest(list, lr_terminal.name_set, text.text, set.line, set.first, set.last)
          : arena.SetOf(list, text.text, set.first, set.last) == lr_terminal.name_set;
  if (known) return at;
  const NamesId declared = arena.Declare(list, lr_terminal.name_set, text.text);
  return IsStrict(at) ? Strict(declared) : declared;
}

std::vector<std::string> NameRules::Rests(const NameArena& arena, NamesId at, TextId beginning,
                                          size_t most) const {
  std::vector<std::string> rests;
  if (!IsKnown(at)) return rests;
  at = Plain(at);
  const size_t length = arena.Text(beginning).size();
  for (uint8_t s = 0; s < sets_.size(); ++s) {
    for (const TextId name : arena.Find(at, beginning, s, sets_[s].first, sets_[s].last, most)) {
      std::string rest = arena.Text(name).substr(length);
      if (rest.empty() || rests.size() == most ||
          std::find(rests.begin(), rests.end(), rest) != rests.end())
        continue;
      rests.push_back(std::move(rest));
    }
  }
  return rests;
}

}  // namespace tenon::constraint
