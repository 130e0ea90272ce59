// A text read a byte at a time, with guards and no back-up, has the lexemes of the longest matches,
// or none at all.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "constraint/grammar_file/reader.h"
#include "constraint/lex/lexer.h"
#include "tests/fuzz/expect.h"

namespace {

using namespace tenon::constraint;

constexpr std::string_view kGrammars[] = {
    R"lark(start: (WORD | "if" | "=" | "==" | "." | ".." | NUMBER | STRING)+
WORD: /[a-z]+/
NUMBER: /[0-9]+(\.[0-9]+)?(e[+\-]?[0-9]+)?/
STRING: /"([^"\\\n]|\\.)*"/
COMMENT: /#[^\n]*/
BLANK: /[ \n]+/
BAD: /[0-9]+[a-z]+/
%ignore COMMENT
%ignore BLANK
%poison BAD
%delimited STRING COMMENT
)lark",
    R"lark(start: ("a" | "ab" | "abcab" | "b" | "c" | "<" | "<=" | "<-")+
BLANK: " "
COMMENT: /\/\*([^*]|\*+[^*\/])*\*+\//
%ignore BLANK
%ignore COMMENT
)lark",
};

const Lexer& LexerAt(size_t i) {
  static const std::vector<Lexer> lexers = [] {
    std::vector<Lexer> made;
    for (std::string_view text : kGrammars) {
      auto grammar = ReadGrammar(text, "fuzz.lark");
      if (!grammar) std::abort();
      auto lexer = Lexer::Build(*grammar);
      if (!lexer) std::abort();
      made.push_back(std::move(*lexer));
    }
    return made;
  }();
  return lexers[i % lexers.size()];
}

using Lexemes = std::vector<uint16_t>;

// Nothing: the text has no lexemes, or ends with a lexeme unfinished.
std::optional<Lexemes> ByLongestMatch(const Lexer& lexer, std::string_view text) {
  Lexemes lexemes;
  for (size_t at = 0; at < text.size();) {
    const Lexer::Match match = lexer.LongestMatch(text, at);
    if (match.lexeme == kNoLexeme || lexer.lexeme(match.lexeme).kind == TerminalKind::kPoison)
      return std::nullopt;
    lexemes.push_back(match.lexeme.value);
    at = match.end;
  }
  return lexemes;
}

struct Reading {
  DfaStateId q = kStartState;
  Guards guards;
  Lexemes ended;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1 || size > 200) return 0;
  const Lexer& lexer = LexerAt(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::vector<Reading> readings{Reading{}};
  Lexer::Steps steps;
  for (char c : text) {
    std::vector<Reading> next;
    for (const Reading& reading : readings) {
      const int n = lexer.Advance(reading.q, reading.guards, static_cast<uint8_t>(c), false, steps);
      for (int i = 0; i < n; ++i) {
        Reading to{steps[i].q, steps[i].guards, reading.ended};
        if (steps[i].ended != kNoLexeme) to.ended.push_back(steps[i].ended.value);
        next.push_back(std::move(to));
      }
    }
    readings = std::move(next);
    TENON_FUZZ_EXPECT(readings.size() <= size_t{2} << kMaxBackUpBytes);
  }
  // What can end here: its lexeme is whole and no longer one is left that the text was to have.
  std::vector<Lexemes> whole;
  for (const Reading& reading : readings) {
    if (reading.q == kStartState) {
      whole.push_back(reading.ended);
      continue;
    }
    const LexemeId last = lexer.LexemeAt(reading.q);
    if (last == kNoLexeme || lexer.lexeme(last).kind == TerminalKind::kPoison) continue;
    whole.push_back(reading.ended);
    whole.back().push_back(last.value);
  }
  const std::optional<Lexemes> munched = ByLongestMatch(lexer, text);
  TENON_FUZZ_EXPECT(whole.size() <= 1);
  TENON_FUZZ_EXPECT(whole.size() == munched.has_value());
  if (munched) TENON_FUZZ_EXPECT(whole[0] == *munched);
  return 0;
}
