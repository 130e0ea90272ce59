// `%encoding` and `%charset`: how a file says in which encoding its bytes are, and which encodings there are.
//
// What they mean: docs/grammars.md. Thread rule: owned by one call of ReadGrammar.
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
  EncodingDirectives(TerminalTable& terminals, ErrorSink& errors) : terminals_(terminals), errors_(errors) {}

  // %encoding /before/ /name/
  void ReadEncoding(const DirectiveLine& line);
  // %charset "CONVERTER" "name ..." [with_mark]
  void ReadCharset(const DirectiveLine& line);
  // Nothing: the grammar has neither. Said once all lines are read, since they may stand in any order.
  std::optional<EncodingDeclaration> Finish();

 private:
  void Fail(FilePlace place, std::string message);

  TerminalTable& terminals_;
  ErrorSink& errors_;
  EncodingDeclaration made_;
  std::optional<FilePlace> encoding_, charset_;  // where the directive stands, the last one
  std::set<std::string> names_;
};

}  // namespace tenon::constraint
