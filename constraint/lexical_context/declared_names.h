// Declared names: a text declares names, and the grammar's rules depend on the declarations
// (`%names`).
//
// Example: in C, `T * x;` declares a pointer if `T` is a type, and multiplies if `T` is a variable.
// No context-free rule can tell the two apart. With `%names type variable within "{" "}"` a rule
// may say `NAME#new_type` (the name is declared as a type), `NAME#type` (it is a type) and
// `NAME#not_type` (it is no type):
//
//   typedef int T;  { int T;  T * |
//
// Each reading of the text has a list of its declarations, the last one first. An inner declaration
// hides an outer one. The end of a scope removes the scope's declarations:
//
//   after `T;`     type T
//   after `{`      {, type T
//   after `int T`  variable T, {, type T        `T` is a variable: `T * ` multiplies
//   after `}`      type T                       `T` is a type: `T * ` would declare
//
// Definition: SetOf(list, text) is the set of the first entry of the list that has this text.
// `NAME#s` requires SetOf = s, `NAME#not_s` requires SetOf != s. Lines of `%names` do not know of
// each other: a declaration of one line hides none of another, and only the entries of its own
// line decide about a condition.
//
// A name may also have to be that of the construct around it, as Java's constructors have the name
// of their class. `NAME#enclosing_s` requires the text that was declared last, as a name of `s`,
// before the innermost open scope began:
//
//   class A { class B { B |    the list: {, class B, {, class A. `B` is required, and `A` refused
//   class A { class B {} A |   the list: class B, {, class A. `A` is required
//
// Lists are persistent and hash-consed. The texts of names are too, as chains of letters. A branch
// holds two ids: of its list, and of the text of the name in progress. Complications, one at a
// time:
// - Only the beginning of a name may be known: `T|` may become `Tx`. Of a name that is still to be
//   written nothing is known (NameText). A condition then holds if it holds for some text with the
//   known beginning.
// - After the declaration of an unknown text the list is unknown (kAnyNames): every condition
//   holds.
// - A list may be *strict* (Strict). A condition then holds only if it holds for every text that
//   the name can have. So a mask made with the list allows every token that fits, and perhaps
//   more; a mask made with the strict list allows only tokens that fit (mask/masker.h).
// - A mask is not made anew for each list where two assumptions about it do: kAnyNames, and its
//   strict twin kUnsureNames, under which no condition holds that could fail.
// - The newest declaration of a text anywhere is known, and from each the one before it. Jumps tell
//   whether the list has it: an entry knows one far before it, as in a skew-binary list. Where the
//   list has not the newest one, as after the end of its scope, the earlier ones and the list are
//   searched side by side.
//
// Source: docs/grammar_directives.md, `%names`; Jourdan and Pottier, A Simple, Possibly Correct
// LR Parser for C11 (TOPLAS 2017), for the needs of C; Myers, An Applicative Random-Access Stack
// (IPL 1983), for the jumps.
// Cost: a byte of a name, a look-up; a condition on a whole name, or a declaration, steps in the
// logarithm of the list's length for each declaration of the text that the list has not, but no
// more than the list has entries.
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

// A text in the arena; 0 is the empty text.
struct TextId {
  uint32_t value = 0;
  auto operator<=>(const TextId&) const = default;
};
// The member of a LexicalContext: a list of declarations in the arena; 0 is the empty list. The
// highest bit is set where the list is strict.
struct NamesId {
  uint32_t value = 0;
  auto operator<=>(const NamesId&) const = default;
};
inline constexpr uint32_t kStrictBit = uint32_t{1} << 31;
constexpr NamesId Strict(NamesId id) { return {id.value | kStrictBit}; }
constexpr bool IsStrict(NamesId id) { return (id.value & kStrictBit) != 0; }
// The list without its strictness.
constexpr NamesId Plain(NamesId id) { return {id.value & ~kStrictBit}; }
// The list is unknown. Under kAnyNames every condition holds; under kUnsureNames no condition holds
// that could fail.
inline constexpr NamesId kAnyNames{1}, kUnsureNames = Strict(kAnyNames);
constexpr bool IsKnown(NamesId id) { return Plain(id) != kAnyNames; }

// A set of names: a line of `%names`, and the set's number among all sets of the grammar.
struct NameSet {
  uint8_t line = 0, number = 0;
  bool operator==(const NameSet&) const = default;
};

// The known part of a lexeme's text: no beginning (kEnd), a beginning, or the whole text.
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

  // The list `before` with a declaration, or with the beginning of a scope, in front. REQUIRES, for
  // this and the functions below: the list is known, and not strict.
  NamesId Declare(NamesId before, NameSet set, TextId text);
  NamesId Open(NamesId before, uint8_t line);
  // The list after the end of a scope of `line`: without the line's declarations in this scope. The
  // same list where no scope is open.
  NamesId Close(NamesId at, uint8_t line);

  // The number of the set of the line to which the text's last declaration belongs.
  std::optional<uint8_t> SetOf(NamesId at, TextId text, uint8_t line) const;
  // The text of the declaration directly before the innermost open scope of the line; none where no
  // scope is open, or where that declaration is of another set.
  std::optional<TextId> Enclosing(NamesId at, NameSet set) const;
  // Is the declaration the newest of its line?
  bool IsNewest(NamesId at, NameSet set, TextId text) const;
  bool Begins(TextId text, TextId beginning) const;
  // At most `most` texts that begin with `beginning` and belong to `set`; the text declared last
  // comes first.
  std::vector<TextId> Find(NamesId at, TextId beginning, NameSet set, size_t most) const;

  // A trial: the lists and texts made in it are forgotten at its end. REQUIRES: nobody keeps an id
  // of them.
  void BeginTrial() { lasting_ = {letters_.size(), names_.size()}; }
  void EndTrial();
  // Was the list made before the active trial? Of a strict list too.
  bool Lasts(NamesId id) const { return !lasting_ || Plain(id).value < lasting_->names; }
  size_t memory_bytes() const {
    return letters_.size() * (sizeof(Letter) + 16) +
           names_.size() * (sizeof(Entry) + sizeof(Jump) + 30);
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
    TextId text;  // of a scope: empty
    NameSet set;  // of a scope: its line, and 0
    bool scope = false;
    bool operator==(const Entry&) const = default;
  };
  // Of an entry: the length of its list, an entry far before it, and the former value of newest_.
  struct Jump {
    uint32_t depth = 0;
    NamesId to;
    NamesId newest_before;
  };
  struct EntryHash {
    size_t operator()(const Entry& e) const {
      return HashOf(e.before.value, e.text.value, e.set.line, e.set.number, e.scope);
    }
  };
  NamesId Add(Entry entry);
  // Is `entry` in the list `at`?
  bool IsIn(NamesId entry, NamesId at) const;
  // From `at` on, the first entry of the line.
  const Entry* OfLine(NamesId at, uint8_t line) const;

  std::optional<Sizes> lasting_;  // during a trial: the sizes before it
  std::vector<Letter> letters_;
  std::vector<Entry> names_;
  std::vector<Jump> jumps_;                                   // [NamesId]
  boost::unordered_flat_map<uint32_t, NamesId> newest_;       // [TextId] its newest declaration
  boost::unordered_flat_map<uint64_t, uint32_t> letter_ids_;  // (before, byte)
  boost::unordered_flat_map<Entry, uint32_t, EntryHash> names_ids_;
};

// Uses that some texts do not fit.
constexpr bool IsCondition(NameUse use) {
  return use != NameUse::kNone && use != NameUse::kDeclares;
}

// Whether a condition was tested, of which a list decides. Collected by a NoteScope.
struct NamesRead {
  bool any = false;
  // The last lexeme that would have to be the enclosing name and is another; else no text. Earlier
  // ones may have another reading: in `|A a; B() {} }` R is read to `B`.
  TextId missed;
  void Note(NamesRead other) {
    any |= other.any;
    if (other.missed != TextId{}) missed = other.missed;
  }
};

class NameRules {
 public:
  // REQUIRES: the grammar has `%names`.
  NameRules(const Grammar& grammar, const Lexer& lexer);

  // May the lexeme in progress become a name?
  bool Tracks(DfaStateId q) const { return tracked_[q.value]; }
  bool IsName(LexemeId lexeme) const { return is_name_[lexeme.value]; }
  // May it declare a name, ask for one, or begin or end a scope? Of other lexemes no list knows.
  bool Concerns(LexemeId lexeme) const {
    return is_name_[lexeme.value] || !scopes_[lexeme.value].empty();
  }

  // The list after `lexeme`, if it begins or ends scopes; else `at`.
  NamesId Scoped(NameArena& arena, LexemeId lexeme, NamesId at) const;
  // May a lexeme of this text be shifted as the LR terminal?
  bool Fits(const NameArena& arena, const LrTerminal& lr_terminal, NamesId at, NameText text) const;
  // The text that `NAME#enclosing_s` asks for. None: nothing encloses the place, the list is not
  // known, or the LR terminal asks for something else.
  std::optional<TextId> Enclosing(const NameArena& arena, const LrTerminal& lr_terminal,
                                  NamesId at) const;
  // The list after the LR terminal was shifted with this text.
  NamesId ListAfter(NameArena& arena, const LrTerminal& lr_terminal, NamesId at,
                    NameText text) const;
  // At most `most` different texts that complete `beginning` to a declared name.
  std::vector<std::string> Rests(const NameArena& arena, NamesId at, TextId beginning,
                                 size_t most) const;

 private:
  struct Set {
    NameSet set;
    bool encloses = false;  // some terminal asks for the enclosing name
  };
  std::vector<Set> sets_;      // [number of a set]
  std::vector<bool> tracked_;  // [DfaStateId]
  std::vector<bool> is_name_;  // [LexemeId]
  std::vector<std::vector<std::pair<uint8_t, bool>>>
      scopes_;  // [LexemeId] the lines of which the lexeme begins (true) or ends (false) a scope
};

}  // namespace tenon::constraint
