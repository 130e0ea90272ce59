// Declared names: names that a text declares, and conditions of a grammar on them (`%names`).
//
// Example: in C `T * x;` declares a pointer where `T` was declared as a type, and multiplies
// otherwise. No context-free rule can tell. With `%names type variable within "{" "}"` a rule may
// say `NAME#new_type` (declares a type), `NAME#type` (is one) and `NAME#not_type` (is none):
//
//   typedef int T;  { int T;  T * |
//
// A branch has a list of its declarations, the last one first. An inner declaration hides an outer
// one, and the end of a scope forgets everything up to the scope's beginning:
//
//   after `T;`     type T
//   after `{`      {, type T
//   after `int T`  variable T, {, type T        so `T` is a variable: `T * ` multiplies
//   after `}`      type T                       `T * ` would declare
//
// Definition: SetOf(list, text) is the set of the first entry of that text; `NAME#s` needs
// SetOf = s, `NAME#not_s` needs SetOf != s. Each line of `%names` is a space of its own.
//
// Lists are persistent and hash-consed, and so are the texts of names, as chains of letters: a
// branch has an id of each. Complications:
// - The text of a name in progress (`T|` may become `Tx`) or of one that is still to be written is
//   known up to its beginning, or not at all (NameText). The condition then holds if some text with
//   that beginning satisfies it.
// - After a declaration whose text is unknown the list is unknown (kAnyNames): every condition
//   holds.
// - A mask is first made for any declarations. It is made twice: with kAnyNames, where every
//   condition holds, and with kUnsureNames, where none holds that could fail. Tokens between the
//   two masks are tried one by one (mask/masker.h).
// Source: docs/grammars.md, `%names`; Jourdan and Pottier, A Simple, Possibly Correct LR Parser for
// C11 (TOPLAS 2017), for the needs of C.
// Cost: a look-up for a byte of a name; a condition, a step for each declaration in the list.
// Thread rule: ids are values; NameRules is immutable; an arena belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"

namespace tenon::constraint {

// A text in the arena; 0: the empty one.
struct TextId {
  uint32_t value = 0;
  auto operator<=>(const TextId&) const = default;
};
// The member of a LexicalContext: a list of declarations in the arena; 0: the empty one.
struct NamesId {
  uint32_t value = 0;
  auto operator<=>(const NamesId&) const = default;
};
// The list is unknown, and a condition on it holds (kAnyNames) or does not (kUnsureNames).
inline constexpr NamesId kAnyNames{1}, kUnsureNames{2};
inline bool IsKnown(NamesId id) { return id != kAnyNames && id != kUnsureNames; }

// The known part of a lexeme's text: none of it, its beginning, or all of it.
struct NameText {
  enum class Known : uint8_t { kEnd, kBeginning, kWhole } known = Known::kBeginning;
  TextId text;
};

// Lists of declarations, and texts, hash-consed: equal ones have equal ids.
class NameArena {
 public:
  NameArena();

  TextId Append(TextId before, uint8_t byte);
  TextId Append(TextId before, std::string_view bytes);
  std::string Text(TextId id) const;

  // The list with a declaration, or the beginning of a scope, in front. REQUIRES: the list is
  // known, here and below.
  NamesId Declare(NamesId before, uint8_t set, TextId text);
  NamesId Open(NamesId before, uint8_t line);
  // The list after the end of a scope of the line, whose sets are `first` to `last`: without the
  // line's declarations in that scope. The same list where no scope is open.
  NamesId Close(NamesId at, uint8_t line, uint8_t first, uint8_t last);

  // The set that declared the text last, among `first` to `last`.
  std::optional<uint8_t> SetOf(NamesId at, TextId text, uint8_t first, uint8_t last) const;
  // At most `most` texts that begin with `beginning` and belong to the set, the last declared
  // first.
  std::vector<TextId> Find(NamesId at, TextId beginning, uint8_t set, uint8_t first, uint8_t last,
                           size_t most) const;

  // Everything made between these is forgotten. REQUIRES: nobody keeps an id of it.
  void BeginTrial() { lasting_ = {letters_.size(), names_.size()}; }
  void EndTrial();
  // Was the list made before the trial that is active?
  bool Lasts(NamesId id) const { return !lasting_ || id.value < lasting_->names; }
  size_t memory_bytes() const {
    return letters_.size() * (sizeof(Letter) + 16) + names_.size() * (sizeof(Entry) + 20);
  }

 private:
  struct Sizes {
    size_t letters = 0, names = 0;
  };
  struct Letter {
    TextId before;
    uint32_t length = 0;  // bytes
    uint8_t last = 0;
  };
  // A declaration, or the beginning of a scope.
  struct Entry {
    NamesId before;
    TextId text;
    uint8_t set = 0;  // of a scope: its line
    bool scope = false;
    bool operator==(const Entry&) const = default;
  };
  struct EntryHash {
    size_t operator()(const Entry& e) const {
      return HashOf(e.before.value, e.text.value, e.set, e.scope);
    }
  };
  NamesId Add(Entry entry);
  bool Begins(TextId text, TextId beginning) const;

  std::optional<Sizes> lasting_;  // during a trial: the sizes before it
  std::vector<Letter> letters_;
  std::vector<Entry> names_;
  boost::unordered_flat_map<uint64_t, uint32_t> letter_ids_;  // (before, byte)
  boost::unordered_flat_map<Entry, uint32_t, EntryHash> names_ids_;
};

class NameRules {
 public:
  // REQUIRES: the grammar has `%names`.
  NameRules(const Grammar& grammar, const Lexer& lexer);

  // May the lexeme in progress become one whose text matters?
  bool Tracks(DfaStateId q) const { return tracked_[q.value]; }
  bool IsName(LexemeId lexeme) const { return is_name_[lexeme.value]; }

  // The list after a lexeme that may begin or end a scope.
  NamesId Scoped(NameArena& arena, LexemeId lexeme, NamesId at) const;
  // May a lexeme of this text be shifted as the LR terminal?
  bool Fits(const NameArena& arena, const LrTerminal& lr_terminal, NamesId at, NameText text) const;
  // The list after it.
  NamesId Behind(NameArena& arena, const LrTerminal& lr_terminal, NamesId at, NameText text) const;
  // At most `most` texts that make a declared name of `beginning` when they are appended to it;
  // without doubles.
  std::vector<std::string> Rests(const NameArena& arena, NamesId at, TextId beginning,
                                 size_t most) const;
  // The set of an LR terminal with a condition, for messages.
  const std::string& NameOf(const LrTerminal& lr_terminal) const {
    return sets_[lr_terminal.name_set].name;
  }

 private:
  struct Set {
    std::string name;
    uint8_t first = 0, last = 0;  // the sets of its line
  };
  std::vector<Set> sets_;
  std::vector<std::pair<uint8_t, uint8_t>> lines_;  // their first and last sets
  std::vector<bool> tracked_;                       // [DfaStateId]
  std::vector<bool> is_name_;                       // [LexemeId]
  std::vector<std::vector<std::pair<uint8_t, bool>>>
      scopes_;  // [LexemeId] lines whose scope it begins (else ends)
};

}  // namespace tenon::constraint
