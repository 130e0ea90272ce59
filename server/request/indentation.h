// The indentation of a line, and the brackets that a line begins with or opens.
//
// Example: `\t  }` is indented by ten columns, a tab going to the next eighth column, and closes a
// bracket. In `f(a, g("(")[` two brackets are left open: that of `f` and the last one.
//
// A text is indented by tabs or by some number of blanks. Example: where most indented lines begin
// with a tab, the line `    x` that a model wrote becomes `\tx`.
//
// A bracket in quotes that begin and end on one line does not count. No language is known here, so
// an answer may be wrong: in the comment `don't (or won't` apostrophes look like quotes and hide
// the bracket. A wrong answer may cost a caller quality, never validity.
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

inline constexpr std::string_view kOpeningBrackets = "([{", kClosingBrackets = ")]}";
[[nodiscard]] inline bool IsClosingBracket(char c) {
  return kClosingBrackets.find(c) != std::string_view::npos;
}

// The column of the first character that is no blank.
[[nodiscard]] size_t IndentationColumns(std::string_view line);
// The blanks with which the line around `offset` begins, its line ends apart.
[[nodiscard]] std::string_view LeadingBlanksAt(std::string_view text, size_t offset);
// The column of the first character of the line around `offset` that is no blank.
[[nodiscard]] size_t IndentationColumnsAt(std::string_view text, size_t offset);
// Does the line begin, after its indentation, with a closing bracket?
[[nodiscard]] bool ClosesABracket(std::string_view line);

// Brackets without a partner in a text, by their offsets. Example: in `) f(a, [b]` the first one is
// not opened, and that of `f` is not closed.
struct LoneBrackets {
  std::vector<size_t> opening, closing;
};
[[nodiscard]] LoneBrackets LoneBracketsOf(std::string_view text);
// Those of a text at `cursor`. The cursor's line stands before it: the text may begin inside a
// string.
[[nodiscard]] LoneBrackets LoneBracketsAt(std::string_view text, size_t cursor,
                                          std::string_view middle);
// The brackets that `text` opens and does not close, by their offsets.
[[nodiscard]] std::vector<size_t> OpenBrackets(std::string_view text);
// What closes them, innermost first.
[[nodiscard]] std::string ClosersOf(std::string_view text);
// The bracket that closes `opening`. REQUIRES: it is one of kOpeningBrackets.
[[nodiscard]] inline char ClosingBracketOf(char opening) {
  return kClosingBrackets[kOpeningBrackets.find(opening)];
}
// Are they the two brackets of a pair?
[[nodiscard]] bool IsPair(char opening, char closing);
// Where the quoted text that begins at `at` ends on its line; `at` where it does not.
[[nodiscard]] size_t EndOfQuoted(std::string_view text, size_t at);
// The same for all quotes of a text in their order. Example: in the open string `"a \"b\" c` none
// of the three quotes has an end; the line is read to its end for the first one alone.
// Cost: linear in the text, for all quotes together.
class QuoteScanner {
 public:
  // REQUIRES: the text lives longer.
  explicit QuoteScanner(std::string_view text) : text_(text) {}
  // As EndOfQuoted. REQUIRES: text[at] is `"`, `'` or a backtick; `at` grows from call to call.
  [[nodiscard]] size_t EndAt(size_t at);

 private:
  static constexpr std::string_view kQuotes = "\"'`";

  std::string_view text_;
  // No quote of a kind that begins before this byte has an end; by the kinds' order in kQuotes.
  std::array<size_t, kQuotes.size()> open_up_to_{};
};

// The least indentation of a line of `text`: a tab where most lines are indented by tabs, else
// the fewest blanks of an indented line, two at least. Empty where no line is indented.
[[nodiscard]] std::string IndentationUnit(std::string_view text);
// The same for a text that begins in a line with these blanks: a tab where they begin with one, and
// nothing where they do not, but most lines do. Example: in Go, beside texts of shell scripts.
[[nodiscard]] std::string IndentationUnitAt(std::string_view text, std::string_view blanks);
// By how many columns the lines of blocks are indented more than the lines that open them, with a
// bracket or a colon at their end; 0 where none are, or not all alike. The line around `cursor` may
// be blank. Examples: of `if a:⏎  b` it is 2; at `f() {⏎    |` 4.
[[nodiscard]] size_t BlockStep(std::string_view text, size_t cursor = std::string_view::npos);
// The lines of blocks with `to` columns where they have `from` more than the line that opens the
// block; all other lines stay as deep in their block as they are.
[[nodiscard]] std::string WithBlockStep(std::string_view text, size_t from, size_t to);
// The lines after the first with blanks as tabs where `unit` is a tab (four blanks each), and tabs
// as units where it is blanks.
[[nodiscard]] std::string WithIndentation(std::string_view text, std::string_view unit);

}  // namespace tenon::server
