// The lexer of a grammar: it turns bytes into lexemes, with one DFA for all terminals. The longest
// match wins.
//
// Example, before the cursor in `x = pri|`: the lexeme in progress is the DFA state q after `pri`
// (SynCode calls its text the remainder). The next byte decides: `n` continues the lexeme towards
// `print`, a blank ends it as a name, `"` ends it and begins a string. The parser sees a lexeme
// only when it has ended, so `ifa` is a name even where only `if` could be shifted.
//
// The lexer reads forward one byte at a time and never backs up. A lexeme may end although a longer
// one is still possible. Example, in a language with `a`, `.` and `a..b`: after `a.` one branch
// still hopes for `a..b`. In a second branch `a` has ended, and `.` is in progress. The second
// branch keeps the state of `a.` as a *guard*. A guard moves with each byte; if it accepts, the
// longer lexeme exists and the branch dies. docs/design/lexing.md shows a case byte by byte.
//
//   step(q, G, c):  G' = { d(g, c) : g in G } without dead states; killed if one of them accepts
//                   continued: d(q, c) where it is live
//                   ended:     where q accepts, is not poison, and d(q, c) does not accept: q' =
//                              d(0, c), and a live d(q, c) joins G'
//
// At the end of a text at most one branch is left, the branch of the longest matches.
//
// Complications, one at a time:
// - Emitted bytes use *emit edges* alone: the DFA's edges over which an emit form of a terminal
//   can still be completed (automata/strict_dfa.h). Example: Python's grammar accepts control
//   characters in a comment and emits none, so their edges are no emit edges.
// - A lexeme on the path to an emit form may be no emit form itself, and is then refused where it
//   is emitted. Example: a lone `\r` is a line end, but only `\n` and `\r\n` are emitted.
// - In a grammar with modes (lex/modes.h) each mode has a start state of its own. After the first
//   byte modes share states where they can. kStartState means "no lexeme in progress" in every
//   mode; StartAfter gives the state in which the next lexeme begins.
//
// Source: docs/design/lexing.md; for the guards Melcer et al., Constrained Decoding for
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

#include <boost/unordered/unordered_flat_map.hpp>
#include <tl/expected.hpp>

#include "constraint/automata/automata.h"
#include "constraint/grammar/grammar.h"
#include "constraint/lex/modes.h"

namespace tenon::constraint {

struct StrictDfa;  // automata/strict_dfa.h

// A kind of lexeme: the set of its terminals. Each accepting state of the DFA has one.
struct LexemeId {
  uint16_t value = 0;
  auto operator<=>(const LexemeId&) const = default;
};
inline constexpr LexemeId kNoLexeme{0xffff};

// Bound of back-up: the longest path from an accepting state over non-accepting states to an
// accepting state, in bytes. Longer paths are refused when the lexer is built.
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
  int bracket = 0;  // +1 opens, -1 closes, 0 neither; a push counts as +1, a pop as -1
  ModeAction action;
  bool insert_before = false;             // `%insert`: needs no line end before it for an insertion
  bool apart = false;                     // `%apart`: read beside a rival's lexeme
  bool rival = false;                     // ... such a rival
  std::vector<SymbolId> rival_terminals;  // ... the LR terminals of the rivals of a lexeme apart
  ModeMask not_within = 0;                // Terminal::not_within
  bool not_last = false;                  // no text ends with it
  std::vector<TerminalId> terminals;      // winner first; more than one for soft keywords
  std::vector<SymbolId> given_terminals;  // LR terminals of a given lexeme
  std::vector<SymbolId> emit_terminals;   // of an emitted lexeme, where their predicates hold
  std::vector<std::vector<LexemeTerminals>> splits;  // `%split`: each a list of parts in order
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

  // Is any lexeme forbidden somewhere (`%forbid`, Lexeme::not_within)?
  bool forbids() const {
    return std::any_of(lexemes_.begin(), lexemes_.end(),
                       [](const Lexeme& l) { return l.not_within != 0; });
  }
  bool has_modes() const { return starts_.size() > 1; }
  // Has the grammar an `%apart`?
  bool reads_apart() const { return apart_start_ != kDeadState; }
  // The start state of the lexemes that `%apart` reads beside those that begin in `begin`.
  // kDeadState: there are none.
  DfaStateId ApartOf(DfaStateId begin) const {
    return reads_apart() && hosts_apart_[begin.value] ? apart_start_ : kDeadState;
  }
  size_t mode_count() const { return starts_.size(); }
  // The start state of the mode.
  DfaStateId StartOf(ModeId mode) const { return starts_[mode.value]; }
  // The start states of all modes, kStartState first.
  std::span<const DfaStateId> starts() const { return distinct_starts_; }
  bool IsStart(DfaStateId q) const {
    return q == kStartState || (q == apart_start_ && reads_apart()) ||
           (has_modes() && is_start_[q.value]);
  }
  // The modes in which the lexeme in progress may be in q. Of a start state: the modes that begin
  // there.
  ModeMask ModesOf(DfaStateId q) const { return modes_of_[q.value]; }
  // The modes that may lie directly below one of `modes`.
  ModeMask Below(ModeMask modes) const;
  // The modes that may be on top after the lexeme, if it began in one of `modes`.
  ModeMask ModesAfter(LexemeId id, ModeMask modes) const;
  // The start state of the next lexeme, after the one in progress in q has ended. `stack`: the
  // modes before its end. With q = kStartState: the start state of the first lexeme.
  DfaStateId StartAfter(DfaStateId q, const ModeArena& arena, ModeStackId stack) const;

  struct Step {
    LexemeId ended;  // kNoLexeme: the lexeme in progress continues
    DfaStateId q;
    Guards guards;
  };
  // The lexeme goes on, the next one begins, the next one begins apart.
  using Steps = std::array<Step, 3>;
  // Writes the outcomes of reading `byte` and returns their number. `emitted`: by emit edges only.
  // `begin`: StartAfter(q).
  int Advance(DfaStateId q, const Guards& guards, uint8_t byte, bool emitted, Steps& out,
              DfaStateId begin = kStartState) const;

  // Longest match at text[begin..] from a start: the lexeme and its end; kNoLexeme where nothing
  // matches.
  struct Match {
    LexemeId lexeme = kNoLexeme;
    size_t end = 0;
  };
  Match LongestMatch(std::string_view text, size_t begin, DfaStateId start = kStartState) const;
  // The landing: the end in `text` of the lexeme in progress in q, if `text` follows it. Example:
  // in `pri|nt(x)` the lexeme lands as `print` at offset 2. It ends after text[0..k), for the
  // largest k >= 0 at which the DFA accepts. kNoLexeme: it never ends, a guard accepts, or it ends
  // with `text` and no text may end with this lexeme (`%not_last`).
  Match Land(DfaStateId q, const Guards& guards, std::string_view text) const;

  // Land without guards, for every state at once: [DfaStateId]. States that meet are followed as
  // one.
  std::vector<Match> LandAll(std::string_view text) const;

  // May every terminal follow a lexeme that ended in accepting state q, after some ignorable text
  // or directly, with no guard left? `emitted`: the ignorable text may use emit edges only.
  // Example: after the name `pri` a letter would continue the name, but after `pri` and a blank
  // every terminal may begin.
  bool IsSeparable(DfaStateId q, const Guards& guards, bool emitted) const {
    if (guards.empty()) return separable_[emitted][q.value];
    BlankOutcomes known;
    return ComputeSeparable(q, guards, emitted, known);
  }
  // Does a guard accept on every path to an end of the lexeme in progress in q? Advance returns no
  // doomed step.
  bool IsDoomed(DfaStateId q, const Guards& guards) const {
    return !guards.empty() && !doomed_.empty() && FindDoom(q, guards);
  }
  // The distinct live states that one byte leads to from q; `emitted`: over emit edges only.
  std::span<const DfaStateId> Successors(DfaStateId q, bool emitted) const {
    return successors_[emitted][q.value];
  }

  // Every state that can be reached from a start state, nearest first, with a shortest text that
  // leads to it.
  struct Beginning {
    DfaStateId q;
    std::string text;
  };
  std::span<const Beginning> Beginnings(bool emitted) const { return beginnings_[emitted]; }

  // A shortest lexeme of `terminal` over emit edges, or its text in `%spell`. Empty: there is none.
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
  // The match; none if it ends at `end`, the text's end, and no text may end with its lexeme.
  Match Within(const Match& match, size_t end) const;
  bool FollowsEverything(DfaStateId q, const Guards& guards, ModeId mode) const;
  // mode << 16 | DfaStateId of ignorable text -> BlankSteps of it, without a guard.
  using BlankOutcomes = boost::unordered_flat_map<uint32_t, std::vector<Step>>;
  bool ComputeSeparable(DfaStateId q, const Guards& guards, bool emitted,
                        BlankOutcomes& known) const;
  bool SeparableFrom(DfaStateId q, const Guards& guards, bool emitted, ModeId mode,
                     BlankOutcomes& known) const;
  // The distinct steps by bytes that begin ignorable text after q or, `in_blank`, go on with it.
  std::vector<Step> BlankSteps(DfaStateId q, const Guards& guards, bool in_blank, bool emitted,
                               ModeId mode) const;
  bool FindDoom(DfaStateId q, const Guards& guards) const;
  void BuildDoomed();
  void BuildSuccessors();
  void FindSuccessors();
  void FindBlanks();
  void BuildBeginnings();

  explicit Lexer(Dfa dfa) : dfa_(std::move(dfa)) {}
  Dfa dfa_;
  std::vector<LexemeId> lexeme_at_;             // [DfaStateId]
  std::vector<Lexeme> lexemes_;                 // [LexemeId]
  std::vector<std::bitset<256>> emit_edges_;    // [DfaStateId][byte]
  std::array<std::vector<bool>, 2> separable_;  // [emitted][DfaStateId] with no guard alive
  std::array<std::vector<std::vector<DfaStateId>>, 2> successors_;  // [emitted][DfaStateId]
  std::array<std::vector<bool>, 2> reaches_blank_;  // [emitted][DfaStateId] an ignored lexeme
  std::array<std::vector<std::bitset<256>>, 2> begins_blank_;  // [emitted][mode] bytes that may
                                                               // begin an ignored lexeme
  std::vector<std::bitset<256>>
      first_bytes_;  // [mode] bytes that begin a parsed lexeme or a line end
  std::vector<DfaStateId> starts_{kStartState};  // [mode]
  std::vector<DfaStateId> distinct_starts_{kStartState};
  std::vector<bool> is_start_;                        // [DfaStateId] where there are modes
  DfaStateId apart_start_ = kDeadState;               // of lexemes that are read apart
  std::vector<bool> hosts_apart_;                     // [DfaStateId] start states beside it
  std::vector<ModeMask> modes_of_;                    // [DfaStateId]
  std::vector<ModeMask> below_;                       // [mode]
  std::array<std::vector<Beginning>, 2> beginnings_;  // [emitted]
  std::vector<std::string> spellings_;                // [TerminalId]
  std::vector<uint32_t> doomed_;                      // doomed (state, guard's state), ascending
};

}  // namespace tenon::constraint
