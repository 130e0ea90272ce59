// The shortest ways on for a lexeme in progress: bytes that end it, and bytes after which the right context goes on with it.
//
// Where gap/session.h's Continuations say what can happen, these say how: breadth first over the lexer's steps, so the first text
// found is a shortest one, letters before other bytes. Cost: a visit of the states that can be reached; kept by the session for
// each (state, guards). Thread rule: values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "constraint/lex/lex.h"

namespace tenon::constraint {

struct LexemePaths {
  // Lexemes that have ended or stand complete, the last one separable -> bytes.
  std::map<std::vector<LexemeId>, std::string> ended;
  // The lexeme goes on into R and ends there as `lexeme` at `offset`; 0 where it ends in W and nothing may part it from R.
  struct Landing {
    LexemeId lexeme;
    uint32_t offset = 0;
    std::string text;
  };
  std::vector<Landing> landings;
};

// At most this many bytes are put before R's to land in it.
inline constexpr size_t kMaxLandingBytes = 16;

// `stack`: the modes behind what stands before the lexeme in progress.
[[nodiscard]] LexemePaths FindLexemePaths(const Lexer& lexer, ModeArena& modes, ModeStackId stack, DfaStateId q,
                                          const Guards& guards, std::string_view right, bool emitted,
                                          size_t max_lexemes);

}  // namespace tenon::constraint
