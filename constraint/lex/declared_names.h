// Names that a text declares, and what a grammar asks of them (`%names`): C's typedef names,
// labels, variables before their use.
//
// No context-free grammar says that a name was declared before. So each branch carries what has
// been declared, and where a lexeme may be a name, its text. A name belongs to the set that
// declared it last; what is declared within a scope is forgotten at the scope's end. Where the text
// of a name is not known yet, because it is in progress or still to be written, all that it may
// become counts.
//
// Source: docs/grammars.md, `%names`; Jourdan and Pottier, A Simple, Possibly Correct LR Parser for
// C11 (TOPLAS 2017), for what C needs.
// Cost: a byte of a name, a look-up; a question, a step for each name that is declared. Equal lists
// and equal texts are kept once.
// Thread rule: NameRules is immutable; an arena belongs to one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// A text in the arena; 0: the empty one.
struct TextId {
  uint32_t value = 0;
  auto operator<=>(const TextId&) const = default;
};
// What is declared at a place; 0: nothing.
struct NamesId {
  uint32_t value = 0;
  auto operator<=>(const NamesId&) const = default;
};
// It is not known what is declared: what hangs on that is so, or is not.
inline constexpr NamesId kAnyNames{1}, kUnsureNames{2};
inline bool IsKnown(NamesId id) { return id != kAnyNames && id != kUnsureNames; }

// What is known of a lexeme's text: that it ends, how it begins, all of it.
struct NameText {
  enum class Known : uint8_t { kEnd, kBeginning, kWhole } known = Known::kBeginning;
  TextId text;
};

// Persistent lists of what is declared and texts, hash-consed: equal ones have equal ids.
class NameArena {
 public:
  NameArena();

  TextId Append(TextId before, uint8_t byte);
  TextId Append(TextId before, std::string_view bytes);
  std::string Text(TextId id) const;

  // In front of `before`. REQUIRES: it is known, here and below.
  NamesId Declare(NamesId before, uint8_t set, TextId text);
  NamesId Open(NamesId before, uint8_t line);
  // A scope of a line ends, whose sets are those from `first` to `last`: what was declared in it is
  // forgotten. Nothing where none is open.
  NamesId Close(NamesId at, uint8_t line, uint8_t first, uint8_t last);

  // The set that declared the text last, among those from `first` to `last`.
  std::optional<uint8_t> SetOf(NamesId at, TextId text, uint8_t first, uint8_t last) const;
  // The texts whose last declaration is the set's and that begin with `beginning`, the last
  // declared first, at most so many.
  std::vector<TextId> Find(NamesId at, TextId beginning, uint8_t set, uint8_t first, uint8_t last,
                           size_t most) const;

  // What comes between these is forgotten. REQUIRES: nobody keeps an id of it.
  void BeginTrial() { lasting_ = {letters_.size(), names_.size()}; }
  void EndTrial();
  // Does it last beyond a trial that has begun?
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
  // A declaration, or where a scope begins.
  struct Entry {
    NamesId before;
    TextId text;
    uint8_t set = 0;  // of a scope: its line
    bool scope = false;
    bool operator==(const Entry&) const = default;
  };
  struct EntryHash {
    size_t operator()(const Entry& e) const {
      const uint64_t a =
          (static_cast<uint64_t>(e.before.value) << 32 | e.text.value) * 0x9e3779b97f4a7c15u;
      return (a ^ a >> 29 ^ (static_cast<uint64_t>(e.set) << 1 | e.scope)) * 0xbf58476d1ce4e5b9u;
    }
  };
  NamesId Add(Entry entry);
  bool Begins(TextId text, TextId beginning) const;

  std::optional<Sizes> lasting_;  // while a trial is alive: what was there before
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

  // What stands there once the lexeme has begun or ended a scope.
  NamesId Scoped(NameArena& arena, LexemeId lexeme, NamesId at) const;
  // May a lexeme of this text stand as the column?
  bool Fits(const NameArena& arena, const Column& column, NamesId at, NameText text) const;
  // What stands behind it.
  NamesId Behind(NameArena& arena, const Column& column, NamesId at, NameText text) const;
  // What may be appended to a text to make it a name that is declared; without doubles, at most so
  // many.
  std::vector<std::string> Rests(const NameArena& arena, NamesId at, TextId beginning,
                                 size_t most) const;
  // The set of a column that asks for names: as a message calls it.
  const std::string& NameOf(const Column& column) const { return sets_[column.name_set].name; }

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
