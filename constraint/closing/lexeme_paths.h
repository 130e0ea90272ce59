// The shortest bytes that end a lexeme in progress, or bring it to a place where R goes on with it.
//
// Example: for `"ab|` and R = `c")` the path `"` ends the string in the middle. The path of no
// bytes lets R go on: `"abc"` ends in R at offset 2 (a *landing*).
//
// SharedGap's Continuations say which lexemes are possible; these paths say by which bytes. They
// are found breadth first over the lexer's steps, letters before other bytes, so the first text
// found is a shortest one.
//
// Source: breadth-first search. Cost: a visit of the states that can be reached; a Closer keeps the
// result for each lexeme in progress. Thread rule: that of the gap.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "constraint/gap/gap.h"
#include "constraint/lex/lex.h"

namespace tenon::constraint {

struct LexemePaths {
  // Lexemes that have ended or stand complete, the last one separable -> bytes.
  std::map<std::vector<LexemeId>, std::string> ended;
  // The lexeme goes on into R and ends there as `lexeme` at `offset`; 0 where it ends in W and
  // nothing may part it from R.
  struct Landing {
    LexemeId lexeme;
    uint32_t offset = 0;
    std::string text;
  };
  std::vector<Landing> landings;
};

// At most this many bytes are put before R's to land in it.
inline constexpr size_t kMaxLandingBytes = 16;

// Of the lexeme in progress in (q, guards); `stack`: the modes before it. No path ends more than
// `max_lexemes`.
[[nodiscard]] LexemePaths FindLexemePaths(SharedGap& gap, ModeStackId stack, DfaStateId q,
                                          const Guards& guards, size_t max_lexemes);

}  // namespace tenon::constraint
