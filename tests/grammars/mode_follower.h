// Which mode the next lexeme of a sentence is read in, for tests that write sentences out.
#pragma once

#include "constraint/language/language.h"
#include "constraint/lex/modes.h"

namespace tenon::grammars {

class ModeFollower {
 public:
  explicit ModeFollower(const constraint::Language& language) : language_(language) {}

  // Where the next lexeme begins.
  constraint::DfaStateId start() const { return language_.lexer.StartOf(arena_.top(stack_)); }
  // May a blank stand before it?
  bool TakesBlank() const {
    constraint::LexemeId id = language_.lexer.LongestMatch(" ", 0, start()).lexeme;
    return id != constraint::kNoLexeme &&
           language_.lexer.lexeme(id).kind == constraint::TerminalKind::kIgnored;
  }
  void Follow(constraint::TerminalId terminal) {
    arena_.Apply(language_.grammar.terminals[terminal.value].action, stack_);
  }

 private:
  const constraint::Language& language_;
  constraint::ModeArena arena_;
  constraint::ModeStackId stack_;
};

}  // namespace tenon::grammars
