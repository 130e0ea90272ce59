// Texts of signs alone that close a gap.
//
// A closing text of tenon's own (tenon/gap.h) may hold words, which nobody has drawn. Brackets,
// semicolons and closing tags are what a person would write there, too. Example: `)` closes
// `total(price|`, and `:0` closes `if price|` in Python, of which nobody means the `0`.
//
// Cost: a search for a closing text, some milliseconds. Thread rule: that of the gap.
#pragma once

#include <optional>
#include <string>

#include "tenon/gap.h"

namespace tenon::server {

// Signs and closing tags that close the gap. Nothing: the text that tenon finds has a word.
[[nodiscard]] std::optional<std::string> ClosingSigns(const Gap& gap);
// The same, where they are closing brackets, closing tags, `;` and blanks in one line. Then the
// gap lacks no word: `select a, |from b` lacks a column, and `*` is one.
[[nodiscard]] std::optional<std::string> ClosingBracketsOf(const Gap& gap);

}  // namespace tenon::server
