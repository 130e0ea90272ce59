// How a gap is read, in the words of a person: `tenon gap FILE --at A --explain`.
//
// For `foo("x", ba|r)` it says: the left context ends in the lexeme in progress `ba`, a NAME, with
// the bracket `(` of line 1, column 4 open, in the middle of a list of arguments; R's bytes make
// `bar` of it, then comes `)`; the gap is viable; the empty text closes it.
//
// Both sides are lexed once more, by longest match alone: the explanation shows one reading, and a
// grammar that forks may have others. Viable and Expected ask about the accepted language; the
// closing text is one that tenon would write (GapPolicy::emit).
//
// Source: none. Cost: two gaps opened, both contexts lexed. Thread rule: pure functions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/language/language.h"
#include "constraint/reading/reading.h"

namespace tenon::constraint {

struct ShownLexeme {
  std::string terminal;  // its name; "malformed" or "unfinished" where it has none
  std::string text;
};

struct OpenBracket {
  std::string text;
  TextPlace place;
};

struct GapExplanation {
  // The left context.
  bool left_cut = false;                   // there are more lexemes before these
  std::vector<ShownLexeme> left;           // whole ones, the last few
  std::optional<ShownLexeme> in_progress;  // its beginning, which more bytes may go on with
  std::vector<OpenBracket> brackets;       // the outermost first
  std::vector<uint16_t> blocks;  // columns of the open blocks, 0 first; empty: columns mean nothing
  std::vector<std::string> inside;  // items of the parser's state, between two lexemes

  // The right context, read in two ways; each list ends early at a malformed lexeme.
  std::vector<ShownLexeme>
      joined;  // the lexeme in progress with R's bytes first; empty: they do not join
  std::vector<ShownLexeme> apart;    // from R's first byte
  bool right_cut = false;            // there are more lexemes after these
  std::vector<std::string> demands;  // items, the gap at their dot, in which R can go on

  // The gap.
  bool viable = false;
  std::string why_not;  // a sentence; empty when viable
  bool closed = false;  // the empty middle closes it
  std::vector<std::string> expected;
  std::optional<std::string> closing;  // the cheapest known text that closes it
  bool opens_string = false;           // ... begins a string or comment that the right side ends
};

[[nodiscard]] GapExplanation ExplainGap(const std::shared_ptr<const Language>& language,
                                        std::string_view left, std::string_view right);

// One screen of text.
[[nodiscard]] std::string ToText(const GapExplanation& explanation);

}  // namespace tenon::constraint
