#include "constraint/closing/lexeme_paths.h"

#include <algorithm>
#include <deque>
#include <set>

namespace tenon::constraint {

namespace {

// Which of two bytes a person would rather read: letters, line ends, digits and signs, blanks,
// controls.
int Ugliness(int b) {
  return b >= 'a' && b <= 'z' ? 0 : b == '\n' ? 1 : b > ' ' && b < 127 ? 2 : b == ' ' ? 3 : 4;
}

std::vector<uint8_t> ReadableFirst() {
  std::vector<uint8_t> bytes;
  for (int b = 0; b < 256; ++b) bytes.push_back(static_cast<uint8_t>(b));
  std::stable_sort(bytes.begin(), bytes.end(),
                   [](uint8_t a, uint8_t b) { return Ugliness(a) < Ugliness(b); });
  return bytes;
}

}  // namespace

LexemePaths FindLexemePaths(SharedGap& gap, ModeStackId stack, DfaStateId q, const Guards& guards,
                            size_t max_lexemes) {
  const Lexer& lexer = gap.language().lexer;
  ModeArena& modes = gap.mover().modes();
  const bool emitted = gap.policy().emit;
  static const std::vector<uint8_t> bytes = ReadableFirst();
  struct At {
    std::vector<LexemeId> ended;
    DfaStateId q;
    Guards guards;
    ModeStackId stack;
    auto operator<=>(const At&) const = default;
  };
  LexemePaths paths;
  std::set<std::pair<LexemeId, size_t>> landed;
  std::set<At> seen{{{}, q, guards, stack}};
  std::deque<std::pair<At, std::string>> queue{{{{}, q, guards, stack}, ""}};
  Lexer::Steps steps;
  while (!queue.empty()) {
    auto [at, text] = std::move(queue.front());
    queue.pop_front();
    LexemeId here = at.q == kStartState ? kNoLexeme : lexer.LexemeAt(at.q);
    bool separable = here != kNoLexeme && lexer.IsSeparable(at.q, at.guards, emitted);
    if (separable) {
      std::vector<LexemeId> lexemes = at.ended;
      lexemes.push_back(here);
      paths.ended.try_emplace(std::move(lexemes), text);
    }
    if (at.ended.empty() && at.q != kStartState) {
      Lexer::Match match = gap.Land(at.q, at.guards);
      // Where nothing may part the lexeme from R, it may still end where R begins.
      bool lands = match.end > 0 ? text.size() <= kMaxLandingBytes : !separable;
      if (match.lexeme != kNoLexeme && lands &&
          lexer.lexeme(match.lexeme).kind != TerminalKind::kPoison &&
          landed.emplace(match.lexeme, match.end).second) {
        paths.landings.push_back({match.lexeme, static_cast<uint32_t>(match.end), text});
      }
    }
    DfaStateId begin = lexer.StartAfter(at.q, modes, at.stack);
    for (uint8_t b : bytes) {
      int n = lexer.Advance(at.q, at.guards, b, emitted, steps, begin);
      for (int i = 0; i < n; ++i) {
        At to{at.ended, steps[i].q, steps[i].guards, at.stack};
        if (steps[i].ended != kNoLexeme) {
          if (separable || at.ended.size() + 1 >= max_lexemes) continue;
          if (!modes.Apply(lexer.lexeme(steps[i].ended).action, to.stack)) continue;
          to.ended.push_back(steps[i].ended);
        }
        if (seen.insert(to).second) queue.emplace_back(std::move(to), text + static_cast<char>(b));
      }
    }
  }
  return paths;
}

}  // namespace tenon::constraint
