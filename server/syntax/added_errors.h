// The syntax errors of a broken file, without a text at a cursor and with it: does the text make
// the file more broken?
//
// Example: in `f(a,⏎g(|)` the text `b` leaves the one error that there is; `b]` adds another.
//
// The trees are read from scratch: among errors tree-sitter may recover in another way from an
// earlier tree than from none.
//
// Source: syntax_tree.h. Cost: a parse of the file each. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string_view>

#include "server/syntax/syntax_tree.h"

namespace tenon::server {

// The errors of a text, by a tree that is read from scratch; nothing where the parse was stopped or
// given up.
[[nodiscard]] std::optional<size_t> ErrorsOf(const TSLanguage* language, std::string_view text,
                                             const std::stop_token& stop);
// The same of a text with `middle` in it. REQUIRES: offset_bytes <= text.size().
[[nodiscard]] std::optional<size_t> ErrorsWith(const TSLanguage* language, std::string_view text,
                                               size_t offset_bytes, std::string_view middle,
                                               const std::stop_token& stop);
}  // namespace tenon::server
