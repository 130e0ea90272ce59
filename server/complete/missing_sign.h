// The sign that the line above the cursor's blank line lacks: a comma, a semicolon, a bracket.
//
// Example: someone has written a line of JSON, and goes on below it.
//
//   {
//     "port": 8080
//     |
//   }
//
// Nothing that could be wanted fits at the cursor, as a comma has to come first, and it belongs to
// the line above. The text is completed as if the comma were there, and the item says where it is
// missing (MissingSign, server/request/completer.h). The editor writes both. So it is with `;` in
// Java, and with the `)` of `fmt.Println(item` in Go.
//
// The *element* is the part of the file that lacks the sign: the line above, or the lines from the
// one that opens a block up to the closing bracket above the cursor. A sign is missing where
//   the cursor's line is blank, and indented as the element's first line is
//   no name may come at the cursor; and of names, strings and brackets some that may not come there
//   may come once the sign is there, all of which may come where the element begins, too
//   the text is whole with the sign, or whole without one
// Where a string may come, as after a string in Python, lines of the same list must end with the
// sign. The sign goes before a comment at the line's end. A closing bracket is missing only where
// its partner is the element's, and where the text is whole without the element.
//
// Source: our own; the edit is LSP's CompletionItem.additionalTextEdits. Cost: up to six gaps
// around the cursor, and four more for each sign of a comment in the line above; only the end of L
// differs. None where the cursor's line is not blank. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "server/request/completer.h"
#include "tenon/gap.h"

namespace tenon::server {

// The gap between two contexts; nothing where the work was stopped.
using GapOpener = std::function<std::optional<Gap>(std::string_view left, std::string_view right)>;

// Nothing: no sign is missing, or the work was stopped. REQUIRES: the cursor lies in the text.
[[nodiscard]] std::optional<MissingSign> FindMissingSign(std::string_view text, size_t cursor,
                                                         const GapOpener& open);

// The items of that request's answer, as edits of the text without the sign.
void AnswerWithoutSign(CompletionAnswer& answer, const MissingSign& sign);

}  // namespace tenon::server
