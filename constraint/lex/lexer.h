// Byte-level lexer of a grammar: one DFA over all terminals, longest match first, the parser's
// filter second.
//
// Example, before the cursor in `x = pri|`: the lexeme in progress is the DFA state q after `pri`
// (SynCode calls its text the remainder). The next byte decides: `n` goes on towards `print`, a
// blank ends the lexeme as a name, `"` ends it and begins a string. The parser is asked only once a
// lexeme has ended, so `ifa` is a name even where only `if` could be shifted.
//
// Lexing runs forward one byte at a time and never backs up. Where a lexeme ends although a longer
// one is still possible, the state of the longer one is kept as a *guard*, which must never accept:
// in a language with `a`, `.` and `a..b`, once `a.` is read, one branch has ended `a`, with the
// state of `a.` as its guard. docs/design/lexing.md shows such a case byte by byte.
//
//   step(q, G, c):  G' = { d(g, c) : g in G } without dead states; killed if one of them accepts
//                   goes on:  d(q, c) where it is live
//                   ended:    where q accepts, is not poison, and d(q, c) does not accept: q' =
//                             d(0, c), and a live d(q, c) joins G'
//
// At the end of a text at most one branch is left, the branch of the longest matches.
//
// - Emitted bytes may only use *emit edges*: the DFA's edges over which an emit form of a terminal
//   can still be completed (automata/strict_dfa.h). A lexeme that emitted text may lead to but that
//   is no emit form has no LR terminal for it.
// - In a grammar with modes (lex/modes.h) each mode begins in a start state of its own; after the
//   first byte modes share states where they can. kStartState then means "no lexeme in progress" in
//   any mode, and the reader says in which state the next lexeme begins (BeginBehind).
//
// Source: docs/design/lexing.md; the guards are those of Melcer et al., Constrained Decoding for
// Fill-in-the-Middle Code Language Models via Efficient Left and Right Quotienting of
// Context-Sensitive Grammars (2024), section 4, kept as DFA states. Where we differ: back-up is
// bounded when the lexer is built (kMaxBackUpBytes), so a branch carries at most that many guards.
// Cost: a step is two table look-ups where no guard is alive.
// Thread rule: immutable after Build.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/automata/automata.h"
#include "constraint/grammar/grammar.h"
#include "constraint/lex/modes.h"

namespace tenon::constraint {

struct StrictDfa;  // automata/strict_dfa.h

// The set of terminals of a lexeme, as the DFA's accepting states name it.
struct LexemeId {
  uint16_t value = 0;
  auto operator<=>(const LexemeId&) const = default;
};
inline constexpr LexemeId kNoLexeme{0xffff};

// The longest path from an accepting state over non-accepting ones to an accepting one, in bytes.
inline constexpr int kMaxBackUpBytes = 4;

// The guards of a branch: at most kMaxBackUpBytes live states, sorted, padded with kDeadState.
struct Guards {
  std::array<DfaStateId, kMaxBackUpBytes> states{kDeadState, kDeadState, kDeadState, kDeadState};
  bool empty() const { return states[0] == kDeadState; }
  void Add(DfaStateId q);
  auto operator<=>(const Guards&) const = default;
  uint64_t Key() const;
};

// The LR terminals that a lexeme, or a part of one, may be shifted as.
struct LexemeTerminals {
  std::vector<SymbolId> given;  // where it is given
  std::vector<SymbolId> emit;   // where it is emitted and their predicates hold
};

struct Lexeme {
  TerminalKind kind = TerminalKind::kParsed;  // of the winning terminal
  bool delimited = false;                     // comment, string
  bool is_newline = false;                    // the layout's newline
  int bracket = 0;  // +1 opens, -1 closes, 0 neither; pushing and popping a mode are that
  ModeAction action;
  bool insert_before = false;  // `%insert`: something may be inserted before it without a line end
  ModeMask not_within = 0;     // Terminal::not_within
  bool not_last = false;       // no text ends with it
  std::vector<TerminalId> terminals;      // winner first; more than one for soft keywords
  std::vector<SymbolId> given_terminals;  // LR terminals of a given lexeme
  std::vector<SymbolId> emit_terminals;   // of an emitted lexeme, where their predicates hold
  std::vector<std::vector<LexemeTerminals>> splits;  // `%split`: or these, one after another
};

class Lexer {
 public:
  // Errors: a pattern of more states than the DFA's limit, back-up of more than kMaxBackUpBytes
  // (names both terminals).
  [[nodiscard]] static tl::expected<Lexer, GrammarError> Build(const Grammar& grammar);

  DfaStateId Next(DfaStateId q, uint8_t byte) const { return dfa_.Next(q, byte); }
  bool IsEmitEdge(DfaStateId q, uint8_t byte) const { return emit_edges_[q.value][byte]; }
  // The lexeme that ends in q; kNoLexeme where none does.
  LexemeId LexemeAt(DfaStateId q) const { return lexeme_at_[q.value]; }
  const Lexeme& lexeme(LexemeId id) const { return lexemes_[id.value]; }
  size_t lexeme_count() const { return lexemes_.size(); }
  size_t state_count() const { return dfa_.size(); }

  // Does the grammar have `%forbid` (Lexeme::not_within)?
  bool forbids() const {
    return std::any_of(lexemes_.begin(), lexemes_.end(),
                       [](const Lexeme& l) { return l.not_within != 0; });
  }
  bool has_modes() const { return starts_.size() > 1; }
  size_t mode_count() const { return starts_.size(); }
  // The start state of the mode.
  DfaStateId StartOf(ModeId mode) const { return starts_[mode.value]; }
  // The start states of all modes, kStartState first.
  std::span<const DfaStateId> starts() const { return distinct_starts_; }
  bool IsStart(DfaStateId q) const {
    return q == kStartState || (has_modes() && is_start_[q.value]);
  }
  // The modes in which a lexeme in progress may be in q; of a start: those that begin there.
  ModeMask ModesOf(DfaStateId q) const { return modes_of_[q.value]; }
  // The modes that may lie below one of these.
  ModeMask Below(ModeMask modes) const;
  // The modes that may be on top after the lexeme, where it began in one of these.
  ModeMask Behind(LexemeId id, ModeMask modes) const;
  // The start state of the lexeme after the one in progress in q (of the first one, if q is
  // kStartState), for the stack of modes `stack`.
  DfaStateId BeginBehind(DfaStateId q, const ModeArena& arena, ModeStackId stack) const;

  struct Step {
    LexemeId ended;  // kNoLexeme: the lexeme in progress goes on
    DfaStateId q;
    Guards guards;
  };
  // Writes the outcomes of reading `byte` and returns their number, at most two. `emitted`: by emit
  // edges only. `begin`: BeginBehind(q).
  int Advance(DfaStateId q, const Guards& guards, uint8_t byte, bool emitted,
              std::array<Step, 2>& out, DfaStateId begin = kStartState) const;

  // Longest match at text[begin..] from a start: the lexeme and its end; kNoLexeme where nothing
  // matches.
  struct Match {
    LexemeId lexeme = kNoLexeme;
    size_t end = 0;
  };
  Match LongestMatch(std::string_view text, size_t begin, DfaStateId start = kStartState) const;
  // The end of the lexeme in progress in q when all of `text` follows: after text[0..k), for the
  // largest k >= 0 that accepts. kNoLexeme: it never ends, a guard accepts before, or it ends with
  // `text` as a lexeme that no text ends with (`%not_last`).
  Match Land(DfaStateId q, const Guards& guards, std::string_view text) const;

  // Land without guards for every state at once, [DfaStateId]. States that meet are followed as
  // one.
  std::vector<Match> LandAll(std::string_view text) const;

  // Can a lexeme that ended in accepting state q be followed by ignorable text (or nothing) after
  // which every terminal may begin and no guard is left? `emitted`: the ignorable text may use emit
  // edges only.
  bool IsSeparable(DfaStateId q, const Guards& guards, bool emitted) const {
    if (guards.empty()) return separable_[emitted][q.value];
    return ComputeSeparable(q, guards, emitted);
  }
  // Does a guard accept before every end of the lexeme in progress in q? Advance never leads to
  // such a state.
  bool IsDoomed(DfaStateId q, const Guards& guards) const {
    return !guards.empty() && !doomed_.empty() && FindDoom(q, guards);
  }
  // The distinct states that one byte leads to from q, without dead ones.
  std::span<const DfaStateId> Successors(DfaStateId q, bool emitted) const {
    return successors_[emitted][q.value];
  }

  // Every state that can be reached from a start, nearest first, with a shortest text that leads
  // there.
  struct Beginning {
    DfaStateId q;
    std::string text;
  };
  std::span<const Beginning> Beginnings(bool emitted) const { return beginnings_[emitted]; }

  // A shortest text that leads from a start to `terminal`'s lexeme over emit edges (its %spell text
  // when given); empty: none.
  const std::string& Spelling(TerminalId terminal) const { return spellings_[terminal.value]; }

 private:
  template <typename>
  friend struct CacheFields;  // constraint/cache/archive.h
  void BuildLexemes(const Grammar& grammar, std::span<const uint16_t> terminal_of,
                    const StrictDfa& strict);
  tl::expected<void, GrammarError> CheckBackUp(const Grammar& grammar) const;
  tl::expected<void, GrammarError> BuildModes(const Grammar& grammar);
  void BuildFirstBytes();
  void BuildSpellings(const Grammar& grammar, std::span<const uint16_t> terminal_of,
                      const StrictDfa& strict);
  // The match, if a text that ends at `end` may end with it.
  Match Within(const Match& match, size_t end) const;
  bool FollowsEverything(DfaStateId q, const Guards& guards, ModeId mode) const;
  bool ComputeSeparable(DfaStateId q, const Guards& guards, bool emitted) const;
  bool SeparableFrom(DfaStateId q, const Guards& guards, bool emitted, ModeId mode) const;
  bool FindDoom(DfaStateId q, const Guards& guards) const;
  void BuildDoomed();
  void BuildSuccessors();
  void FindSuccessors();
  void BuildBeginnings();

  explicit Lexer(Dfa dfa) : dfa_(std::move(dfa)) {}
  Dfa dfa_;
  std::vector<LexemeId> lexeme_at_;             // [DfaStateId]
  std::vector<Lexeme> lexemes_;                 // [LexemeId]
  std::vector<std::bitset<256>> emit_edges_;    // [DfaStateId][byte]
  std::array<std::vector<bool>, 2> separable_;  // [emitted][DfaStateId] with no guard alive
  std::array<std::vector<std::vector<DfaStateId>>, 2> successors_;  // [emitted][DfaStateId]
  std::vector<std::bitset<256>>
      first_bytes_;  // [mode] bytes that begin a parsed lexeme or a line end
  std::vector<DfaStateId> starts_{kStartState};  // [mode]
  std::vector<DfaStateId> distinct_starts_{kStartState};
  std::vector<bool> is_start_;                        // [DfaStateId] where there are modes
  std::vector<ModeMask> modes_of_;                    // [DfaStateId]
  std::vector<ModeMask> below_;                       // [mode]
  std::array<std::vector<Beginning>, 2> beginnings_;  // [emitted]
  std::vector<std::string> spellings_;                // [TerminalId]
  std::vector<uint32_t> doomed_;                      // (state, guard's state), ascending
};

}  // namespace tenon::constraint
