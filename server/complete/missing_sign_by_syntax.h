// The sign that the line above the cursor lacks, in a language that has a syntax tree and no
// grammar.
//
// Example: in C++ the tree of `items.push_back(a)⏎|` counts an error for the `;` that is not there.
//
// The same as missing_sign.h, with the errors of the tree in the place of a proof. A sign is
// missing after the element above the cursor where
//   the tree has fewer errors with it: the `;` of a statement, the comma between two elements, the
//   bracket that the element leaves open
//   or the tree has no more errors with it, and the element once more fits with the sign and not
//   without: in `enum A { B⏎ | }` the comma, as `B, B` has no error and `B B` has one
// Of several signs that one is missing with which there are the fewest errors. None is after a
// head: `if (a)` needs no `;` where a block may come at the cursor.
//
// Source: our own. Cost: up to some fifteen parses of the file, each but one from the tree of
// another; none where the cursor's line is not blank. Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string_view>

#include "server/request/completer.h"
#include "server/syntax/syntax_tree.h"

namespace tenon::server {

// Nothing: no sign is missing, or the work was stopped. REQUIRES: the cursor lies in the text.
[[nodiscard]] std::optional<MissingSign> FindMissingSignBySyntax(const TSLanguage* language,
                                                                 std::string_view text,
                                                                 size_t cursor,
                                                                 const std::stop_token& stop);

}  // namespace tenon::server
