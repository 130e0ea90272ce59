// Branches: the readings of a text that are still alive, each a parser stack with its lexeme in
// progress.
//
// Example in Python, where `match` is a keyword or a name. Before the cursor in
//
//   match (x|
//
// two branches are alive. Both are inside a lexeme whose text is `x`, with one open bracket; they
// differ in the stack: in one `match` is a name that is called, in the other it begins a statement.
//
//   stack (top last)      q            context
//   name (                in a NAME    layout.depth 1, ...
//   "match" (             in a NAME    layout.depth 1, ...
//
// One byte moves every branch. `y` goes on with the lexeme of both. `)` ends it: the name is
// shifted on each stack, and `)` is the lexeme in progress. A `:` after that ends `)`, and is then
// in progress; the line end after it refuses `:` on the stack where `match` is a name, so one
// branch is left.
//
//   byte c:  the lexeme goes on   q' = d(q, c); stack and context stay
//            the lexeme ends      its terminals are shifted, the layout's first; q' = d(start, c)
//            neither              the branch dies
//
// Complications, one at a time:
// - A lexeme may go on and also end (`a` before `.` where `a..b` is a lexeme): two branches, one of
//   them with a guard (lex/lexer.h).
// - A terminal may be shifted to several stacks, and a lexeme may be several terminals (soft
//   keywords, `%split`): a branch each.
// - Where more than kPackAbove are alive, branches that differ only below the tops of their stacks
//   become one over a packed node (lr/stack.h). Nested ambiguity then multiplies the stacks of a
//   branch, not the branches.
// - Where more than kMaxBranches are alive even so, the text is given up as too ambiguous.
// - A byte of the middle is *emitted*: it uses emit edges of the lexer, its lexemes are shifted as
//   their emit terminals, and predicates, `%forbid` and the scope restrict it. A byte of L or R is
//   *given*.
//
// Source: docs/design/lexing.md; Tomita, Efficient Parsing for Natural Language (1986), for the
// forks. Cost: one DFA look-up a byte and branch, a memoised shift where a lexeme ends. Thread
// rule: Branch and Between are values; a BranchMover and its arenas belong to one thread at a time.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "constraint/base/base.h"
#include "constraint/language/language.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

struct Branch {
  NodeId top;
  DfaStateId q = kStartState;  // of the lexeme in progress; kStartState: none
  Guards guards;
  LexemeProgress progress;  // of the lexeme in progress (lex/lexeme_rules.h)
  TextId text;              // of the lexeme in progress, where it may be a name of `%names`
  LexicalContext context;
  bool emitted = false;           // the lexeme in progress holds an emitted byte
  bool opened_in_middle = false;  // ... and its first byte is emitted
  auto operator<=>(const Branch&) const = default;
};

// A branch between two lexemes.
struct Between {
  NodeId top;
  LexicalContext context;
  auto operator<=>(const Between&) const = default;
};

// Up to this many branches stay apart. Ordinary grammars have fewer, and questions about a packed
// stack have fewer remembered answers.
inline constexpr size_t kPackAbove = 8;

// More live branches than this, once they are packed, and the text counts as not viable: ambiguity
// is bounded, and GapState::too_ambiguous reports it. It takes as many LR states (or columns,
// contexts, lexemes in progress) at one place of a text.
inline constexpr size_t kMaxBranches = 512;

// Whether more than kMaxBranches readings were alive, so that none was followed any further.
// Collected by a NoteScope.
struct GivenUp {
  bool any = false;
  void Note(GivenUp other) { any |= other.any; }
};

class BranchMover {
 public:
  explicit BranchMover(const Language& language)
      : language_(language),
        stacks_(language.grammar, language.table),
        modes_(language.grammar.limits) {}

  // The number of branches that stay apart; whatever it is, the same texts are read.
  void PackAbove(size_t branches) { pack_above_ = branches; }
  size_t pack_above() const { return pack_above_; }
  // Makes one of the branches that differ only below their tops, where more are alive than stay
  // apart. `alive` [Branch or Between]: without doubles; sorted where it is changed. Where
  // `%insert` decides by whether a stack takes a token, all stay apart.
  template <typename At>
  void Pack(std::vector<At>& alive);

  StackArena& stacks() { return stacks_; }
  IndentArena& indents() { return indents_; }
  ModeArena& modes() { return modes_; }
  NameArena& names() { return names_; }
  const LayoutRules& layout() const { return language_.layout; }
  // Levels, and bound predicates, that given text is refused for; a NoteScope collects them.
  RefusedLevels& refused() { return refused_; }
  // Conditions on declared names; a NoteScope collects whether one was tested.
  NamesRead& names_read() { return names_read_; }
  // Texts that are too ambiguous; a NoteScope collects whether there was one.
  GivenUp& given_up() { return given_up_; }

  // The start state of the lexeme after the one in progress in q (Lexer::StartAfter).
  DfaStateId StartAfter(DfaStateId q, const LexicalContext& at) const {
    return language_.lexer.StartAfter(q, modes_, at.modes);
  }
  // Everything that `from` becomes when `lexeme` has ended; `emitted` chooses the LR terminals.
  // `text`: as much as is known of its text, where `%names` may ask for it. Sorted, without
  // doubles, where the lexeme is a token; empty: an error.
  std::vector<Between> End(const Between& from, LexemeId lexeme, bool emitted, NameText text = {});
  // Calls visit(Between) for each of these, without an allocation where the lexeme is an ordinary
  // one. In any order; `visit` may ask the mover.
  template <typename Visit>
  void ForEachEnd(const Between& from, LexemeId lexeme, bool emitted, NameText text, Visit visit) {
    Ends ends;
    AppendEnds(from, lexeme, emitted, text, ends);
    for (const Between& end : ends) visit(end);
  }
  // The effect of the lexeme on the modes. False: `%forbid`, `%most` or the stack of modes refuse
  // it.
  bool Act(const Lexeme& lexeme, bool emitted, LexicalContext& context);
  // The text of a lexeme of these bytes after `before`, where `%names` may ask for it.
  NameText Whole(LexemeId lexeme, std::string_view bytes, TextId before = {});
  // Given text obeys these predicates, too, from here on. Example: with `in_async` a given `await`
  // is refused outside of asynchronous functions.
  void BindGiven(PredicateBits predicates) { bound_ = predicates; }
  PredicateBits bound() const { return bound_; }
  // Was it right to shift `lr_terminal` from the context `at`, which led to the stack `top`? An
  // emitted terminal by its predicate, a given one by the levels where they hold and by the bound
  // predicates, both by the names that are declared.
  bool Holds(SymbolId lr_terminal, NodeId top, const LexicalContext& at, bool emitted,
             NameText text = {});
  // Do the columns of the line that begins here fit the open blocks, and does the parser take the
  // terminals that they make?
  bool BeginsLine(const Between& from) { return !BeginLine(from).begun.empty(); }
  // The readings at the first lexeme of the line that begins here, whichever it is: the blocks that
  // it opens and closes are read. Within a line, the reading itself.
  std::vector<Between> AfterBlocks(const Between& from) { return BeginLine(from).begun; }
  // Does the parser accept the text if it ends here?
  bool AcceptsEnd(const Between& from);
  // Reads one byte on every branch; `emitted`: by emit edges. Sorted, without doubles; empty: an
  // error.
  std::vector<Branch> Read(const std::vector<Branch>& branches, uint8_t byte, bool emitted);
  // The left context ends, and written text begins. From here on `levels` hold, for given text and
  // for written text; branches that already use a newer level are dropped.
  void BeginWriting(PredicateBits levels, std::vector<Branch>& branches) const;
  // Forgets every stack but these, whose nodes get new ids.
  void Compact(std::vector<Between>& live);

 private:
  using Ends = boost::container::small_vector<Between, 4>;
  // The readings after the blocks that the first lexeme of a line opens and closes, whichever it
  // is.
  struct LineBegin {
    Between from;
    std::vector<Between> begun;
    StackReads reads;
    uint64_t epoch = 0;  // StackArena::epoch
  };
  // Remembered for the last few places; the reference holds until the next call.
  const LineBegin& BeginLine(const Between& from);

  void AppendEnds(const Between& from, LexemeId lexeme, bool emitted, NameText text, Ends& ends);
  // Appends the branch after `to`, once for each stack to which one of the LR terminals is shifted.
  // `before`: the context before the lexeme.
  void AppendShifted(const LexicalContext& before, const Between& to,
                     const std::vector<SymbolId>& lr_terminals, uint16_t column, bool emitted,
                     Ends& ends);
  std::vector<NodeId> Shift(const std::vector<NodeId>& tops, SymbolId lr_terminal,
                            uint16_t indent_column);
  // Of the terminals that may be inserted before a lexeme at `at`.
  std::vector<NodeId> ShiftInserted(const std::vector<NodeId>& tops, const LexicalContext& at);
  // Of a newline, an indent or a dedent.
  std::vector<NodeId> ShiftLine(const std::vector<NodeId>& tops, const LayoutEvent& event);
  // Appends the readings after one of the LR terminals is shifted on each of the tops.
  void ShiftAny(const std::vector<NodeId>& tops, LexicalContext context,
                const std::vector<SymbolId>& lr_terminals, uint16_t column, bool emitted,
                NameText text, std::vector<Between>& out);
  // The same for a lexeme, read whole or as its parts.
  void ShiftLexeme(const std::vector<NodeId>& tops, const LexicalContext& context,
                   const Lexeme& lexeme, uint16_t column, bool emitted, NameText text,
                   std::vector<Between>& out);
  // Given text shows its level, where none holds.
  Levels LevelsAfter(SymbolId lr_terminal, Levels levels, bool emitted) const {
    return emitted ? levels
                   : levels.After(language_.grammar.lr_terminals[lr_terminal.value].levels);
  }

  const Language& language_;
  StackArena stacks_;
  IndentArena indents_;
  ModeArena modes_;
  NameArena names_;
  std::vector<LayoutEvent> events_;
  std::array<LineBegin, 8> lines_;  // a place with as many lengths of blanks
  size_t next_line_ = 0;            // the one that has to go
  size_t pack_above_ = kPackAbove;
  RefusedLevels refused_;
  NamesRead names_read_;
  GivenUp given_up_;
  PredicateBits bound_ = 0;
};

}  // namespace tenon::constraint
