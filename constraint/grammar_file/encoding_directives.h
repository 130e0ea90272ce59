// `%encoding` and `%charset`: where a file says in which encoding its bytes are, and which
// encodings it may name.
//
// Example: the lines
//
//   %encoding /#[^\n]*coding[:=] */ /[-\w]+/
//   %charset "ISO-8859-1" "latin_1 iso_8859_1"
//
// read `# coding: Latin-1` at the beginning of a Python file and have iconv decode it as
// ISO-8859-1. Their meaning: docs/grammar_directives.md.
//
// The two directives may stand in any order, so only Finish() checks that both are there.
// Cost: linear in the lines. Thread rule: owned by one call of ReadGrammar.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/syntax.h"
#include "constraint/grammar_file/terminal_table.h"

namespace tenon::constraint {

class EncodingDirectives {
 public:
  EncodingDirectives(TerminalTable& terminals, ErrorSink& errors)
      : terminals_(terminals), errors_(errors) {}

  // %encoding /before/ /name/
  void ReadEncoding(const DirectiveLine& line);
  // %charset "CONVERTER" "name ..." [with_mark]
  void ReadCharset(const DirectiveLine& line);
  // The declaration, once all lines are read. Nothing: the grammar has neither directive, or one is
  // missing, reported.
  std::optional<EncodingDeclaration> Finish();

 private:
  void Fail(FilePlace place, std::string message);

  TerminalTable& terminals_;
  ErrorSink& errors_;
  EncodingDeclaration made_;
  std::optional<FilePlace> encoding_, charset_;  // the place of the last such directive
  std::set<std::string> names_;
};

}  // namespace tenon::constraint
