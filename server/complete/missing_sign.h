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
// A sign is missing after the element above (element_above.h) where
//   no name may come at the cursor; and of names, strings and brackets some that may not come there
//   may come once the sign is there, all of which may come where the element begins, too
//   the text is whole with the sign, or whole without one
// Where the text is not whole as it is, the element's own first word is asked for, too: below
// `import a.B` no name may come in Java, and `import` may. Where a string may come, as after a
// string in Python, lines of the same list must end with the sign. The sign goes before a comment
// at the line's end. A closing bracket is missing only where its partner is the element's, and
// where the text is whole without the element. Nothing is missing where a block at the cursor makes
// the text whole: `void f()` may be the head of one.
//
// In a file that is broken elsewhere the same is asked in the region (server/region/region.h)
// around the element's place: that of the text without the element.
//
// Source: our own; the edit is LSP's CompletionItem.additionalTextEdits. Cost: up to six gaps
// around the cursor, and four more for each sign of a comment in the line above; only the end of L
// differs. In a file that is broken elsewhere a search for the region, too, which the completion
// then finds done. None where the cursor's line is not blank. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "server/region/region.h"
#include "server/request/completer.h"
#include "tenon/gap.h"

namespace tenon::server {

struct GapOpeners {
  // A viable gap between two contexts; nothing: it is not viable, or the work was stopped.
  using Opener = std::function<std::optional<Gap>(std::string_view left, std::string_view right)>;

  Opener whole;      // between contexts of the whole file
  Opener in_region;  // between those of a region
  std::function<std::optional<Region>(std::string_view text, size_t cursor)> region_at;
};

// Nothing: no sign is missing, or the work was stopped. REQUIRES: the cursor lies in the text.
[[nodiscard]] std::optional<MissingSign> FindMissingSign(std::string_view text, size_t cursor,
                                                         const GapOpeners& open);

// The items of that request's answer, as edits of the text without the sign.
void AnswerWithoutSign(CompletionAnswer& answer, const MissingSign& sign);

}  // namespace tenon::server
