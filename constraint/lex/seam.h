// The seam between the middle and the right context R: which lexemes of the middle may end in R?
//
// Words and numbers may: in `pri|nt(x)` the middle may end inside a name. Comments and strings that
// the middle begins may not, by the *seam rule*: `foo(a, |))` could be closed by `b) #`, which
// parses and comments the bracket out. But in `{"name": |tenon"}` R is the end of a string and
// nothing else, so no middle closes the gap under that rule. As a last resort the seam is opened:
//
//   kClosed   the seam rule: the middle ends each `%delimited` lexeme that it begins
//   kLine     a string may end in R, within R's first line: a lexeme that the parser sees and that
//             pushes no mode. `"` closes the gap above
//   kOpen     no rule: comments, strings of several lines, templates and other modes, too
//
// Each seam allows the middles of the one before. Source: docs/design/seams.md.
// Thread rule: none of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "constraint/lex/lexer.h"

namespace tenon::constraint {

enum class Seam : uint8_t { kClosed, kLine, kOpen };
inline constexpr size_t kSeams = 3;

// May a lexeme that the middle began end in R, `swallowed` bytes after R's beginning? `line`: the
// bytes of R's first line, without its line end.
inline bool MayEndInRight(Seam seam, const Lexeme& lexeme, size_t swallowed, size_t line) {
  if (!lexeme.delimited || swallowed == 0 || seam == Seam::kOpen) return true;
  return seam == Seam::kLine && swallowed <= line && lexeme.kind == TerminalKind::kParsed &&
         lexeme.action.kind != ModeAction::Kind::kPush;
}

}  // namespace tenon::constraint
