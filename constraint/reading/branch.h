// Branches: the readings of L M that are still alive, each a parser stack with its lexeme in
// progress.
//
// One byte moves every branch: its lexeme goes on, or ends and is shifted (after what the layout
// makes of it), or the branch dies. All state belongs to the branch. Where more than a few are
// alive, those that differ in what lies below their tops alone become one over a packed node
// (lr/stack.h): nested ambiguity multiplies the stacks that are meant, not the branches.
// Source: docs/design/lexing.md; Tomita, Efficient Parsing for Natural Language
// (1986), for the forks.
// Cost: one DFA look-up a byte and branch, a memoised shift where a lexeme ends.
// Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "constraint/language/language.h"
#include "constraint/lex/lex.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

struct Branch {
  NodeId top;
  DfaStateId q = kStartState;  // of the lexeme in progress; kStartState: none
  Guards guards;
  LexemeProgress progress;  // of the lexeme in progress, by what such lexemes keep to
  TextId text;              // of the lexeme in progress, where it may be a name of `%names`
  LexicalContext context;
  bool emitted = false;           // the lexeme in progress holds an emitted byte
  bool opened_in_middle = false;  // ... and its first byte is emitted
  auto operator<=>(const Branch&) const = default;
};

// Where a branch stands between two lexemes.
struct Between {
  NodeId top;
  LexicalContext context;
  auto operator<=>(const Between&) const = default;
};

// So many branches stay apart: ordinary grammars have fewer, and what is asked about a packed stack
// is remembered less.
inline constexpr size_t kPackAbove = 8;

class BranchMover {
 public:
  explicit BranchMover(const Language& language)
      : language_(language),
        stacks_(language.grammar, language.table),
        modes_(language.grammar.limits) {}

  // So many branches stay apart from here on; whatever the number, the same texts are read.
  void PackAbove(size_t branches) { pack_above_ = branches; }
  size_t pack_above() const { return pack_above_; }
  // Makes one of those that a packed node can stand below, where more are alive than stay apart.
  // `alive` [Branch or Between]: without doubles; sorted where it is changed. Where `%insert`
  // decides by whether a stack takes a token, all stay apart.
  template <typename At>
  void Pack(std::vector<At>& alive) {
    if (alive.size() <= pack_above_ || language_.insertions) return;
    const auto kind = [&](const At& at) {
      const StackArena::Node& top = stacks_.node(at.top);
      return std::tuple(top.state, top.column, top.outer);
    };
    const auto rest = [](At at) {
      at.top = kBottomNode;
      return at;
    };
    std::sort(alive.begin(), alive.end(), [&](const At& a, const At& b) {
      return std::pair(kind(a), rest(a)) < std::pair(kind(b), rest(b));
    });
    std::vector<NodeId> tops;
    size_t kept = 0;
    for (size_t begin = 0, end = 0; begin < alive.size(); begin = end) {
      tops.clear();
      for (; end < alive.size() && kind(alive[end]) == kind(alive[begin]) &&
             rest(alive[end]) == rest(alive[begin]);
           ++end)
        tops.push_back(alive[end].top);
      alive[kept] = alive[begin];
      if (tops.size() > 1) alive[kept].top = stacks_.Pack(tops);
      ++kept;
    }
    alive.resize(kept);
    std::sort(alive.begin(), alive.end());
  }

  StackArena& stacks() { return stacks_; }
  IndentArena& indents() { return indents_; }
  ModeArena& modes() { return modes_; }
  // Where the lexeme behind the one in progress in q begins (Lexer::BeginBehind).
  DfaStateId BeginBehind(DfaStateId q, const LexicalContext& at) const {
    return language_.lexer.BeginBehind(q, modes_, at.modes);
  }
  const LayoutRules& layout() const { return language_.layout; }

  // All that `from` becomes when `lexeme` has ended; `emitted` chooses the columns. `text`: what is
  // known of its text, where that may be asked for. Empty: an error.
  std::vector<Between> End(const Between& from, LexemeId lexeme, bool emitted, NameText text = {});
  // Calls visit(Between) for each of these, without an allocation where the lexeme is an ordinary
  // one.
  template <typename Visit>
  void ForEachEnd(const Between& from, LexemeId id, bool emitted, NameText text, Visit visit) {
    const Lexeme& lexeme = language_.lexer.lexeme(id);
    const LayoutRules& rules = language_.layout;
    const bool plain = !language_.names && (!emitted || from.context.scope.scope == Scope::kFree);
    Between to = from;
    if (plain && LeavesNoToken(lexeme, from.context)) {
      events_.clear();
      rules.End(lexeme, indents_, to.context, events_);
      if (!Act(lexeme, emitted, to.context)) return;
      if (events_.empty()) {
        visit(to);
      } else {
        VisitShifted(from, to, rules.line_ends().terminator_columns(emitted), kNoColumn, emitted,
                     visit);
      }
      return;
    }
    bool ordinary = plain && lexeme.kind == TerminalKind::kParsed && !lexeme.is_newline &&
                    lexeme.splits.empty() && !rules.line_ends().remembers();
    if (ordinary && rules.active() && from.context.layout.AtLineBegin()) {
      const std::vector<Between>& begun = BeginLine(from).begun;
      if (begun.empty()) return;
      ordinary = begun.size() == 1;
      if (ordinary) to = begun[0];
    }
    if (!ordinary) {
      for (const Between& end : End(from, id, emitted, text)) visit(end);
      return;
    }
    if (!Act(lexeme, emitted, to.context)) return;
    if (rules.active()) {
      if (lexeme.bracket < 0 && to.context.layout.depth == 0) return;
      to.context.layout.depth += lexeme.bracket;
    }
    const uint16_t column_kind = Seals(lexeme, emitted) ? kSealedColumn : kNoColumn;
    VisitShifted(from, to, emitted ? lexeme.emit_columns : lexeme.given_columns, column_kind,
                 emitted, visit);
  }
  // What the lexeme does to the modes. False: it must not stand there.
  bool Act(const Lexeme& lexeme, bool emitted, LexicalContext& context) {
    const LexemeOrigin origin = std::exchange(context.origin, {});
    const ModeMask open =
        modes_.all(context.modes) | (context.layout.line_begin ? kLineBeginning : 0);
    if (!MayBegin(lexeme, emitted, origin, open)) return false;
    return modes_.Apply(lexeme.action, context.modes, Seals(lexeme, emitted));
  }
  // The text of a lexeme of these bytes behind others, where it may be asked for.
  NameText Whole(LexemeId lexeme, std::string_view bytes, TextId before = {}) {
    if (!language_.names || !language_.names->IsName(lexeme)) return {NameText::Known::kWhole, {}};
    return {NameText::Known::kWhole, names_.Append(before, bytes)};
  }
  NameArena& names() { return names_; }
  // May a lexeme have been shifted as `column` at `at`, to this stack? An emitted one by its
  // predicate, a given one by the levels where these hold, both by the names that are declared.
  bool Holds(SymbolId column, NodeId top, const LexicalContext& at, bool emitted,
             NameText text = {}) {
    const Column& shifted = language_.grammar.columns[column.value];
    if (shifted.name_use != NameUse::kNone)
      return language_.names->Fits(names_, shifted, at.names, text);
    if (!shifted.predicate) return true;
    const PredicateBits own = PredicateBits{1} << shifted.predicate->value;
    if (emitted) {
      stacks_.NoteContext();
      return ((stacks_.ContextAt(stacks_.node(top).below) | at.levels.on()) & own) != 0;
    }
    if (at.levels.Allows(shifted.levels)) return true;
    barred_ |= own;
    return false;
  }
  // The levels, as their own bits, that given text was refused for since this was last called.
  PredicateBits TakeBarred() { return std::exchange(barred_, 0); }
  void NoteBarred(PredicateBits barred) { barred_ |= barred; }
  // Do the columns of the line that begins here fit the open blocks, and does the parser take what
  // they stand for?
  bool BeginsLine(const Between& from) { return !BeginLine(from).begun.empty(); }
  // All that is left at the end of the text, where the parser accepts.
  bool AcceptsEnd(const Between& from);
  // Reads one byte on every branch; `emitted`: by emit edges. Sorted, without doubles; empty: an
  // error.
  std::vector<Branch> Read(const std::vector<Branch>& branches, uint8_t byte, bool emitted);
  // More than kMaxBranches readings were alive, none is followed any further.
  void GiveUp() { ++given_up_; }
  // How often that happened.
  size_t given_up() const { return given_up_; }
  // Forgets every stack but these, whose nodes get new ids.
  void Compact(std::vector<Between>& live);

 private:
  // What lies behind the blocks that the first lexeme of a line opens and closes, whichever lexeme
  // it is.
  struct LineBegin {
    Between from;
    std::vector<Between> begun;
    StackReads reads;
    uint64_t epoch = 0;  // StackArena::epoch
  };
  // Remembered for the last few places; the reference holds until the next call.
  const LineBegin& BeginLine(const Between& from);
  struct Shifted {
    NodeId top;
    Levels levels;
    bool ends_phrase;
    bool operator==(const Shifted&) const = default;
  };
  // Is it blank, or a line end that stands for a terminator at most?
  static bool LeavesNoToken(const Lexeme& lexeme, const LexicalContext& at) {
    return lexeme.kind == TerminalKind::kIgnored || lexeme.kind == TerminalKind::kLineEnd ||
           (lexeme.kind == TerminalKind::kParsed && lexeme.is_newline && at.layout.depth > 0);
  }
  // Calls visit(what `to` becomes) for each stack that one of the columns is shifted to. `from`:
  // what was there before the lexeme.
  template <typename Visit>
  void VisitShifted(const Between& from, Between to, const std::vector<SymbolId>& columns,
                    uint16_t column_kind, bool emitted, Visit& visit) {
    const NodeId top_before = to.top;
    const LineEndRules& line_ends = language_.layout.line_ends();
    boost::container::small_vector<Shifted, 4> tops;  // visit may shift as well
    for (SymbolId column : columns) {
      for (NodeId top : stacks_.Shift(top_before, column, column_kind)) {
        if (Holds(column, top, from.context, emitted))
          tops.push_back({top, LevelsBehind(column, from.context.levels, emitted),
                          line_ends.EndsPhrase(column)});
      }
    }
    for (size_t i = 0; i < tops.size(); ++i) {
      if (std::find(tops.begin(), tops.begin() + i, tops[i]) != tops.begin() + i) continue;
      to.top = tops[i].top;
      to.context.levels = tops[i].levels;
      to.context.line_ends.ends_phrase = tops[i].ends_phrase;
      visit(to);
    }
  }
  // Strings with fields and the like: those that tenon opens it closes (the seam rule).
  static bool Seals(const Lexeme& lexeme, bool emitted) {
    return emitted && lexeme.delimited && lexeme.action.kind == ModeAction::Kind::kPush;
  }
  std::vector<NodeId> Shift(const std::vector<NodeId>& tops, SymbolId column,
                            uint16_t indent_column);
  // Of a newline, an indent or a dedent.
  std::vector<NodeId> ShiftLine(const std::vector<NodeId>& tops, const LayoutEvent& event);
  // Appends what shifting one of the columns on each of the tops leads to.
  void ShiftAny(const std::vector<NodeId>& tops, LexicalContext context,
                const std::vector<SymbolId>& columns, uint16_t column_kind, bool emitted,
                NameText text, std::vector<Between>& out);
  // The same for a lexeme, read whole or as its parts.
  void ShiftLexeme(const std::vector<NodeId>& tops, const LexicalContext& context,
                   const Lexeme& lexeme, uint16_t column_kind, bool emitted, NameText text,
                   std::vector<Between>& out);
  // What is given in a text shows its level, where none holds.
  Levels LevelsBehind(SymbolId column, Levels levels, bool emitted) const {
    return emitted ? levels : levels.After(language_.grammar.columns[column.value].levels);
  }

  const Language& language_;
  StackArena stacks_;
  IndentArena indents_;
  ModeArena modes_;
  NameArena names_;
  std::vector<LayoutEvent> events_;
  std::array<LineBegin, 8> lines_;  // a place with as many lengths of blanks
  size_t next_line_ = 0;            // the one that has to go
  size_t given_up_ = 0;
  size_t pack_above_ = kPackAbove;
  PredicateBits barred_ = 0;
};

// The readings of a left context that use nothing newer than `levels`: these hold from here on, for
// what is given and what is written.
void HoldLevels(PredicateBits levels, std::vector<Branch>& branches);

// More live branches than this, once they are packed, and the text counts as not viable: ambiguity
// is bounded, and GapState::too_ambiguous says so. It takes that many LR states (or columns,
// layouts, lexemes in progress) at one place of a text.
inline constexpr size_t kMaxBranches = 512;

}  // namespace tenon::constraint
