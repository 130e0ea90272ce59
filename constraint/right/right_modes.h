// The modes in which the right context R is read, and the modes that may lie below them.
//
// A *mode* is the set of terminals that the next lexeme is read by; modes lie on a stack
// (lex/modes.h). R was cut out of a text, so the modes at its beginning are not known. Example: in
// `f"{a|b}c"` R is `b}c"`. From the mode of a field R can be read: `b` is a name, `}` pops the
// field, `c` is text and `"` ends the string. From the default mode it cannot: `}` closes nothing.
//
// A reading of R knows the upper part of the stack alone: the mode in which it began, and the modes
// that R has pushed since. The stack below is *unknown* (ModeArena::kUnknown). In the example:
//
//   bytes   known part of the stack after them
//           field
//   b       field
//   }       string      R pops the lowest known mode: the reading continues in each mode that may
//                       lie below it, which are the modes from which `c"` can be read
//   c       string
//   "       default
//
// Where R pushes a mode, mostly only one mode can lie below: the one from which the rest can be
// read after the pop. The reading then forgets the modes below, because the pop finds that mode
// again. So readings from inside and from outside of a bracket of R meet in one node.
//
// A grammar without modes has the default mode alone. Then a reading is alive where the brackets of
// the rest are closed.
//
// Source: docs/design/right_context.md. Cost: memoised look-ups (right_lexemes.h).
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "constraint/lex/lex.h"
#include "constraint/right/right_lexemes.h"

namespace tenon::constraint {

class RightModes {
 public:
  // REQUIRES: both outlive this.
  RightModes(const Lexer& lexer, RightLexemes& lexemes) : lexer_(lexer), lexemes_(lexemes) {}

  ModeId top(ModeStackId modes) const { return arena_.top(modes); }
  ModeStackId below(ModeStackId modes) const { return arena_.below(modes); }
  // The stack of which the top alone is known.
  ModeStackId Over(ModeId mode) { return arena_.Push(ModeArena::kUnknown, mode); }

  // Can R be read to its end from `offset` in the mode, whatever lies below it?
  bool Alive(size_t offset, ModeId mode) {
    return lexer_.has_modes() ? lexemes_.Alive(offset, mode) : lexemes_.DepthAt(offset).has_value();
  }
  // The same for a stack: R must pop each of its known modes in turn.
  bool Alive(size_t offset, ModeStackId modes);
  // The stacks after a lexeme that ends at `end`, each cut to the part that has to be known. None:
  // R cannot be read on. Valid until the next call.
  std::span<const ModeStackId> After(const Lexeme& lexeme, ModeStackId before, size_t end);

 private:
  bool AliveApart(size_t offset, ModeStackId modes);
  void AddPushed(ModeId pushed, ModeStackId before, size_t end);
  void AddPopped(ModeStackId before, size_t end);

  const Lexer& lexer_;
  RightLexemes& lexemes_;
  ModeArena arena_;
  std::vector<ModeStackId> after_;  // the answer of After
};

}  // namespace tenon::constraint
