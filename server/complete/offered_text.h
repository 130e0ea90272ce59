// The text that is offered for a middle: written as the text around it is, and verified as
// written.
//
// Example, in a file with "\r\n" that is indented by tabs: the middle `if b {⏎    c  ⏎}` becomes
// `if b {\r\n\tc\r\n}`.
//
//   first, last   no lines that are blank where the cursor's line is blank
//   last line     its end where the middle is a block between brackets of the text around it:
//                 `f(|)` becomes `f(⏎  a⏎)`
//   closers       the brackets that close blocks, the middle's or one of the lines before it, in
//                 lines of their own, and no further left than the block; so with what ends a
//                 comment or text of several lines (server/request/blocks.h)
//   first blanks  those with which the middle begins, where the cursor's blank line is indented
//                 already, and as many at the beginning of each later line
//   indentation   of the lines after the first: as most lines of the file, and in blocks as deep as
//                 in the file, where its blocks are all alike
//   blanks        none at a line's end; where code follows the middle its last blanks stay
//   line ends     those of the file
//
// A middle was judged before these steps, and none of them leaves the meaning of every language
// alone: blanks count in a string of several lines. So the shaped text is judged again. Where it
// does not fit the steps are left out, one after another; the line ends last.
// Cost: linear in the text, and a judgement. Thread rule: that of the judgement.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "server/request/sureness.h"

namespace tenon::server {

struct OfferedText {
  std::string text;
  std::vector<TokenNats> nats;  // with the ends that the tokens have in this text
};

struct WritingStyle {
  std::string line_end;           // "\n", "\r\n" or "\r"
  std::string indentation;        // IndentationUnit of the text
  bool ends_line = false;         // a line end follows, or nothing
  std::string first_line = {};    // the indentation of the line in which the middle begins
  bool begins_line = false;       // nothing but that indentation stands before the middle
  bool between_brackets = false;  // a bracket ends before it, and its partner begins after it
  bool indented = false;          // IsIndented of the text before it (server/request/blocks.h)
  size_t block_step = 0;          // BlockStep of the text
  std::string_view left = {};     // the last lines before the middle
};

// `closing_bytes`: of the brackets and signs at the middle's end that close it.
// `fits`: may this text stand in the middle's place?
[[nodiscard]] OfferedText WriteAs(const WritingStyle& style, std::string_view middle,
                                  size_t closing_bytes, const std::vector<TokenNats>& nats,
                                  const std::function<bool(std::string_view)>& fits);

}  // namespace tenon::server
