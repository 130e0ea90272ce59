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
// No language is known here: brackets are found as in indentation.h, and a wrong answer costs
// quality, never validity.
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

// The brackets that `text` leaves open and after which nothing stands on their line, by their
// offsets.
[[nodiscard]] std::vector<size_t> OpenBlocks(std::string_view text);
// Is the last character that is no blank an opening bracket?
[[nodiscard]] bool EndsWithOpeningBracket(std::string_view text);
// Where the cursor's blank line is all that a block of `left` holds: the line of `right` that
// closes the block, without its blanks. Else empty. Example: `})` in
//
//   it("adds", () => {
//     |
//   })
[[nodiscard]] std::string EmptyBlockEnd(std::string_view left, std::string_view right);
// May a statement end here? Not after an opening bracket, a comma or an operator.
[[nodiscard]] bool MayEndStatement(std::string_view line);
// Does `closing` hold signs and closing tags (`</li>`) alone, and no other word?
[[nodiscard]] bool WritesNoWord(std::string_view closing);
// How many bytes at the end of `text` are brackets that close, closing tags, `;` and blanks; 0
// where they have lines of their own.
[[nodiscard]] size_t ClosersAtEnd(std::string_view text);
// `middle` with the brackets and closing tags of its last `closing_bytes` in lines of their own,
// where their partners stand in an earlier line. `indentation`: of the line in which the middle
// begins.
[[nodiscard]] std::string WithClosersInLines(std::string_view middle, size_t closing_bytes,
                                             std::string_view indentation);

}  // namespace tenon::server
