// The directive `%region`: the texts that stand in for broken text around a cursor.
//
//   %region module
//   %region block in function_definition has "async" before "async def f():\n"
//   %region block in for_statement while_statement before "while 0:\n"
//   %region list before "[" after "]" filler "0"
//
// The first word is the kind of a node of a tree-sitter tree. Its parts are statements, members or
// list items. Example: the file is broken above a function, and the cursor stands among the items
// of a list in it. The engine opens the gap in `def f():\n [` … `]`, with as many of the items as
// are valid. Their use: server/region/region_finder.h; their meaning: docs/grammar_directives.md.
// Cost: linear in the arguments. Thread rule: owned by one call of ReadGrammar.
#pragma once

#include "constraint/grammar_file/directive_part.h"

namespace tenon::constraint {

class RegionDirectives : private DirectivePart {
 public:
  RegionDirectives(TerminalTable& terminals, ErrorSink& errors, Directives& result)
      : DirectivePart(terminals, errors, result) {}

  void Region(const DirectiveLine& line);
};

}  // namespace tenon::constraint
