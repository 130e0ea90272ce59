// Does a text at a cursor make a broken file more broken?
//
// The file has some number of errors in its syntax tree without the text, and some number with it.
// Example: in `f(a,⏎g(|)` the text `b` leaves the one error that there is; `b]` adds another.
//
// Both trees are read from scratch: among errors tree-sitter may recover in another way from an
// earlier tree than from none.
//
// Source: syntax_tree.h. Cost: two parses of the file. Thread rule: a pure function.
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
// Nothing where a parse was stopped or given up. REQUIRES: offset_bytes <= text.size().
[[nodiscard]] std::optional<bool> AddsErrors(const TSLanguage* language, std::string_view text,
                                             size_t offset_bytes, std::string_view middle,
                                             const std::stop_token& stop);

}  // namespace tenon::server
