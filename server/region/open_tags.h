// The elements and brackets that a text leaves open, for languages whose code holds elements.
//
// Example: `return (<ul a={b}>{c.map(d => (<li` leaves open, outermost first, `(`, the element
// `ul`, `{`, `(`, `(` and the tag of the element `li`. They are closed by `/>`, `)`, `)`, `}`,
// `</ul>` and `)`.
//
// A `<` begins a tag where a name or `>` follows it, and no name, number or closing bracket comes
// right before it. Nothing here knows a language: who asks must not depend on the answer being
// right. Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

struct OpenPart {
  size_t offset = 0;   // of its bracket or `<`, in bytes
  std::string closer;  // the text that closes it: `)`, `/>` within a tag, `</ul>` after it
};

// Outermost first.
[[nodiscard]] std::vector<OpenPart> OpenPartsOf(std::string_view text);

// Does a text that follows `left` close an element that is opened before `least` of it?
[[nodiscard]] bool ClosesElementBefore(std::string_view left, std::string_view middle,
                                       size_t least);

}  // namespace tenon::server
