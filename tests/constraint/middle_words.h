// A middle as a word of its gap's quotient grammar: its lexemes by the names that the grammar gives
// them.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/automata/dfa.h"
#include "constraint/grammar_file/reader.h"
#include "constraint/quotient/middle_grammar.h"
#include "tests/oracle/toy_grammar.h"

namespace tenon::constraint {

// Lexes L M R as a whole and keeps what M has a part in; shares the lexer with the engine, and
// nothing of its parser.
class MiddleWords {
 public:
  explicit MiddleWords(const MiddleGrammar& grammar)
      : grammar_(grammar), language_(*grammar.language) {}

  // Nothing: the text has no lexemes, or inconsistent columns, or M is part of a lexeme that the
  // grammar has no name for.
  std::optional<oracle::Lexemes> Of(std::string_view left, std::string_view middle,
                                    std::string_view right) {
    std::string text = std::string(left) + std::string(middle) + std::string(right);
    size_t begin = left.size(), end = begin + middle.size();
    oracle::Lexemes word;
    LexicalContext context;
    IndentArena indents;
    bool seam_open = true;
    ModeArena arena;
    ModeStackId modes;
    for (size_t at = 0; at < text.size();) {
      start_ = language_.lexer.StartOf(arena.top(modes));
      Lexer::Match match = language_.lexer.LongestMatch(text, at, start_);
      if (match.lexeme == kNoLexeme) return std::nullopt;
      const Lexeme& lexeme = language_.lexer.lexeme(match.lexeme);
      if (lexeme.kind == TerminalKind::kPoison || !arena.Apply(lexeme.action, modes))
        return std::nullopt;
      for (size_t i = at; i < match.end; ++i)
        language_.layout.ReadByte(static_cast<uint8_t>(text[i]), context.layout);
      std::vector<LayoutEvent> events;
      if (!language_.layout.End(lexeme, indents, context, events)) return std::nullopt;
      for (const LayoutEvent& event :
           events) {  // one alternative decides for all in these languages
        if (event.kind == LayoutEvent::Kind::kLexeme)
          context.line_ends.ends_phrase =
              language_.layout.line_ends().EndsPhrase(lexeme.given_terminals[0]);
        if (event.kind == LayoutEvent::Kind::kTerminator) context.line_ends.ends_phrase = false;
      }
      bool touches = match.end > begin && at < end && begin < end;
      if (touches && !Append(text, at, match.end, begin, end, lexeme, events, word))
        return std::nullopt;
      // The blocks that R's first line opens and closes are M's, unless a line end of R comes
      // before.
      if (at >= end && begin < end && seam_open) {
        for (const LayoutEvent& event : events) AppendBlock(event, word);
      }
      if (match.end > end && (!events.empty())) seam_open = false;
      at = match.end;
    }
    return word;
  }

 private:
  using Role = MiddleGrammar::Role;

  bool Append(const std::string& text, size_t at, size_t stop, size_t begin, size_t end,
              const Lexeme& lexeme, const std::vector<LayoutEvent>& events, oracle::Lexemes& word) {
    bool from_left = at < begin;
    bool into_right = stop > end;
    // A line end begun in M is R's own.
    if (into_right && IsLineEnd(lexeme) && Ignorable(text.substr(end, stop - end))) return true;
    if (!from_left) {
      for (const LayoutEvent& event : events) AppendOwn(event, word);
    }
    bool given = std::any_of(events.begin(), events.end(), [](const LayoutEvent& e) {
      return e.kind == LayoutEvent::Kind::kLexeme;
    });
    if (!from_left && !into_right) {
      if (!given) return true;
      oracle::Alternatives names;
      for (TerminalId t : lexeme.terminals)
        names.push_back(language_.grammar.terminals[t.value].name);
      for (SymbolId c :
           lexeme
               .given_terminals) {  // a keyword that counts as a name, where the parser finds it so
        if (auto read = language_.grammar.lr_terminals[c.value].reads_as)
          names.push_back(language_.grammar
                              .terminals[language_.grammar.lr_terminals[read->value].terminal.value]
                              .name);
      }
      word.push_back(names);
      return true;
    }
    Role role = from_left && into_right ? Role::kThrough : from_left ? Role::kLeft : Role::kRight;
    size_t offset = into_right ? stop - end : 0;
    std::string piece = text.substr(std::max(at, begin), std::min(stop, end) - std::max(at, begin));
    oracle::Alternatives names;
    for (const MiddleGrammar::Terminal& terminal : grammar_.terminals) {
      if (terminal.role == role && terminal.of == lexeme.terminals[0] &&
          terminal.offset_bytes == offset && Matches(terminal, piece))
        names.push_back(terminal.name);
    }
    if (names.empty()) {
      // Where both parts are blank by themselves, the grammar says nothing of it.
      return lexeme.kind == TerminalKind::kIgnored && Ignorable(piece) &&
             (!into_right || Ignorable(text.substr(end, offset)));
    }
    word.push_back(names);
    return true;
  }

  static bool IsLineEnd(const Lexeme& lexeme) {
    return lexeme.is_newline || lexeme.kind == TerminalKind::kLineEnd;
  }

  // Are all lexemes of the text, read by itself, ignored ones and line ends?
  bool Ignorable(const std::string& text) const {
    for (size_t at = 0; at < text.size();) {
      Lexer::Match match = language_.lexer.LongestMatch(text, at, start_);
      if (match.lexeme == kNoLexeme) return false;
      const Lexeme& lexeme = language_.lexer.lexeme(match.lexeme);
      if (lexeme.kind != TerminalKind::kIgnored && !IsLineEnd(lexeme)) return false;
      at = match.end;
    }
    return true;
  }

  void AppendBlock(const LayoutEvent& event, oracle::Lexemes& word) const {
    if (event.kind == LayoutEvent::Kind::kIndent || event.kind == LayoutEvent::Kind::kDedent)
      AppendOwn(event, word);
  }

  void AppendOwn(const LayoutEvent& event, oracle::Lexemes& word) const {
    std::optional<SymbolId> lr_terminal;
    if (event.kind == LayoutEvent::Kind::kTerminator)
      lr_terminal = language_.layout.line_ends().terminators(false)[0];
    if (event.kind == LayoutEvent::Kind::kNewline)
      lr_terminal = language_.layout.newline_terminal();
    if (event.kind == LayoutEvent::Kind::kIndent) lr_terminal = language_.layout.indent_terminal();
    if (event.kind == LayoutEvent::Kind::kDedent) lr_terminal = language_.layout.dedent_terminal();
    if (lr_terminal)
      word.push_back(
          {language_.grammar
               .terminals[language_.grammar.lr_terminals[lr_terminal->value].terminal.value]
               .name});
  }

  bool Matches(const MiddleGrammar::Terminal& terminal, const std::string& text) {
    auto [at, fresh] = dfas_.try_emplace(terminal.name, std::nullopt);
    if (fresh) {
      const std::vector<Regex> one = {terminal.regex};
      at->second = *Dfa::Build(one);
    }
    DfaStateId q = kStartState;
    for (char c : text) {
      if (q != kDeadState) q = at->second->Next(q, static_cast<uint8_t>(c));
    }
    return q != kDeadState && !at->second->Accepts(q).empty();
  }

  const MiddleGrammar& grammar_;
  const Language& language_;
  DfaStateId start_;  // of the mode of the lexeme that is looked at
  std::map<std::string, std::optional<Dfa>> dfas_;
};

// The words of a printed grammar, read again by our own reader. Membership is the oracle's.
class PrintedWords {
 public:
  explicit PrintedWords(const MiddleGrammar& grammar) {
    const auto& bodies = grammar.nonterminals[0].bodies;
    empty_ = std::find(bodies.begin(), bodies.end(), MiddleGrammar::Body{}) != bodies.end();
    if (bodies.size() == empty_)
      return;  // no word but the empty one: a reader refuses such a grammar
    printed_ = Print(grammar, MiddleFormat::kLark, "a test");
    auto read = ReadGrammar(printed_, "printed.lark");
    if (!read) {
      error_ = read.error().ToString();
      return;
    }
    empty_ = read->start_nullable;
    std::string text = "N" + read->SymbolName(read->start) + " ->";
    std::string rest;
    bool first = true;
    for (const Rule& rule : read->rules) {
      std::string body;
      for (SymbolId s : rule.body)
        body += (read->IsLrTerminal(s) ? " T" : " N") + read->SymbolName(s);
      if (rule.head == read->start)
        text += (first ? "" : " |") + body, first = false;
      else
        rest += "\nN" + read->SymbolName(rule.head) + " ->" + body;
    }
    grammar_.emplace(text + rest);
  }
  const std::string& error() const { return error_; }
  const std::string& printed() const { return printed_; }

  bool Contains(const oracle::Lexemes& word) const {
    if (word.empty()) return empty_;
    if (!grammar_) return false;
    oracle::Lexemes marked = word;
    for (oracle::Alternatives& alternatives : marked) {
      for (std::string& name : alternatives) name = "T" + name;
    }
    return grammar_->Member(marked);
  }

 private:
  bool empty_ = false;
  std::string printed_, error_;
  std::optional<oracle::ToyGrammar> grammar_;
};

}  // namespace tenon::constraint
