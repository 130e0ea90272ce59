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

NamesId NameArena::Declare(NamesId before, NameSet set, TextId text) {
  return Add({before, text, set, false});
}

NamesId NameArena::Open(NamesId before, uint8_t line) {
  return Add({before, TextId{}, {line, 0}, true});
}

NamesId NameArena::Close(NamesId at, uint8_t line) {
  std::vector<Entry> kept;  // of other lines
  for (NamesId id = at; id != NamesId{}; id = names_[id.value].before) {
    const Entry& entry = names_[id.value];
    if (entry.scope && entry.set.line == line) {
      at = entry.before;
      for (; !kept.empty(); kept.pop_back()) {
        kept.back().before = at;
        at = Add(kept.back());
      }
      return at;
    }
    if (entry.set.line != line) kept.push_back(entry);
  }
  return at;
}

std::optional<uint8_t> NameArena::SetOf(NamesId at, TextId text, uint8_t line) const {
  const auto newest = newest_.find(text.value);
  if (newest == newest_.end()) return std::nullopt;
  // Two searches side by side, of which the shorter one decides: through the declarations of the
  // text in all lists, and through the list. Both meet those of the list from the last one on.
  const NamesId list = at;
  for (NamesId declared = newest->second; declared != NamesId{} && at != NamesId{};) {
    const Entry& of_text = names_[declared.value];
    if (of_text.set.line == line && IsIn(declared, list)) return of_text.set.number;
    const Entry& of_list = names_[at.value];
    if (!of_list.scope && of_list.text == text && of_list.set.line == line)
      return of_list.set.number;
    declared = jumps_[declared.value].newest_before;
    at = of_list.before;
  }
  return std::nullopt;
}

const NameArena::Entry* NameArena::OfLine(NamesId at, uint8_t line) const {
  for (; at != NamesId{}; at = names_[at.value].before) {
    if (names_[at.value].set.line == line) return &names_[at.value];
  }
  return nullptr;
}

std::optional<TextId> NameArena::Enclosing(NamesId at, NameSet set) const {
  const Entry* entry = OfLine(at, set.line);
  while (entry != nullptr && !entry->scope) entry = OfLine(entry->before, set.line);
  if (entry != nullptr) entry = OfLine(entry->before, set.line);
  if (entry == nullptr || entry->scope || entry->set != set) return std::nullopt;
  return entry->text;
}

bool NameArena::IsNewest(NamesId at, NameSet set, TextId text) const {
  const Entry* entry = OfLine(at, set.line);
  return entry != nullptr && !entry->scope && entry->set == set && entry->text == text;
}

bool NameArena::Begins(TextId text, TextId beginning) const {
  while (letters_[text.value].length > letters_[beginning.value].length)
    text = letters_[text.value].before;
  return text == beginning;
}

std::vector<TextId> NameArena::Find(NamesId at, TextId beginning, NameSet set, size_t most) const {
  std::vector<TextId> found;
  std::set<TextId> hidden;
  for (; at != NamesId{} && found.size() < most; at = names_[at.value].before) {
    const Entry& entry = names_[at.value];
    if (entry.scope || entry.set.line != set.line || !Begins(entry.text, beginning)) continue;
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
    const auto number = static_cast<uint8_t>(&line - grammar.names.data());
    for (size_t i = 0; i < line.sets.size(); ++i)
      sets_.push_back({{number, static_cast<uint8_t>(sets_.size())}});
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
    list = opens ? arena.Open(list, line) : arena.Close(list, line);
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
    const bool is_in = arena.SetOf(at, text.text, set.set.line) == set.set.number;
    return is_in == (lr_terminal.name_use == NameUse::kIsIn);
  }
  return lr_terminal.name_use == NameUse::kIsNotIn ||
         !arena.Find(at, text.text, set.set, 1).empty();
}

std::optional<TextId> NameRules::Enclosing(const NameArena& arena, const LrTerminal& lr_terminal,
                                           NamesId at) const {
  if (!IsKnown(at) || lr_terminal.name_use != NameUse::kIsEnclosing) return std::nullopt;
  return arena.Enclosing(Plain(at), sets_[lr_terminal.name_set].set);
}

NamesId NameRules::ListAfter(NameArena& arena, const LrTerminal& lr_terminal, NamesId at,
                             NameText text) const {
  if (lr_terminal.name_use != NameUse::kDeclares || !IsKnown(at)) return at;
  if (text.known != NameText::Known::kWhole) return IsStrict(at) ? kUnsureNames : kAnyNames;
  const NamesId list = Plain(at);
  const Set& set = sets_[lr_terminal.name_set];
  // Only where the order of declarations matters is one repeated.
  const bool known = set.encloses ? arena.IsNewest(list, set.set, text.text)
                                  : arena.SetOf(list, text.text, set.set.line) == set.set.number;
  if (known) return at;
  const NamesId declared = arena.Declare(list, set.set, text.text);
  return IsStrict(at) ? Strict(declared) : declared;
}

std::vector<std::string> NameRules::Rests(const NameArena& arena, NamesId at, TextId beginning,
                                          size_t most) const {
  std::vector<std::string> rests;
  if (!IsKnown(at)) return rests;
  at = Plain(at);
  const size_t length = arena.Text(beginning).size();
  for (const Set& set : sets_) {
    for (const TextId name : arena.Find(at, beginning, set.set, most)) {
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
