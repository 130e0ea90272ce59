// A whole-text tokenizer by longest match over a small alphabet: the oracle for constraint/lex.
//
// Patterns know characters, classes, '.', groups, '|', '*', '+', '?', \n and escaped signs; a
// negated class and '.' are taken relative to the alphabet, for the engine too (ToLark writes them
// out), so that no byte outside it is ever part of a text. A lexeme that is split may be read as
// any of its sequences of parts. With lines, a line end behind one of a set of terminals, or the
// end of the text there, is the terminator; elsewhere it is skipped. Matching goes by Brzozowski
// derivatives, which end where nothing matches any more; shares no code with constraint/automata.
//
// Source: Brzozowski, Derivatives of regular expressions, JACM 1964. Cost: one remembered
// derivative a byte.
// Thread rule: not shared (derivatives are remembered).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/oracle/toy_grammar.h"

namespace tenon::oracle {

enum class ToyKind { kToken, kSkip, kPoison, kSoft, kLineEnd };

struct ToyTerminal {
  std::string name;
  std::string pattern;
  ToyKind kind = ToyKind::kToken;
  bool delimited = false;  // means nothing to the oracle; ToLark passes it on
  // What ToLark writes for the pattern, where tenon's dialect says it shorter: a pattern, or the
  // arguments of '%unfinished'.
  std::string lark = {}, unfinished = {};
};

// What a line end (ToyKind::kLineEnd) stands for, and behind which terminals.
struct ToyLines {
  std::string terminator;
  std::vector<std::string> after;
  bool remember =
      false;  // a lexeme is also NAME#newline_before behind a line end, NAME#no_newline elsewhere
  std::string inserted =
      // with `remember`: what stands where the next lexeme does not fit, and before which without a
      // line end
      {};
  std::vector<std::string> insert_before = {};
};

// A lexeme of a text: its bytes, and the terminal that wins.
struct ToyPiece {
  size_t begin = 0, end = 0;
  const ToyTerminal* terminal = nullptr;
};

// The terminals of a mode: those that no mode lists in `with` (the default mode has them all) but
// `without`, or none, and `with`.
struct ToyMode {
  std::string name;
  bool like_default = false;
  std::vector<std::string> without, with;
};

// What terminals do to the stack of modes, as written behind '%': "push", "switch" or "pop" and the
// mode.
struct ToyModes {
  std::vector<ToyMode> modes;
  std::map<std::string, std::pair<std::string, std::string>> actions;
};

// [terminal] other sequences of terminals that its lexeme may be read as.
using ToySplits = std::map<std::string, std::vector<std::vector<std::string>>>;

class ToyLexer {
 public:
  // Highest precedence first. A soft terminal's lexeme is also that of the next one that matches.
  ToyLexer(std::string alphabet, std::vector<ToyTerminal> terminals, ToyLines lines = {},
           ToyModes modes = {}, ToySplits splits = {});

  const std::string& alphabet() const { return alphabet_; }
  const std::vector<ToyTerminal>& terminals() const { return terminals_; }
  bool HasSeparator() const;  // a skipped lexeme that is a single blank or line end
  // Terminals and directives in tenon's Lark dialect. Those of no rule of `grammar` are not
  // written.
  std::string ToLark(const ToyGrammar& grammar) const;
  // Nothing: some place matches no terminal, or a poison one, or modes are left open.
  std::optional<Lexemes> Tokenize(std::string_view text) const;
  // The lexemes of the text, skipped ones too. Nothing: as above.
  std::optional<std::vector<ToyPiece>> Pieces(std::string_view text) const;
  // All sequences that the text may be read as: more than one where lexemes are split, that of
  // whole lexemes first. Empty: as above.
  std::vector<Lexemes> Readings(std::string_view text) const;
  // Every text of at most `longest` characters of the alphabet, shortest first.
  std::vector<std::string> AllTexts(size_t longest) const;

 private:
  struct Node {
    enum Kind { kNothing, kEmpty, kClass, kThen, kOr, kStar } kind = kNothing;
    std::string characters;
    int a = 0, b = 0;
    auto operator<=>(const Node&) const = default;
  };
  bool EndsPhrase(const Lexemes& lexemes) const;
  Alternatives WithLine(Alternatives names, bool line_seen) const;
  int Make(Node node) const;
  int Then(int a, int b) const;
  int Or(int a, int b) const;
  int Star(int a) const;
  bool Nullable(int node) const;
  int Derive(int node, char c) const;
  int ParseOr(const std::string& pattern, size_t& at) const;
  int ParseThen(const std::string& pattern, size_t& at) const;
  int ParseOne(const std::string& pattern, size_t& at) const;
  std::string ParseClass(const std::string& pattern, size_t& at) const;

  // The terminals' derivatives after some text, with what ends there.
  struct State {
    std::vector<int> left;        // [terminal]
    std::vector<size_t> winners;  // more than one for soft terminals
    std::map<char, size_t> next;
    bool dead = true;
  };
  // [terminal] of the mode: 0 the default one.
  std::vector<bool> TerminalsOf(size_t mode) const;
  struct Match {
    size_t end = 0;
    std::vector<size_t> winners;  // none: nothing matches
  };
  Match Longest(std::string_view text, size_t begin, size_t mode) const;
  // False: pops the default mode.
  bool Act(const std::string& terminal, std::vector<size_t>& stack) const;
  size_t StateOf(std::vector<int> left) const;
  size_t Step(size_t state, char c) const;

  std::string alphabet_;
  std::vector<ToyTerminal> terminals_;
  ToyLines lines_;
  ToyModes modes_;
  ToySplits splits_;
  std::vector<size_t> starts_;  // [mode] state
  mutable std::vector<Node> nodes_;
  mutable std::map<Node, int> node_ids_;
  mutable std::map<std::pair<int, char>, int> derivatives_;
  mutable std::vector<State> states_;
  mutable std::map<std::vector<int>, size_t> state_ids_;
};

// The characters of `alphabet` that are not in `excluded`, as a class of tenon's regular
// expressions.
std::string ClassText(const std::string& characters);

}  // namespace tenon::oracle
