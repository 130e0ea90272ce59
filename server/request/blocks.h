// Blocks: brackets that a text opens at the end of a line, and the text that closes them.
//
// Example, with the cursor as `|`: in `on("exit", |);` a model writes
//
//   () => {
//     save();
//
// The `{` is the last character of its line, so a block is open. Its closing text is `}`; in lines
// of its own it stands below the line that opened the block:
//
//   on("exit", () => {
//     save();
//   });
//
// A block may also be one by its indentation: lines that are indented more than the one above.
//
// No language is known here: brackets are found as in indentation.h, and a wrong answer costs
// quality, never validity.
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

// The brackets that `text` leaves open and after which nothing stands on their line, by their
// offsets.
[[nodiscard]] std::vector<size_t> OpenBlocks(std::string_view text);
// Is the last character that is no blank an opening bracket?
[[nodiscard]] bool EndsWithOpeningBracket(std::string_view text);

// Does a text at the cursor close brackets of the lines above? It may do so by the closers after it
// in the cursor's line. Example: `)` in `f(|)`.
[[nodiscard]] bool ClosesBracketsAbove(std::string_view text, size_t cursor,
                                       std::string_view middle);

// A block of the text left of the cursor, and how it ends.
struct EmptyBlock {
  // The indentation of the line that opens it: a line that is indented no more ends it. Nothing:
  // the first bracket right of the cursor does.
  std::optional<size_t> head_columns = {};

  bool operator==(const EmptyBlock&) const = default;
};
// The block of which the cursor's blank line is all: below an opening bracket that R closes, below
// a colon, where a text in three quotes does not count, or indented more than the line above.
// Examples: one that `})` ends, and two in the column 0.
//
//   it("adds", () => {      def area(a, b):                 def area(a, b)
//     |                         """Of a rectangle."""         |
//   })                          |                           end
// `unclosed`: a block counts, too, whose bracket no next line closes, as where its `}` is missing;
// one that is indented no more than the bracket's line ends it.
[[nodiscard]] std::optional<EmptyBlock> EmptyBlockAt(std::string_view left, std::string_view right,
                                                     bool unclosed = false);
// Is the line at the end of `left` blank and indented as a text in it will be? It is where it is
// indented more than the line above, or as much and that line ends with `,`, `;` or `}`.
[[nodiscard]] bool IsIndented(std::string_view left);
// Is the line at the end of `left` blank and indented, but less than the line above, and does the
// line above open no block? Then a text at the cursor comes after the block above. Example: below
// `    return x` the cursor's line `  |`.
[[nodiscard]] bool IsIndentedLess(std::string_view left);
// May a statement end here? Not after an opening bracket, a comma or an operator.
[[nodiscard]] bool MayEndStatement(std::string_view line);
// A text without the signs at its end with which the next line joins it: `a` of `a.` and `a &&`.
[[nodiscard]] std::string_view WithoutJoiningSigns(std::string_view text);
// Does `closing` hold signs and closing tags (`</li>`) alone, and no other word? A `?` is a value
// of SQL, or a type of Java.
[[nodiscard]] bool WritesNoWord(std::string_view closing);
// Does `closing` hold closing brackets and tags, `;` and blanks alone? An operator, a quote and an
// opening bracket say something: `f(a` and `)` is a call of f with a, `f(a` and `++)` another one.
[[nodiscard]] bool OnlyCloses(std::string_view closing);
// How many bytes at the end of `text` are brackets that close, closing tags, `;` and blanks; 0
// where they have lines of their own.
[[nodiscard]] size_t ClosersAtEnd(std::string_view text);
// `middle` after `left`, with the brackets, closing tags, `*/` and `"""` of its last
// `closing_bytes` in lines of their own, where their partners stand in an earlier line, or at the
// end of a line of `left`. Brackets stay in a line that begins with one whose partner stands in the
// same line as theirs: `}, [a]);`.
[[nodiscard]] std::string WithClosersInLines(std::string_view left, std::string_view middle,
                                             size_t closing_bytes);
// `middle` after `left`. Where its last line begins with a closing bracket, and is indented less
// than the line that opens the bracket, it is indented as much as that line.
[[nodiscard]] std::string WithLastCloserBelow(std::string_view left, std::string_view middle);

}  // namespace tenon::server
