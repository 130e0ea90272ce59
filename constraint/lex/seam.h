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
//   kRest     so may a comment, or a string of several lines, where R up to its end is a rest and
//             nothing else: the lexeme ends for good, as `*/` ends it and a line's end does not,
//             and no lexeme of R, read as code, ends there. `/*` closes a gap before `text */`;
//             before `f(; /* text */` it does not
//   kOpen     no rule: comments of one line, templates and other modes, too
//
// Each seam allows the middles of the one before. Source: docs/design/seams.md.
// Thread rule: none of its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "constraint/lex/lexer.h"

namespace tenon::constraint {

enum class Seam : uint8_t { kClosed, kLine, kRest, kOpen };
inline constexpr size_t kSeams = 4;

// May a lexeme that the middle began end in R, `swallowed` bytes after R's beginning? `line`: the
// bytes of R's first line, without its line end. `is_rest`: as for kRest; else it means nothing.
inline bool MayEndInRight(Seam seam, const Lexeme& lexeme, size_t swallowed, size_t line,
                          bool is_rest) {
  if (!lexeme.delimited || swallowed == 0 || seam == Seam::kOpen) return true;
  if (seam == Seam::kClosed || lexeme.action.kind == ModeAction::Kind::kPush) return false;
  if (seam == Seam::kRest && is_rest) return true;
  return swallowed <= line && lexeme.kind == TerminalKind::kParsed;
}

}  // namespace tenon::constraint
