// Lexical context: the state of a reading between two lexemes, without its parser stack.
//
// Each mechanism of a grammar keeps its state in one member. The member's type is in the
// mechanism's file (for modes in lex/modes.h, because the lexer reads by them). This header is the
// room's face.
// Example: in Python, before the cursor in
//
//   if a:
//       f(x, "b" |
//
//   layout     one open bracket, the column 4 of the one open block, this line has content
//   modes      the mode inside brackets, over the default one
//   line_ends  nothing: Python has neither `%terminator` nor `%line_ends`
//   origin     no lexeme is in progress
//   levels     no newer form is used
//   names      nothing is declared: Python has no `%names`
//   scope      free
//
// The member of a mechanism that a grammar does not use never changes. To add a mechanism, add its
// file with a member type, a member here, and the directive (docs/design/mechanisms.md lists all).
//
// The order of the members matters. Branches are sorted by their stacks, then by the members in
// this order, and the order of branches decides which closing text is found first.
// Cost: 44 bytes, copied for each byte of a text and branch.
// Thread rule: a value. The ids belong to the arenas of one BranchMover (reading/branch.h).
#pragma once

#include "constraint/lex/lex.h"
#include "constraint/lexical_context/declared_names.h"        // IWYU pragma: export
#include "constraint/lexical_context/forbidden_beginnings.h"  // IWYU pragma: export
#include "constraint/lexical_context/layout.h"                // IWYU pragma: export
#include "constraint/lexical_context/levels.h"                // IWYU pragma: export
#include "constraint/lexical_context/line_ends.h"             // IWYU pragma: export
#include "constraint/lexical_context/scope.h"                 // IWYU pragma: export

namespace tenon::constraint {

struct LexicalContext {
  LayoutState layout;   // %layout: brackets, blocks, the column of a line
  ModeStackId modes;    // %mode: the top one has the terminals of the next lexeme
  LineEnds line_ends;   // %terminator, %line_ends: the meaning of a line end here
  LexemeOrigin origin;  // %forbid: whether the lexeme in progress is exempt
  Levels levels;        // %levels: the newer forms of the whole text
  NamesId names;        // %names: the declarations
  ScopeState scope;     // counts of written text (no directive: a setting of the completion)
  auto operator<=>(const LexicalContext&) const = default;
};
static_assert(sizeof(LexicalContext) == 44, "a copy for each byte and branch: keep it small");

}  // namespace tenon::constraint
